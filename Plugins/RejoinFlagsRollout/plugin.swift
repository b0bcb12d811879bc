import Foundation
import PackagePlugin

/// `swift package flags-rollout`.
@main
struct RejoinFlagsRollout: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        try FlagsCommand.run(
            "rollout", arguments, tool: context.tool(named: "RejoinFlagsTool").url,
            directory: context.package.directoryURL
        ) { try FlagsFiles.of(context.package, target: $0) }
    }
}

#if canImport(XcodeProjectPlugin)
import XcodeProjectPlugin

extension RejoinFlagsRollout: XcodeCommandPlugin {
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
        try FlagsCommand.run(
            "rollout", arguments, tool: context.tool(named: "RejoinFlagsTool").url,
            directory: context.xcodeProject.directoryURL
        ) { name in
            context.xcodeProject.targets.filter { name == nil || $0.displayName == name }
                .flatMap { FlagsFiles.among($0.inputFiles.map(\.url)) }
        }
    }
}
#endif
