import RejoinFlags
import RejoinTime
import Testing

@Suite("Notices of a registry")
struct UpdatesTests {
    private func override(_ flag: String) -> FlagOverride {
        FlagOverride(flag: flag, variant: "on", expires: WallTime(milliseconds: .max))
    }

    @Test("A slow consumer gets one composed update and misses no key")
    func composed() async {
        let registry = FlagRegistry(floor: numberedFile(1))
        var slow = registry.updates().makeAsyncIterator()
        registry.setOverrides([override("first")])
        registry.setOverrides([override("first"), override("second")])
        let update = await slow.next()
        #expect(update?.from == 1 && update?.generation == 3)
        #expect(update?.changedKeys == ["first", "second"])
        registry.stop()
        #expect(await slow.next() == nil)
    }

    @Test("Each consumer gets all updates, and one that went away costs nothing")
    func several() async {
        let registry = FlagRegistry(floor: numberedFile(1))
        var first = registry.updates().makeAsyncIterator()
        _ = registry.updates()
        var second = registry.updates().makeAsyncIterator()
        registry.setOverrides([override("first")])
        #expect(await first.next()?.changedKeys == ["first"])
        #expect(await second.next()?.changedKeys == ["first"])
        registry.setOverrides([])
        #expect(await first.next()?.changedKeys == ["first"])
        #expect(await second.next()?.changedKeys == ["first"])
    }
}

@Suite("Exposures")
struct ExposuresTests {
    private func evaluation(_ variant: String) throws -> FlagEvaluation<String> {
        try flagSet(
            #"{"flags":{"f":{"state":"ENABLED","variants":{"\#(variant)":"x"},"#
                + #""defaultVariant":"\#(variant)"}}}"#
        ).evaluate("f", default: "", for: context("u"))
    }

    @Test("Each pair of person and variant is told once")
    func once() async throws {
        let exposures = FlagExposures()
        for user in ["a", "b", "a", "a"] {
            exposures.note(try evaluation("on"), for: context(user))
        }
        exposures.note(try evaluation("off"), for: context("a"))
        // Look-alike keys are two people.
        exposures.note(try evaluation("on"), for: context("\u{E9}"))
        exposures.note(try evaluation("on"), for: context("e\u{301}"))
        var batches = exposures.makeAsyncIterator()
        let batch = try #require(await batches.next())
        #expect(
            batch.map { "\($0.targetingKey ?? "") \($0.variant ?? "")" }
                == ["a on", "b on", "a off", "\u{E9} on", "e\u{301} on"])
        exposures.note(try evaluation("on"), for: context("b"))
        exposures.note(try evaluation("on"), for: context("c"))
        #expect(await batches.next()?.map(\.targetingKey) == ["c"])
        exposures.finish()
        exposures.finish()
        #expect(await batches.next() == nil)
    }

    @Test("Where nobody takes them, the newest are dropped and counted")
    func bounded() async throws {
        let exposures = FlagExposures()
        let evaluation = try evaluation("on")
        for user in 0..<(FlagExposures.maximumPending + 10) {
            exposures.note(evaluation, for: context("\(user)"))
        }
        #expect(exposures.dropped == 10)
        var batches = exposures.makeAsyncIterator()
        #expect(await batches.next()?.count == FlagExposures.maximumPending)
    }

    @Test("Memory is bounded: what was forgotten is told again")
    func forgets() {
        var core = FlagExposureCore(limit: 2)
        let told = ["a", "b", "a", "c", "a", "c"].map { user in
            core.isNew(
                FlagExposure(flag: "f", variant: "on", reason: .static, targetingKey: user))
        }
        #expect(told == [true, true, false, true, true, false])
    }
}
