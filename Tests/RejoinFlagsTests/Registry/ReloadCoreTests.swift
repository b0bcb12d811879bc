import RejoinFlags
import RejoinTime
import Testing

/// What becomes of what was read (flags.md, section 6 and traps 26 to 35).
@Suite("Decisions on reload")
struct ReloadCoreTests {
    private let now = WallTime(milliseconds: 1_000)

    private func update(_ effects: [FlagReloadCore.Effect]) -> FlagUpdate? {
        for case .publish(_, let update) in effects { return update }
        return nil
    }

    @Test("A good file replaces the set as a whole and tells which keys have changed")
    func replace() throws {
        var core = FlagReloadCore(floor: numberedFile(1))
        #expect(core.state.generation == 1 && core.state.set.flags.count == 3)
        let effects = core.handle(.read(.success(numberedFile(3))), at: now)
        #expect(update(effects)?.changedKeys == ["number"])
        let other = ContiguousArray(
            #"{"flags":{"new":{"state":"ENABLED","variants":{"a":1}}}}"#.utf8)
        let next = update(core.handle(.read(.success(other)), at: now))
        // What was deleted is gone: sets are never merged (trap 33).
        #expect(next?.changedKeys == ["new", "first", "second", "number"])
        #expect(next?.from == 2 && next?.generation == 3)
        #expect(core.state.set["number"] == nil)
    }

    @Test("The same bytes again are no news")
    func sameBytes() {
        var core = FlagReloadCore(floor: nil)
        #expect(core.handle(.read(.success(numberedFile(1))), at: now).count == 1)
        #expect(core.handle(.read(.success(numberedFile(1))), at: now).isEmpty)
    }

    @Test(
        "Whatever cannot be used keeps the last good set, and is told once",
        arguments: [
            .failure(FlagFileError(.missing, "gone")),
            .failure(FlagFileError(.unreadable, "locked")),
            .success([]), .success(ContiguousArray("{".utf8)), .success(ContiguousArray("{}".utf8)),
            .success(ContiguousArray(#"{"flags":{},"metadata":{"bucketing":"v3"}}"#.utf8)),
        ] as [Result<ContiguousArray<UInt8>, FlagFileError>])
    func keepsLastGood(read: Result<ContiguousArray<UInt8>, FlagFileError>) {
        var core = FlagReloadCore(floor: numberedFile(1))
        _ = core.handle(.read(.success(numberedFile(2))), at: now)
        let told = update(core.handle(.read(read), at: now))
        #expect(told?.problem != nil && told?.changedKeys == [])
        #expect(core.state.set["number"]?.variants.first?.value == 2)
        #expect(core.handle(.read(read), at: now).isEmpty, "the same trouble is told once")
        // The file comes back as it was.
        let back = update(core.handle(.read(.success(numberedFile(2))), at: now))
        #expect(back?.problem == nil && back?.changedKeys == [])
    }

    @Test("A broken floor leaves code defaults and says so")
    func brokenFloor() {
        let core = FlagReloadCore(floor: ContiguousArray("nonsense".utf8))
        #expect(core.state.set.flags.isEmpty)
        #expect(core.state.problem?.code == .invalidJSON)
    }

    @Test("Overrides come, end, and survive a reload")
    func overrides() {
        var core = FlagReloadCore(floor: numberedFile(1))
        let override = FlagOverride(
            flag: "first", variant: "on", expires: WallTime(milliseconds: 5_000))
        let past = FlagOverride(
            flag: "second", variant: "on", expires: WallTime(milliseconds: 1_000))
        let set = update(core.handle(.overrides([override, past]), at: now))
        #expect(set?.changedKeys == ["first"])
        #expect(core.nextExpiry == override.expires)
        _ = core.handle(.read(.success(numberedFile(2))), at: now)
        #expect(core.state.overrides == [override])
        #expect(core.handle(.tick, at: WallTime(milliseconds: 4_999)).isEmpty)
        let end = update(core.handle(.tick, at: override.expires))
        #expect(end?.changedKeys == ["first"])
        #expect(core.state.overrides.isEmpty && core.nextExpiry == nil)
    }

    @Test("Of too many overrides those that end last are kept")
    func overrideLimit() {
        var core = FlagReloadCore(floor: nil)
        let many = (0..<1_000).map { index in
            FlagOverride(
                flag: "f\(index)", variant: "on",
                expires: WallTime(milliseconds: Int64(2_000 + index)))
        }
        _ = core.handle(.overrides(many), at: now)
        #expect(core.state.overrides.count == FlagReloadCore.maximumOverrides)
        #expect(core.nextExpiry == WallTime(milliseconds: 2_744))
    }

    @Test("Updates compose: keys once, from the first to the last generation")
    func composition() {
        let problem = FlagFileError(.empty, "empty")
        let first = FlagUpdate(from: 1, generation: 2, changedKeys: ["a", "b"], problem: problem)
        let second = FlagUpdate(from: 2, generation: 3, changedKeys: ["b", "c"], problem: nil)
        #expect(
            first.followed(by: second)
                == FlagUpdate(from: 1, generation: 3, changedKeys: ["a", "b", "c"], problem: nil))
    }
}
