#if os(Linux)
import Foundation

/// The names of the files of one picture: `OUT.png`, or `OUT-1.png` and so on where it is divided.
struct PictureFiles {
    let names: [String]
    private let output: String

    /// - Parameter output: the name of the file, with its ending `.png`.
    init(_ output: String, count: Int) {
        self.output = output
        names =
            count == 1
            ? [output] : (1...count).map { "\(output.dropLast(4))-\($0).png" }
    }

    /// Refuses a name in a folder that does not exist or takes no files: told before the work, not
    /// after it.
    static func requireFolder(of output: String) throws(CommandError) {
        let folder = URL(filePath: output).deletingLastPathComponent().path
        guard access(folder, W_OK | X_OK) == 0 else {
            throw .failure(
                "the picture '\(output)' cannot be written into '\(folder)': "
                    + SystemError.text(errno))
        }
    }

    /// Refuses to draw where files of an earlier run would stand beside the new ones and look as
    /// if they belonged to them.
    ///
    /// They are not removed: they may be somebody's own.
    ///
    /// - Parameter option: what names the output on the command line.
    func refuseLeftovers(_ option: String) throws(CommandError) {
        let url = URL(filePath: output)
        let folder = url.deletingLastPathComponent()
        let own = Set(names.map { URL(filePath: $0).lastPathComponent })
        let stem = String(url.lastPathComponent.dropLast(4))
        // A folder that cannot be listed cannot be written to either, which is told then.
        let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let old = found.filter { name in
            !own.contains(name) && (name == stem + ".png" || Self.number(name, stem) != nil)
        }.sorted { (Self.number($0, stem) ?? 0) < (Self.number($1, stem) ?? 0) }
        guard let first = old.first else { return }
        let others = old.count == 1 ? "" : " and \(old.count - 1) more"
        throw .failure(
            "'\(folder.appending(path: first).relativePath)'\(others) of an earlier run would "
                + "stand beside the \(names.count) new and not belong to them; remove what is old, "
                + "or choose another \(option)")
    }

    /// The number of `STEM-12.png`; `nil` for any other name.
    private static func number(_ name: String, _ stem: String) -> Int? {
        guard name.hasPrefix(stem + "-"), name.hasSuffix(".png") else { return nil }
        let digits = name.dropFirst(stem.count + 1).dropLast(4)
        guard !digits.isEmpty, digits.first != "0",
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(digits)
    }
}
#endif
