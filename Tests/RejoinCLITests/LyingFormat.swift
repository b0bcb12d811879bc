#if os(Linux)
import Foundation
import RejoinModel
import RejoinTime
import RejoinWire
import Synchronization

/// The reference format as a backend would have it that declares everything and breaks one rule:
/// around the reference server it makes a fake backend over real sockets.
final class LyingFormat: ServerWireFormat {
    /// The rule that is broken.
    enum Lie: String, CaseIterable {
        /// Each fifth message becomes visible only after a later one was shown.
        case commitsOutOfOrder
        /// Only the newest messages are served, and no horizon says so.
        case trims
        /// A message is left out of a page.
        case dropsMessage
        /// An event is not delivered.
        case dropsEvent
        /// A repeated client ID makes another message.
        case doubles
        /// A read position goes where the last report wants it.
        case movesReadMarksBack
        /// Once it has stored a message of the checks it has no time for anybody any more.
        case goesSilent
    }

    let lie: Lie
    private let base = ReferenceFormat()
    private let known = Mutex<Set<ClientMessageID>>([])
    private let events = Mutex(0)
    private let newestShown = Mutex(MessageID(0))
    private let isSilent = Mutex(false)

    init(_ lie: Lie) { self.lie = lie }

    func encode(_ answer: BackendAnswer, to call: BackendCall) -> HTTPResponse {
        base.encode(told(answer, to: call), to: call)
    }

    private func told(_ answer: BackendAnswer, to call: BackendCall) -> BackendAnswer {
        switch (lie, answer, call) {
        case (.commitsOutOfOrder, .history(var page), _):
            newestShown.withLock { newest in
                page.messages.removeAll { $0.id.rawValue.isMultiple(of: 5) && $0.id >= newest }
                newest = max(newest, page.messages.last?.id ?? newest)
            }
            return .history(page)
        case (.trims, .history(var page), .history(_, .after, _)):
            // IDs count up from 1 over all rooms, so this is an age.
            guard let tip = page.tip, tip.rawValue > 45 else { return answer }
            page.messages.removeAll { $0.id.rawValue < tip.rawValue - 45 }
            return .history(page)
        case (.dropsMessage, .history(var page), .history(_, .after, _)):
            if page.messages.count == 5 { page.messages.remove(at: 2) }
            return .history(page)
        case (.movesReadMarksBack, .read(var read), .markRead(_, let mark)):
            if mark < read.mark, mark.version == read.mark.version { read.mark = mark }
            return .read(read)
        default:
            return answer
        }
    }

    func decode(_ request: HTTPRequest) throws(BackendFailure) -> BackendCall {
        let call = try base.decode(request)
        if lie == .goesSilent { try refuseOnceSilent(call) }
        guard lie == .doubles, case .send(let room, let draft) = call,
            !known.withLock({ $0.insert(draft.clientID).inserted })
        else { return call }
        return .send(
            room, MessageDraft(clientID: ClientMessageID(UUID()), content: draft.content))
    }

    private func refuseOnceSilent(_ call: BackendCall) throws(BackendFailure) {
        guard !isSilent.withLock(\.self) else {
            throw BackendFailure(.rateLimited, "no time", retryAfter: .zero)
        }
        // The first message is the one by which the program learns who it is.
        guard case .send = call else { return }
        let number = events.withLock { count in
            count += 1
            return count
        }
        if number > 1 { isSilent.withLock { $0 = true } }
    }

    func encode(_ event: RoomEvent) -> ContiguousArray<UInt8> {
        let number = events.withLock { count in
            count += 1
            return count
        }
        guard lie == .dropsEvent, number.isMultiple(of: 9) else { return base.encode(event) }
        return base.encode(RoomEvent(room: event.room, kind: .unknown(type: "nothing")))
    }
}
#endif
