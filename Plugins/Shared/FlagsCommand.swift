import Foundation
import PackagePlugin

/// What both command plugins do: find the flags files and hand them to the tool.
enum FlagsCommand {
    /// Runs a command of the tool, and ends with its exit status.
    ///
    /// - Parameters:
    ///   - arguments: What the person wrote; `--target` is taken out here.
    ///   - files: The flags files of the targets of that name; of all targets for `nil`.
    static func run(
        _ command: String, _ arguments: [String], tool: URL, directory: URL,
        files: (String?) throws -> [URL]
    ) throws {
        var extractor = ArgumentExtractor(arguments)
        let targets = extractor.extractOption(named: "target")
        let rest = extractor.remainingArguments
        let isNamed = rest.contains { $0 == "--file" || $0.hasPrefix("--file=") }
        var found: [URL] = []
        if targets.isEmpty {
            if !isNamed { found = try files(nil) }
        } else {
            for target in targets { found += try files(target) }
        }
        let named = found.flatMap { ["--file", relative($0, to: directory)] }

        let process = Process()
        process.executableURL = tool
        process.currentDirectoryURL = directory
        process.arguments = [command] + named + rest
        try process.run()
        process.waitUntilExit()
        guard process.terminationReason == .exit else {
            throw FlagsPluginError(description: "the tool crashed")
        }
        // The tool has told what is wrong; its status is the command's.
        if process.terminationStatus != 0 { exit(process.terminationStatus) }
    }

    /// A path as the person would write it.
    private static func relative(_ file: URL, to directory: URL) -> String {
        let base = directory.path.hasSuffix("/") ? directory.path : directory.path + "/"
        return file.path.hasPrefix(base) ? String(file.path.dropFirst(base.count)) : file.path
    }
}
