import Foundation
import RejoinFlags

/// A host that takes its flags from `chat.flagd.json`: the plugin has written `Flags` from it, so
/// that a key, a variant or a type which the file does not have is an error of the compiler.
@main
enum FlagsHost {
    static func main() throws {
        // The file that came with the app is the floor; an app names its container's file as
        // `path` too, and runs the registry.
        let url = Bundle.module.url(forResource: "chat.flagd", withExtension: "json")
        let floor = try url.map { ContiguousArray(try Data(contentsOf: $0)) }
        let registry = FlagRegistry(catalogue: Flags.catalogue, floor: floor)

        let flags = registry.snapshot
        var served: [Flags.MessagePipelineVariant: Int] = [:]
        for number in 1...1_000 {
            let user = FlagContext(
                targetingKey: "sample-\(number)", attributes: ["appVersion": "6.3.0"])
            served[flags.value(Flags.messagePipeline, for: user), default: 0] += 1
        }
        for variant in Flags.MessagePipelineVariant.allCases {
            print("\(variant): \(served[variant, default: 0]) of 1000")
        }
        let ann = FlagContext(targetingKey: "ann", attributes: ["appVersion": "6.3.0"])
        print("fast scroll: \(flags.isOn(Flags.fastScroll, for: ann))")
        print("page size: \(flags.value(Flags.pageSize, for: ann))")
    }
}
