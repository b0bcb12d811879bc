package import RejoinFlags
package import RejoinPipeline

extension GuardPolicy {
    /// Reads thresholds from a flag's metadata. What is absent, or no whole number of at least the
    /// least that makes sense, keeps its default: a typing error must not switch the guard off.
    ///
    /// | Name | Meaning | Default |
    /// | --- | --- | --- |
    /// | `guardWindowSeconds` | ``GuardPolicy/window`` | 300 |
    /// | `guardMinimumSample` | ``GuardPolicy/minimumSample`` | 20 |
    /// | `guardUnfilledGapPerMille` | ``GuardPolicy/unfilledGapLimit`` | 100 |
    /// | `guardFailedSendPerMille` | ``GuardPolicy/failedSendLimit`` | 100 |
    /// | `guardIllWindows` | ``GuardPolicy/illWindows`` | 2 |
    /// | `guardDivergences` | ``GuardPolicy/divergenceLimit`` | 1 |
    /// | `guardShortRunSeconds` | ``GuardPolicy/shortRun`` | 60 |
    /// | `guardShortRuns` | ``GuardPolicy/shortRunLimit`` | 3 |
    package init(metadata: FlagObject) {
        self.init()
        func read(_ name: String, _ set: (Int) -> Void) {
            guard case .integer(let value)? = metadata[name], (1...86_400).contains(value) else {
                return
            }
            set(Int(value))
        }
        read("guardWindowSeconds") { window = .seconds($0) }
        read("guardMinimumSample") { minimumSample = $0 }
        read("guardUnfilledGapPerMille") { unfilledGapLimit = $0 }
        read("guardFailedSendPerMille") { failedSendLimit = $0 }
        read("guardIllWindows") { illWindows = $0 }
        read("guardDivergences") { divergenceLimit = $0 }
        read("guardShortRunSeconds") { shortRun = .seconds($0) }
        read("guardShortRuns") { shortRunLimit = $0 }
    }
}
