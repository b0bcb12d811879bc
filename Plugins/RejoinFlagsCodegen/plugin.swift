import Foundation
import PackagePlugin

/// Turns the one `*.flagd.json` of a target into `Flags.generated.swift`, whenever it changes.
@main
struct RejoinFlagsCodegen: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        try Self.commands(
            target: target.name, files: target.sourceModule?.sourceFiles.map(\.url) ?? [],
            tool: context.tool(named: "RejoinFlagsTool").url, folder: context.pluginWorkDirectoryURL
        )
    }

    private static func commands(target: String, files: [URL], tool: URL, folder: URL) throws
        -> [Command]
    {
        let found = FlagsFiles.among(files)
        guard let input = found.first else {
            throw FlagsPluginError(
                description: "target '\(target)' has no flags file: add one whose name ends with "
                    + "\(FlagsFiles.ending) to its sources, or take RejoinFlagsCodegen out of its "
                    + "plugins")
        }
        guard found.count == 1 else {
            let names = found.map(\.lastPathComponent).joined(separator: ", ")
            throw FlagsPluginError(
                description: "target '\(target)' has several flags files, \(names): keep one")
        }
        let output = folder.appending(path: "Flags.generated.swift")
        return [
            .buildCommand(
                displayName: "Generate Swift for \(input.lastPathComponent)", executable: tool,
                arguments: ["generate", "--input", input.path, "--output", output.path],
                inputFiles: [input], outputFiles: [output])
        ]
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension RejoinFlagsCodegen: XcodeBuildToolPlugin {
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
        try Self.commands(
            target: target.displayName, files: target.inputFiles.map(\.url),
            tool: context.tool(named: "RejoinFlagsTool").url, folder: context.pluginWorkDirectoryURL
        )
    }
}
#endif
