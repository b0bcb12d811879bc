import RejoinFlags
import RejoinTime
import Testing

/// Changes of a file that break the promise of a ramp (flags.md, sections 1.5 and 6).
@Suite("Ramp risks between two files")
struct RampRiskTests {
    private func flag(_ shares: String, seed: String = "s:") -> String {
        file(
            targeting: #"{"if":[{"var":"x"},"a",{"fractional":[{"cat":["\#(seed)","#
                + #"{"var":"targetingKey"}]},\#(shares)]}]}"#)
    }

    @Test(
        "A new seed or another order is a risk; weights and new shares are none",
        arguments: [
            (#"["a",10],["b",90]"#, "s:", nil), (#"["a",50],["b",50]"#, "s:", nil),
            (#"["a",1],["c",1],["b",8]"#, "s:", nil), (#"["a",1]"#, "s:", nil),
            (#"["b",90],["a",10]"#, "s:", FlagDiagnostic.Code.orderChanged),
            (#"["a",10],["b",90]"#, "t:", .seedChanged),
        ])
    func risks(shares: String, seed: String, code: FlagDiagnostic.Code?) throws {
        let old = try flagSet(flag(#"["a",10],["b",90]"#))
        let new = try flagSet(flag(shares, seed: seed))
        #expect(new.rampRisks(since: old).map(\.code) == (code.map { [$0] } ?? []))
    }

    @Test("A reload tells them")
    func reload() {
        var core = FlagReloadCore(floor: ContiguousArray(flag(#"["a",10],["b",90]"#).utf8))
        let next = ContiguousArray(flag(#"["b",90],["a",10]"#).utf8)
        for case .publish(_, let update) in core.handle(
            .read(.success(next)), at: WallTime(milliseconds: 7))
        {
            #expect(update.rampRisks.map(\.code) == [.orderChanged])
        }
        #expect(core.state.loadedAt == WallTime(milliseconds: 7))
    }
}
