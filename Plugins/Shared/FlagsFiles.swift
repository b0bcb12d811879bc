import Foundation
import PackagePlugin

/// What goes wrong before the tool runs; one clear line.
struct FlagsPluginError: Error, CustomStringConvertible {
    let description: String
}

/// Flags files among a target's files.
enum FlagsFiles {
    /// How their names end.
    static let ending = ".flagd.json"

    /// Those of a list, in a fixed order.
    static func among(_ files: some Sequence<URL>) -> [URL] {
        files.filter { $0.lastPathComponent.hasSuffix(ending) }
            .sorted { $0.path < $1.path }
    }
}
