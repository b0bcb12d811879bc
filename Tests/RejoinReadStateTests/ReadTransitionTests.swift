import RejoinContracts
import RejoinModel
import RejoinReadState
import RejoinTime
import Testing

@Suite("Every state of the read core against every input")
struct ReadTransitionTests {
    /// A state, and the way into it.
    struct Situation: Sendable {
        let name: String
        let enter: @Sendable (inout ReadRig) -> Void

        init(_ name: String, _ enter: @escaping @Sendable (inout ReadRig) -> Void) {
            self.name = name
            self.enter = enter
        }
    }

    /// An input that means the same in each situation: tokens are those of the situation.
    struct Step: Sendable {
        let name: String
        let input: @Sendable (ReadRig) -> ReadSyncInput

        init(_ name: String, _ input: @escaping @Sendable (ReadRig) -> ReadSyncInput) {
            self.name = name
            self.input = input
        }
    }

    static let situations: [Situation] = [
        Situation("idle") { _ in },
        Situation("idle, inactive") { $0.give(.deactivated) },
        Situation("gathering") { $0.see(6...8) },
        Situation("in flight") {
            $0.see(6...8)
            $0.passTimer()
        },
        Situation("in flight, and more read since") {
            $0.see(6...8)
            $0.passTimer()
            $0.see(6...10)
        },
        Situation("waiting") {
            $0.see(6...8)
            $0.passTimer()
            $0.fail(.unreachable)
        },
        Situation("waiting as the server asked") {
            $0.see(6...8)
            $0.passTimer()
            $0.fail(.rateLimited, retryAfter: .seconds(500))
        },
        Situation("held") {
            $0.see(6...8)
            $0.passTimer()
            $0.fail(.forbidden)
        },
        Situation("mark-unread gathering") { $0.give(.markUnread(from: MessageID(3))) },
        Situation("mark-unread in flight") {
            $0.give(.markUnread(from: MessageID(3)))
            $0.passTimer()
        },
        Situation("asking") {
            $0.give(.markUnread(from: MessageID(3)))
            $0.passTimer()
            $0.fail(.conflict)
        },
        Situation("store failing") {
            $0.storesAtOnce = false
            $0.see(6...8)
            $0.give(.commitFailed($0.commits.removeFirst().id))
        },
        Situation("closed, in flight") {
            $0.see(6...8)
            $0.give(.closed)
        },
        Situation("closed") { $0.give(.closed) },
    ]

    static let steps: [Step] = personSteps + serverSteps + failureSteps + storeSteps + timerSteps

    static let personSteps: [Step] = [
        Step("activated") { _ in .activated },
        Step("deactivated") { _ in .deactivated },
        Step("closed") { _ in .closed },
        Step("reconnected") { _ in .reconnected },
        Step("timeline grows") { _ in .timeline(.held(1...25)) },
        Step("visible 6...12") {
            $0.sync.visibilityToken.map { .visible($0, MessageID(6)...MessageID(12)) }
                ?? .remote([])
        },
        Step("mark read 15") { _ in .markRead(through: MessageID(15)) },
        Step("mark unread 2") { _ in .markUnread(from: MessageID(2)) },
    ]

    static let serverSteps: [Step] = [
        Step("remote 9") { _ in .remote([.at(9)]) },
        Step("remote v1 2") { _ in .remote([.at(2, version: 1)]) },
        Step("remote v2 4") { _ in .remote([.at(4, version: 2)]) },
        Step("recount 7") { _ in .recount([.deleted(MessageID(7))]) },
        Step("summary 5") { _ in .summary(.of(.at(5), unread: 15, asOf: 20)) },
        Step("summary missed") { _ in .summaryMissed },
        Step("summary v1 4") { _ in .summary(.of(.at(4, version: 1), unread: 16, asOf: 20)) },
        Step("reported: as asked") {
            .reported(
                $0.report,
                .success(
                    ReadAnswer(
                        mark: $0.reports.first?.mark ?? .at(5), unread: 1,
                        unreadAsOf: MessageID(20))))
        },
        Step("reported: further") {
            .reported(
                $0.report,
                .success(ReadAnswer(mark: .at(18), unread: 2, unreadAsOf: MessageID(20))))
        },
        Step("reported: stale") { _ in
            .reported(ReadSync.AttemptID(99), .failure(BackendFailure(.rejected, "no")))
        },
    ]

