import RejoinContracts
import RejoinModel
import RejoinSync

extension BrokenFake {
    static let histories: [BrokenFake] = [
        pages("says that an empty room has a past", foundBy: "history.empty-room") { _, _, page in
            if page.tip == nil { page.hasBefore = true }
        },
        history(
            "gives the oldest page for the newest", foundBy: "history.newest-is-the-tip",
            also: ["history.pages-touch-backwards"]
        ) { (request, base) async throws(BackendFailure) in
            guard case .page(.newest, let limit) = request else { return try await base(request) }
            return try await base(.page(.after(nil), limit: limit))
        },
        pages("claims all up to the tip", foundBy: "history.states-what-it-proves") {
            anchor, _, page in
            if case .around = anchor { page.through = page.tip }
        },
        history(
            "takes bounds as inclusive", foundBy: "history.bounds-are-exclusive",
            also: ["history.nothing-follows-the-tip", "history.anchor-need-not-exist"]
        ) { (request, base) async throws(BackendFailure) in
            guard case .page(.after(let bound?), let limit) = request else {
                return try await base(request)
            }
            return try await base(
                .page(.after(MessageID(bound.rawValue - 1)), limit: limit))
        },
        pages("leaves holes between pages", foundBy: "history.pages-touch-forwards") {
            anchor, limit, page in
            if case .after = anchor, limit == 3 { page.from = page.messages.first?.id }
        },
        pages("leaves holes between older pages", foundBy: "history.pages-touch-backwards") {
            anchor, limit, page in
            if case .before = anchor, limit == 3 { page.from = page.messages.first?.id }
        },
        pages(
            "leaves out the message in the middle", foundBy: "history.around-includes-it",
            also: ["history.states-what-it-proves"]
        ) { anchor, _, page in
            if case .around(let id) = anchor { page.messages.removeAll { $0.id == id } }
        },
        history("wants an anchor that exists", foundBy: "history.anchor-need-not-exist") {
            (request, base) async throws(BackendFailure) in
            guard case .page(.after(let bound?), _) = request,
                !bound.rawValue.isMultiple(of: 10)
            else { return try await base(request) }
            throw BackendFailure(.notFound, "there is no message \(bound)")
        },
        pages(
            "promises more beyond the tip", foundBy: "history.nothing-follows-the-tip",
            also: ["history.pages-touch-forwards"]
        ) { _, _, page in
            if page.messages.isEmpty, page.tip != nil { page.hasAfter = true }
        },
        pages("serves messages as they were", foundBy: "history.shows-the-latest-state") {
            _, _, page in
            for index in page.messages.indices where page.messages[index].editedAt != nil {
                page.messages[index].content = [.text("as it was")]
            }
        },
        BrokenFake("answers for any room", foundBy: "history.other-room-is-refused") {
            historySourceChecks {
                BrokenHistory(anyRoom: true) { (request, base) async throws(BackendFailure) in
                    try await base(request)
                }
            }
        },
        changes("leaves edits out of its feed", foundBy: "changes.bring-everything") { page in
            page.messages.removeAll { $0.editedAt != nil }
        },
        changes("counts one revision too many", foundBy: "changes.end-at-the-revision") { page in
            if !page.hasMore { page.revision = page.revision.next }
        },
        history("goes on from any revision", foundBy: "changes.of-the-future-are-gone") {
            (request, base) async throws(BackendFailure) in
            do throws(BackendFailure) {
                return try await base(request)
            } catch {
                guard case .changes(let after, _) = request else { throw error }
                return .changes(ChangePage(messages: [], revision: after, hasMore: false))
            }
        },
    ]

    private static func history(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ answer: @escaping BrokenHistory.Answer
    ) -> BrokenFake {
        BrokenFake(name, foundBy: check, also: also) {
            historySourceChecks { BrokenHistory(answer) }
        }
    }

    private static func pages(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ change: @escaping @Sendable (HistoryAnchor, Int, inout HistoryPage) -> Void
    ) -> BrokenFake {
        history(name, foundBy: check, also: also) {
            (request, base) async throws(BackendFailure) in
            let answer = try await base(request)
            guard case .page(let anchor, let limit) = request, case .page(var page) = answer else {
                return answer
            }
            change(anchor, limit, &page)
            return .page(page)
        }
    }

    private static func changes(
        _ name: String, foundBy check: String,
        _ change: @escaping @Sendable (inout ChangePage) -> Void
    ) -> BrokenFake {
        history(name, foundBy: check) { (request, base) async throws(BackendFailure) in
            let answer = try await base(request)
            guard case .changes(var page) = answer else { return answer }
            change(&page)
            return .changes(page)
        }
    }
}

/// The model's history with one rule broken.
private struct BrokenHistory: HistorySourceBench, HistorySource {
    typealias Base =
        @Sendable (HistoryRequest) async throws(BackendFailure) -> HistoryAnswer
    typealias Answer =
        @Sendable (HistoryRequest, Base) async throws(BackendFailure) -> HistoryAnswer

    private let base = ModelHistorySource()
    private let anyRoom: Bool
    private let answer: Answer

    init(anyRoom: Bool = false, _ answer: @escaping Answer) {
        self.anyRoom = anyRoom
        self.answer = answer
    }

    var source: any HistorySource { self }
    var room: RoomID { base.room }
    var capabilities: BackendCapabilities { base.capabilities }

    func write(_ text: String) async throws -> MessageID { await base.write(text) }
    func edit(_ id: MessageID, _ text: String) async throws { await base.edit(id, text) }

    func answer(
        _ request: HistoryRequest, in room: RoomID
    ) async throws(BackendFailure) -> HistoryAnswer {
        let target = anyRoom ? self.room : room
        return try await answer(request) { (request) async throws(BackendFailure) in
            try await base.answer(request, in: target)
        }
    }
}
