public import RejoinLayout

/// What a kind of content that a cell can show must keep: see ``ChatMessageContentable``.
public enum ContentContract {
    /// The checks of one kind of content.
    ///
    /// - Parameters:
    ///   - makeKind: a fresh one.
    ///   - makeContainer: a fresh container for its view.
    ///   - platform: the platform's views.
    ///   - with: data that has something of this kind, and other data that has something else.
    ///   - without: data that has nothing of it.
    @MainActor
    public static func checks<Kind: ChatMessageContentable, Data: Sendable>(
        _ makeKind: @escaping @MainActor @Sendable () -> Kind,
        makeContainer: @escaping @MainActor @Sendable () -> Kind.View,
        platform: @escaping @MainActor @Sendable () -> any ContentPlatform<Kind.View>,
        with: (Data, Data), without: Data
    ) -> [ContractCheck] where Kind.Data == Data {
        [
            ContractCheck("content.follows-from-data", promise: "section 8") {
                try await MainActor.run {
                    let (first, again) = (makeKind(), makeKind())
                    try require(
                        first.content(of: without) == nil, "content.follows-from-data",
                        expected: "no content where the data has none", got: "some",
                        whoIsHurt: "people, who see an empty part in every message")
                    for data in [with.0, with.1] {
                        try require(
                            first.content(of: data) != nil
                                && first.content(of: data) == again.content(of: data),
                            "content.follows-from-data",
                            expected: "content, the same from every instance", got: "other content",
                            whoIsHurt: "scrolling, which updates views that show the same")
                    }
                    try require(
                        first.content(of: with.0) != first.content(of: with.1),
                        "content.follows-from-data",
                        expected: "other content where what is shown differs", got: "equal content",
                        whoIsHurt: "people, who see an old text in a cell that is used again")
                }
            },
            ContractCheck("content.views-are-their-own", promise: "section 8") {
                try await MainActor.run {
                    let kind = makeKind()
                    try require(
                        kind.makeView() !== kind.makeView(), "content.views-are-their-own",
                        expected: "a new view from each call", got: "the same view twice",
                        whoIsHurt: "cells, which take the view from each other")
                }
            },
            ContractCheck("content.is-made-once", promise: "section 8") {
                try await MainActor.run {
                    let container = makeContainer()
                    let host = ContentHost<Kind.View, Data>(
                        container: container, platform: platform(), kinds: [makeKind()])
                    host.apply(without)
                    let early = host.viewCount
                    for data in [with.0, without, with.1, with.0] { host.apply(data) }
                    try require(
                        [early, host.viewCount], equals: [0, 1], "content.is-made-once",
                        whoIsHurt: "scrolling, which pays for views that nobody sees")
                    withExtendedLifetime(container) {}
                }
            },
        ]
    }
}
