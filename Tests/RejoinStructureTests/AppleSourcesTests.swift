import Foundation
import Testing

/// What Apple's sources keep to where no Apple compiler looks: `make check-apple` type-checks them,
/// and these are the rules that types do not show.
@Suite("Sources for Apple's platforms")
struct AppleSourcesTests {
    static let folders = ["Sources/RejoinUIKit", "Sources/RejoinTypography"]

    /// The dynamic dispatch of Objective-C, and conditions by name of a system.
    static let banned = ["@objc", "#selector", "Selector(", "#if os(", "@IBAction", "@NSManaged"]

    @Test("No selector, no @objc, and no condition but on what can be imported", arguments: folders)
    func banned(_ folder: String) throws {
        for (path, text) in try sources(folder) {
            for word in Self.banned {
                #expect(!text.contains(word), "\(path): '\(word)'")
            }
        }
    }

    @Test("What imports an Apple framework stands within its condition", arguments: folders)
    func conditions(_ folder: String) throws {
        for (path, text) in try sources(folder) {
            let lines = text.split(separator: "\n")
            let imports = ["UIKit", "QuartzCore", "CoreText", "CoreGraphics"].filter { module in
                lines.contains { $0.hasSuffix("import \(module)") }
            }
            guard !imports.isEmpty else { continue }
            #expect(lines.first?.hasPrefix("#if canImport(") == true, "\(path)")
            #expect(lines.last == "#endif", "\(path)")
        }
    }

    /// A stub is as good as its source: whoever doubts a declaration opens its page.
    @Test(
        "Each declared type, function and member of the stubs cites its page in Apple's documentation"
    )
    func citations() throws {
        let own = try sources("Tests/AppleStubs")
        #expect(own.count >= 6)
        for (path, text) in own {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init)
            for (number, line) in lines.enumerated() {
                let word = line.trimmingCharacters(in: .whitespaces)
                guard Self.starts.contains(where: word.hasPrefix), !word.contains("rawValue") else {
                    continue
                }
                var above = number - 1
                while above > 0, lines[above].trimmingCharacters(in: .whitespaces).hasPrefix("@") {
                    above -= 1
                }
                var isCited = false
                while above >= 0,
                    lines[above].trimmingCharacters(in: .whitespaces).hasPrefix("///")
                {
                    if lines[above].contains("https://developer.apple.com/documentation/") {
                        isCited = true
                    }
                    above -= 1
                }
                #expect(isCited, "\(path):\(number + 1): \(word)")
            }
        }
    }

    private static let starts = [
        "public func", "public class", "public final class", "public struct", "public enum",
        "public typealias", "public static var", "public convenience init", "open class",
        "open var", "open func",
    ]

    private func sources(_ folder: String) throws -> [(path: String, text: String)] {
        let base = PackageDescription.root.appending(path: folder)
        let files = try #require(FileManager.default.enumerator(atPath: base.path))
        return try files.compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
            .map { file in
                let text = try String(contentsOf: base.appending(path: file), encoding: .utf8)
                return ("\(folder)/\(file)", text)
            }
    }
}
