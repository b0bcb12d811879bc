import Foundation
import RejoinJSON

/// Files that are named on the command line.
enum InputFile {
    /// Reads a file, or a pipe that stands in for one, whole.
    ///
    /// - Throws: what the system says of it, or that it is longer than so many bytes.
    static func read(
        _ path: String, as what: String, atMost limit: Int
    ) throws(CommandError) -> ContiguousArray<UInt8> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(path, what, errno) }
        defer { close(descriptor) }
        var whole: ContiguousArray<UInt8> = []
        while true {
            let (piece, code) = Descriptor.read(descriptor)
            guard code == 0 else { throw failure(path, what, code) }
            guard !piece.isEmpty else { return whole }
            whole += piece
            guard whole.count <= limit else {
                throw .failure(
                    "\(what) '\(path)' is longer than \(limit) bytes, the most that is read")
            }
        }
    }

    private static func failure(_ path: String, _ what: String, _ code: Int32) -> CommandError {
        .failure("\(what) '\(path)' cannot be read: \(SystemError.text(code))")
    }
}

extension JSONError {
    /// What is wrong and where, for a person with the text before them.
    var forPeople: String {
        let place = path.isEmpty ? "" : " (at \(path))"
        return "line \(location.line), column \(location.column): \(message)\(place)"
    }

    /// The same in one line of a stream whose lines the caller counts.
    func forPeople(inLine number: Int) -> String {
        let place = path.isEmpty ? "" : " (at \(path))"
        return "line \(number), column \(location.column): \(message)\(place)"
    }
}
