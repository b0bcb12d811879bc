internal import RejoinModel
public import RejoinPipeline

/// What every ``PipelineSelector`` must keep.
public enum PipelineSelectorContract {
    /// The checks. `known` are the variants that the host has registered.
    public static func checks(
        _ selector: any PipelineSelector, known: [PipelineVariant]
    ) -> [ContractCheck] {
        [
            ContractCheck("selector.same-context-same-choice", promise: "P6") {
                for context in contexts {
                    let first = selector.selection(for: context)
                    try require(
                        selector.selection(for: context), equals: first,
                        "selector.same-context-same-choice",
                        whoIsHurt: "a room would be handed to and fro while people chat")
                }
            },
            ContractCheck("selector.chooses-what-is-registered", promise: "P6") {
                for context in contexts {
                    let choice = selector.selection(for: context)
                    try require(
                        known.contains(choice.variant), "selector.chooses-what-is-registered",
                        expected: "one of \(known)", got: choice.variant.rawValue,
                        whoIsHurt: "the rollout would count people who never got the variant")
                }
            },
            ContractCheck("selector.says-why", promise: "P6") {
                for context in contexts {
                    let choice = selector.selection(for: context)
                    try require(
                        !choice.reason.isEmpty, "selector.says-why",
                        expected: "a reason", got: "none",
                        whoIsHurt: "nobody could tell why a room got its pipeline")
                }
            },
        ]
    }

    private static let contexts = [
        "", "ann", "\u{e9}", "e\u{301}", String(repeating: "x", count: 9_999),
    ]
    .map { name in
        SelectionContext(
            user: UserID(name), room: RoomID(name), hostProduct: name, appVersion: name)
    }
}
