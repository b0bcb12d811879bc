import Foundation
import RejoinFlags
import Testing

/// Rewrites of each kind with concurrent readers (flags.md, traps 26 to 37).
///
/// A few hundred in everyday runs; `Scripts/flags-torture.sh` sets `REJOIN_FLAGS_REWRITES=10000`.
@Suite("Reload torture", .serialized)
struct ReloadTortureTests {
    private static let rewrites =
        ProcessInfo.processInfo.environment["REJOIN_FLAGS_REWRITES"].flatMap(Int.init) ?? 400

    @Test(
        "No torn read, no empty set, no missed last state",
        arguments: Rewrite.allCases)
    func torture(kind: Rewrite) async throws {
        let directory = try TemporaryDirectory()
        try kind.prepare(numberedFile(0), in: directory)
        let registry = FlagRegistry(
            catalogue: NumberedFlags.catalogue, floor: numberedFile(0),
            path: directory.path("flags.json"), pollInterval: .milliseconds(50))
        let updates = registry.updates()
        let last = Self.rewrites
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await registry.run() }
            for _ in 0..<2 {
                group.addTask { await Self.read(registry, until: last) }
            }
            group.addTask {
                for number in 1...last {
                    try kind.apply(numberedFile(number), in: directory, number: number)
                    await Task.yield()
                }
            }
            // The run ends once the last state is in force; a missed one would hang the test.
            var iterator = updates.makeAsyncIterator()
            while registry.snapshot.value(NumberedFlags.number, for: context(nil)) != last {
                _ = await iterator.next()
            }
            registry.stop()
            try await group.waitForAll()
        }
        #expect(registry.snapshot.problem == nil)
    }

    /// Reads until the last state; every snapshot is whole, and no state comes back.
    private static func read(_ registry: FlagRegistry, until last: Int) async {
        var reader = registry.reader()
        let nobody = context(nil)
        var generation: UInt64 = 0
        var number = -1
        while number < last {
            let flags = reader.current()
            guard flags.generation != generation else {
                await Task.yield()
                continue
            }
            let new = flags.value(NumberedFlags.number, for: nobody)
            #expect(flags.generation > generation)
            #expect(new >= number, "a state came back")
            #expect(flags.set.flags.count == 3, "an empty set")
            let isEven = new.isMultiple(of: 2)
            #expect(flags.isOn(NumberedFlags.first, for: nobody) == isEven, "torn")
            #expect(flags.isOn(NumberedFlags.second, for: nobody) == isEven, "torn")
            generation = flags.generation
            number = new
        }
    }

    #if os(Linux)
    @Test("Starting and stopping many times leaks no descriptor and no thread")
    func leaks() async throws {
        let directory = try TemporaryDirectory()
        try Rewrite.atomicReplace.prepare(numberedFile(1), in: directory)
        func watches() throws -> Int {
            // Other suites run beside this one, so only descriptors of watches are counted.
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(
                    atPath: "/proc/self/fd/\(name)")
                return target?.contains("inotify") == true
                    || target?.contains(directory.url.lastPathComponent) == true
            }.count
        }
        for _ in 0..<max(50, Self.rewrites / 10) {
            let registry = FlagRegistry(
                catalogue: NumberedFlags.catalogue, path: directory.path("flags.json"))
            var updates = registry.updates().makeAsyncIterator()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await registry.run() }
                _ = await updates.next()
                registry.stop()
                await group.waitForAll()
            }
        }
        #expect(try watches() == 0)
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        #expect(threads < 128, "\(threads) threads")
    }
    #endif
}
