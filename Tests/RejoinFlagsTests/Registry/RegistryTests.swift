import Foundation
import RejoinContracts
import RejoinFlags
import RejoinTime
import Testing

@Suite("Flag registry")
struct RegistryTests {
    private let user = context("u")

    @Test("Flags can be checked before anything runs: floor, code defaults, unknown names")
    func floor() {
        let registry = FlagRegistry(catalogue: NumberedFlags.catalogue, floor: numberedFile(2))
        let flags = registry.snapshot
        #expect(flags.isOn(NumberedFlags.first, for: user))
        #expect(flags.value(NumberedFlags.number, for: user) == 2)
        let answer = flags.evaluate("nope", as: .boolean, default: true, for: user)
        #expect(answer.value == true && answer.errorCode == .flagNotFound)
        let bare = FlagRegistry(catalogue: NumberedFlags.catalogue)
        #expect(!bare.snapshot.isOn(NumberedFlags.first, for: user))
        #expect(bare.snapshot.evaluate(NumberedFlags.number, for: user).errorCode == .flagNotFound)
    }

    @Test("A settled check makes no context, and agrees with the evaluation")
    func settled() throws {
        let file = ContiguousArray(
            #"""
            {"flags":{
              "on":{"state":"ENABLED","variants":{"y":true,"n":false},"defaultVariant":"y"},
              "killed":{"state":"DISABLED","variants":{"y":true},"defaultVariant":"y",
                "targeting":{"if":[true,"y"]}},
              "broken":{"state":"ENABLED","variants":{},"targeting":{"if":[true,"y"]}},
              "wrong":{"state":"ENABLED","variants":{"y":1},"defaultVariant":"y"},
              "who":{"state":"ENABLED","variants":{"true":true,"false":false},
                "targeting":{"==":[{"var":"targetingKey"},"u"]}}}}
            """#.utf8)
        let names = ["on", "killed", "broken", "wrong", "who", "missing"]
        for codeDefault in [true, false] {
            let keys = names.enumerated().map { index, name in
                FlagKey(name, at: index, default: codeDefault)
            }
            let registry = FlagRegistry(
                catalogue: FlagCatalogue(keys.map(\.declaration)), floor: file)
            let flags = registry.snapshot
            for key in keys {
                var made = 0
                func make() -> FlagContext {
                    made += 1
                    return user
                }
                let isOn = flags.isOn(key, for: make())
                #expect(isOn == flags.evaluate(key, for: user).value, "\(key.name)")
                #expect(made == (key.name == "who" ? 1 : 0), "\(key.name)")
            }
        }
    }

    @Test("An override shows in the reason, ends by the context's clock, and the kill switch wins")
    func overrides() {
        let file = ContiguousArray(
            #"""
            {"flags":{
              "f":{"state":"ENABLED","variants":{"y":true,"n":false},"defaultVariant":"n"},
              "k":{"state":"DISABLED","variants":{"y":true,"n":false},"defaultVariant":"n"}}}
            """#.utf8)
        let f = FlagKey("f", at: 0, default: false)
        let k = FlagKey("k", at: 1, default: false)
        let time = VirtualTime()
        let registry = FlagRegistry(
            catalogue: FlagCatalogue([f.declaration, k.declaration]), floor: file, time: time)
        let end = time.wallNow.advanced(by: .seconds(60))
        registry.setOverrides([
            FlagOverride(flag: "f", variant: "y", expires: end),
            FlagOverride(flag: "k", variant: "y", expires: end),
        ])
        func at(_ milliseconds: Int64) -> FlagContext {
            FlagContext(targetingKey: "u", timestamp: milliseconds / 1_000)
        }
        let flags = registry.snapshot
        let during = at(time.wallNow.milliseconds)
        #expect(flags.isOn(f, for: during))
        #expect(flags.evaluate(f, for: during).reason == .override)
        #expect(flags.evaluate(f, for: during).variant == "y")
        #expect(flags.evaluate(k, for: during).reason == .disabled)
        let after = at(end.milliseconds + 1_000)
        #expect(flags.evaluate(f, for: after).reason == .static)
        registry.setOverrides([FlagOverride(flag: "f", variant: "zz", expires: end)])
        #expect(registry.snapshot.evaluate(f, for: during).errorCode == .general)
        registry.setOverrides([])
        #expect(registry.snapshot.evaluate(f, for: during).reason == .static)
        #expect(flags.evaluate(f, for: during).reason == .override, "a held snapshot stays")
    }

    @Test("A reader follows without a lock; a held snapshot stays")
    func reader() {
        let registry = FlagRegistry(catalogue: NumberedFlags.catalogue, floor: numberedFile(2))
        var reader = registry.reader()
        let held = reader.current()
        registry.setOverrides([
            FlagOverride(
                flag: "first", variant: "off", expires: WallTime(milliseconds: .max))
        ])
        #expect(held.isOn(NumberedFlags.first, for: user))
        #expect(!reader.current().isOn(NumberedFlags.first, for: user))
        #expect(reader.current() === registry.snapshot)
    }

    @Test("stop is idempotent, before, during and after a run, and ends the updates")
    func stop() async {
        let early = FlagRegistry()
        early.stop()
        early.stop()
        await early.run()
        for await _ in early.updates() { Issue.record("a stopped registry has no updates") }

        let registry = FlagRegistry(path: "/nonexistent/flags.json")
        var updates = registry.updates().makeAsyncIterator()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await registry.run() }
            let first = await updates.next()
            #expect(first?.problem?.code == .missing)
            // A second run beside the first returns at once.
            await registry.run()
            registry.stop()
            registry.stop()
            await group.waitForAll()
        }
        #expect(await updates.next() == nil)
        await registry.run()
        registry.setOverrides([])
        registry.refresh()
    }

    @Test("A cancelled run cleans up and may run again")
    func cancelled() async throws {
        let directory = try TemporaryDirectory()
        try Rewrite.atomicReplace.prepare(numberedFile(1), in: directory)
        let registry = FlagRegistry(
            catalogue: NumberedFlags.catalogue, path: directory.path("flags.json"))
        for number in 1...2 {
            try Rewrite.atomicReplace.apply(numberedFile(number), in: directory, number: number)
            var updates = registry.updates().makeAsyncIterator()
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await registry.run() }
                #expect(await updates.next()?.problem == nil)
                group.cancelAll()
            }
            #expect(registry.snapshot.value(NumberedFlags.number, for: user) == number)
        }
    }

    @Test("A directory that comes later, and one that is replaced, are found")
    func directories() async throws {
        let directory = try TemporaryDirectory()
        let files = FileManager.default
        let registry = FlagRegistry(
            catalogue: NumberedFlags.catalogue, floor: numberedFile(0),
            path: directory.path("inner/flags.json"), pollInterval: .milliseconds(20))
        var updates = registry.updates().makeAsyncIterator()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await registry.run() }
            for number in 1...3 {
                try? files.moveItem(
                    atPath: directory.path("inner"), toPath: directory.path("old\(number)"))
                try files.createDirectory(
                    atPath: directory.path("inner"), withIntermediateDirectories: false)
                try Data(numberedFile(number)).write(
                    to: URL(filePath: directory.path("inner/flags.json")))
                while registry.snapshot.value(NumberedFlags.number, for: user) != number {
                    _ = await updates.next()
                }
            }
            registry.stop()
            try await group.waitForAll()
        }
    }

    @Test("A pipe, a directory or too large a file in the file's place is refused, not waited for")
    func strangeFiles() throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, directory.url.path] {
            guard case .failure(let error) = FlagFile.read(path, maximumBytes: 100) else {
                Issue.record("\(path) was read")
                continue
            }
            #expect(error.code == .unreadable)
        }
        let large = directory.path("large")
        try Data(repeating: 0x20, count: 101).write(to: URL(filePath: large))
        guard case .failure(let error) = FlagFile.read(large, maximumBytes: 100) else {
            Issue.record("a file over the limit was read")
            return
        }
        #expect(error.message.contains("at most 100"))
    }
}