    static let failureSteps: [Step] = [
        BackendFailure.Code.unreachable, .outcomeUnknown, .serverError, .rateLimited, .tokenExpired,
        .tokenInvalid, .forbidden, .notFound, .conflict, .rejected, .malformedAnswer, .cancelled,
    ].map { code in
        Step("reported: \(code.rawValue)") {
            .reported($0.report, .failure(BackendFailure(code, "no")))
        }
    }

    static let storeSteps: [Step] = [
        Step("committed") { .committed($0.commits.first?.id ?? ReadCommit.ID(99)) },
        Step("commit failed") { .commitFailed($0.commits.first?.id ?? ReadCommit.ID(99)) },
    ]

    static let timerSteps: [Step] = ReadSyncTimer.allCases.map { timer in
        Step("timer \(timer)") { _ in .timer(timer) }
    }

    @Test("The transition table is the committed one; REJOIN_RECORD=1 writes it anew")
    func table() throws {
        var lines: [String] = []
        for situation in Self.situations {
            var entered = ReadRig.reading()
            situation.enter(&entered)
            entered.storesAtOnce = false
            let before = describe(entered.sync)
            lines.append("== \(situation.name): \(before)")
            var ignored: [String] = []
            for step in Self.steps {
                var rig = entered
                // Timers are due.
                rig.pass(.seconds(100))
                let effects = rig.give(step.input(rig))
                let after = describe(rig.sync)
                if after == before, effects.isEmpty {
                    ignored.append(step.name)
                } else {
                    lines.append("\(step.name) -> \(after) | \(describe(effects))")
                }
            }
            lines.append("neither shown nor acted on: " + ignored.joined(separator: "; "))
            lines.append("")
        }
        let difference = try TextSnapshot.difference(
            of: lines.joined(separator: "\n"), from: "ReadSync.transitions.txt",
            testFile: #filePath)
        #expect(difference == nil)
    }
}

extension ReadRig {
    /// The report under way.
    var report: ReadSync.AttemptID { reports.first?.id ?? ReadSync.AttemptID(99) }
}

private func describe(_ sync: ReadSync) -> String {
    let unread = (sync.unread.isExact ? "" : "at least ") + "\(sync.unread.value)"
    let settled = sync.isSettled ? ", settled" : ""
    let token = sync.visibilityToken == nil ? "" : ", token"
    return "[\(describe(sync.mark)), unread \(unread)\(token)\(settled)]"
}

private func describe(_ mark: ReadMark) -> String {
    "v\(mark.version) " + (mark.position.map { "\($0)" } ?? "none")
}

private func describe(_ effects: [ReadSyncEffect]) -> String {
    effects.map(describe).joined(separator: ", ")
}

private func describe(_ effect: ReadSyncEffect) -> String {
    switch effect {
    case .commit(let commit):
        "commit \(commit.id.rawValue) (\(describe(commit.record.mark)), "
            + "known \(describe(commit.record.acknowledged))"
            + (commit.record.pendingUnread.map { ", pending \(describe($0))" } ?? "") + ")"
    case .report(let id, let mark, let unread):
        "report \(id.rawValue) \(unread ? "unread " : "")(\(describe(mark)))"
    case .abandon(let id): "abandon \(id.rawValue)"
    case .fetchSummary: "fetch-summary"
    case .publish: "publish"
    case .setTimer(let timer, let due): "set \(timer) \(due.nanoseconds / 1_000_000_000)s"
    case .cancelTimer(let timer): "cancel \(timer)"
    }
}
