public import RejoinModel

extension Outbox {
    /// The sends to be shown after all sent messages (promise P3), in the order in which they will
    /// go, with the edits that wait for them. Cancelled ones are not shown.
    ///
    /// - Complexity: O(items).
    public var unsent: [UnsentMessage] {
        var edits: [ClientMessageID: [ContentBlock]] = [:]
        for id in order {
            guard case .edit(.local(let target), let content)? = entries[id]?.item.work else {
                continue
            }
            edits[target] = content
        }
        return order.compactMap { id in
            guard let item = entries[id]?.item, case .send(let content) = item.work,
                !item.isCancelled
            else { return nil }
            return UnsentMessage(
                clientID: id, content: edits[id] ?? content, state: shownState(of: item),
                queuedAt: item.queuedAt)
        }
    }

    private func shownState(of item: OutboxItem) -> UnsentMessage.State {
        switch item.state {
        case .waiting: leaving == item.id ? .sending : .queued
        case .accepted: .accepted
        case .outcomeUnknown: .sending
        case .unconfirmed: .unconfirmed
        case .failed(let failure): .failed(failure)
        }
    }

    /// The changes of sent messages that the server does not show yet, in the order in which they
    /// are to be applied to what it shows. Failed ones are left out: what they changed is shown as
    /// the server has it.
    ///
    /// - Complexity: O(items).
    public var overlay: [PendingChange] {
        order.compactMap { id in
            guard let item = entries[id]?.item, case .sent(let target) = item.work.target,
                isPending(item.state)
            else { return nil }
            return PendingChange(id: id, target: target, work: item.work)
        }
    }

    /// The changes of sent messages that failed or whose fate is unknown, in the queue's order.
    ///
    /// - Complexity: O(items).
    public var failedChanges: [FailedChange] {
        order.compactMap { id in
            guard let item = entries[id]?.item, case .sent(let target) = item.work.target,
                let change = FailedChange.Change(item.work)
            else { return nil }
            let outcome: FailedChange.Outcome
            switch item.state {
            case .waiting, .accepted, .outcomeUnknown: return nil
            case .failed(let failure): outcome = .failed(failure)
            case .unconfirmed: outcome = .unconfirmed
            }
            return FailedChange(id: id, target: target, change: change, outcome: outcome)
        }
    }

    /// All items in the order of the queue, failed changes and cancelled sends included.
    ///
    /// - Complexity: O(items).
    public var items: [OutboxItem] {
        order.compactMap { entries[$0]?.item }
    }

    private func isPending(_ state: OutboxItem.State) -> Bool {
        switch state {
        case .waiting, .accepted, .outcomeUnknown: true
        case .unconfirmed, .failed: false
        }
    }
}

extension FailedChange.Change {
    /// `nil` for a send.
    fileprivate init?(_ work: OutboxWork) {
        switch work {
        case .send: return nil
        case .edit(_, let content): self = .edit(content)
        case .delete: self = .delete
        case .react(_, let emoji, let isPut): self = .reaction(emoji: emoji, isPut)
        }
    }
}

/// A change of a sent message, shown before the server has it.
public struct PendingChange: Hashable, Sendable, Identifiable {
    /// The item that carries it.
    public let id: ClientMessageID
    /// The message.
    public let target: MessageID
    /// The edit, deletion or reaction.
    public let work: OutboxWork

    /// Creates a pending change.
    public init(id: ClientMessageID, target: MessageID, work: OutboxWork) {
        self.id = id
        self.target = target
        self.work = work
    }

    /// The message as it will be once the server has the change.
    ///
    /// - Complexity: O(reactions).
    public func applied(to message: Message, by user: UserID) -> Message {
        guard message.id == target, !message.isDeleted else { return message }
        var changed = message
        switch work {
        case .send:
            break
        case .edit(_, let content):
            changed.content = content
        case .delete:
            changed.content = []
            changed.reactions = []
            changed.isDeleted = true
        case .react(_, let emoji, let isPut):
            changed.react(with: emoji, isPut, by: user)
        }
        return changed
    }
}

extension Message {
    fileprivate mutating func react(with emoji: String, _ isPut: Bool, by user: UserID) {
        let place = reactions.firstIndex { $0.emoji.utf8.elementsEqual(emoji.utf8) }
        switch (place, isPut) {
        case (let place?, true):
            if !reactions[place].users.contains(user) { reactions[place].users.append(user) }
        case (nil, true):
            reactions.append(Reaction(emoji: emoji, users: [user]))
        case (let place?, false):
            reactions[place].users.removeAll { $0 == user }
            if reactions[place].users.isEmpty { reactions.remove(at: place) }
        case (nil, false):
            break
        }
    }
}
