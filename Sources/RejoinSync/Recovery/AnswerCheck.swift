internal import RejoinModel

/// What a recovery demands of an answer before it believes it. What a server does wrong is a
/// failure like any other: nothing of it is taken, and it is asked again after a while.
enum AnswerCheck {
    /// Why a page cannot be believed; `nil` where it can.
    ///
    /// - Parameter floor: the revision that was known when the page was asked for; `nil` where the
    ///   backend has none or none is known.
    static func failure(
        in page: HistoryPage, to anchor: HistoryAnchor, hasRevisions: Bool, floor: Revision?
    ) -> BackendFailure? {
        for (left, right) in zip(page.messages, page.messages.dropFirst()) where left.id >= right.id
        {
            return malformed("message \(right.id) follows \(left.id); a page must ascend")
        }
        if let failure = bounds(of: page) ?? progress(of: page, to: anchor) { return failure }
        guard hasRevisions else { return nil }
        guard let revision = page.revision else {
            return malformed("a page without a revision, from a backend that states revisions")
        }
        if let floor, revision < floor {
            return behind("a page as of revision \(revision), where \(floor) was known before")
        }
        return nil
    }

    /// Why a page of the change feed cannot be believed; `nil` where it can.
    static func failure(in page: ChangePage, after: Revision) -> BackendFailure? {
        guard page.revision >= after else {
            return behind("changes up to \(page.revision), asked for those after \(after)")
        }
        if page.hasMore, page.revision == after {
            return malformed("more changes follow \(after), but none came")
        }
        var last = after
        for message in page.messages {
            guard let revision = message.revision, revision > last, revision <= page.revision
            else {
                return malformed(
                    "message \(message.id) does not ascend by revision in (\(after), \(page.revision)]"
                )
            }
            last = revision
        }
        return nil
    }

    /// The failure of an answer of another kind than the request's.
    static func wrongKind(_ request: HistoryRequest) -> BackendFailure {
        malformed("an answer of another kind than its request")
    }

    /// The failure of a feed that ends below what the stream has shown.
    static func feedBehindStream(_ revision: Revision, _ seen: Revision) -> BackendFailure {
        behind("the change feed ends at \(revision), the stream has shown \(seen)")
    }

    private static func bounds(of page: HistoryPage) -> BackendFailure? {
        guard let through = page.through else {
            return page.messages.isEmpty
                ? nil : malformed("a page with messages states no upper bound (`through`)")
        }
        if let from = page.from, from > through {
            return malformed("the bounds (\(from), \(through)] are reversed")
        }
        if let last = page.messages.last, last.id > through {
            return malformed("message \(last.id) lies above the bound \(through)")
        }
        if let first = page.messages.first, let from = page.from, first.id <= from {
            return malformed("message \(first.id) does not lie above the bound \(from)")
        }
        return nil
    }

    /// A server that says that more follows, but never brings it, must not be asked in a loop.
    private static func progress(
        of page: HistoryPage, to anchor: HistoryAnchor
    ) -> BackendFailure? {
        switch anchor {
        case .newest:
            return page.hasAfter ? malformed("more follows the newest page") : nil
        case .after(let bound):
            guard page.hasAfter else { return nil }
            guard let through = page.through, bound.map({ through > $0 }) ?? true else {
                return malformed("more follows \(describe(bound)), but nothing came")
            }
            return nil
        case .before(let bound):
            if let last = page.messages.last, last.id >= bound {
                return malformed("message \(last.id) does not lie before \(bound)")
            }
            if page.messages.isEmpty, page.hasBefore {
                return malformed("more precedes \(bound), but nothing came")
            }
            return nil
        case .around:
            return nil
        }
    }

    private static func describe(_ bound: MessageID?) -> String {
        bound.map(\.description) ?? "the beginning"
    }

    private static func malformed(_ text: String) -> BackendFailure {
        BackendFailure(.malformedAnswer, "\(text); nothing of it was taken")
    }

    private static func behind(_ text: String) -> BackendFailure {
        BackendFailure(
            .serverError, "the server answered from the past: \(text); asked again later")
    }
}
