import Synchronization

/// Hands each element to every consumer, each with a mailbox of its own, so that a slow one holds
/// up neither the source nor the others.
///
/// The first consumer finds everything from the beginning; each later one finds the latest state
/// and what follows.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var mailboxes: [(id: Int, mailbox: Mailbox<Element>)]
        var issued = 1
        /// The first mailbox waits for its consumer.
        var isFirstFree = true
        var latestState: Element?
        var isFinished = false
    }

    private let capacity: Int
    private let overflowed: @Sendable (Int) -> Element
    private let state: Mutex<State>

    package init(
        capacity: Int, initial: Element? = nil,
        overflowed: @escaping @Sendable (Int) -> Element
    ) {
        self.capacity = capacity
        self.overflowed = overflowed
        let first = Mailbox<Element>(capacity: capacity, overflowed: overflowed)
        if let initial { first.put(initial, isState: true) }
        state = Mutex(State(mailboxes: [(0, first)], latestState: initial))
    }

    package func send(_ element: Element, isState: Bool = false) {
        let mailboxes = state.withLock { state in
            if isState { state.latestState = element }
            return state.mailboxes
        }
        for (_, mailbox) in mailboxes { mailbox.put(element, isState: isState) }
    }

    package func finish() {
        let mailboxes = state.withLock { state in
            state.isFinished = true
            return state.mailboxes
        }
        for (_, mailbox) in mailboxes { mailbox.finish() }
    }

    package func makeConsumer() -> Consumer {
        state.withLock { state in
            if state.isFirstFree, let first = state.mailboxes.first {
                state.isFirstFree = false
                return Consumer(id: first.id, mailbox: first.mailbox, broadcast: self)
            }
            let mailbox = Mailbox<Element>(capacity: capacity, overflowed: overflowed)
            if let latest = state.latestState { mailbox.put(latest, isState: true) }
            if state.isFinished { mailbox.finish() }
            let id = state.issued
            state.issued += 1
            state.mailboxes.append((id, mailbox))
            return Consumer(id: id, mailbox: mailbox, broadcast: self)
        }
    }

    private func remove(_ id: Int) {
        state.withLock { $0.mailboxes.removeAll { $0.id == id } }
    }

    /// A consumer's hold on its mailbox: letting go of it ends the consumption.
    package final class Consumer: Sendable {
        private let id: Int
        private let mailbox: Mailbox<Element>
        private let broadcast: Broadcast<Element>

        fileprivate init(id: Int, mailbox: Mailbox<Element>, broadcast: Broadcast<Element>) {
            self.id = id
            self.mailbox = mailbox
            self.broadcast = broadcast
        }

        deinit { broadcast.remove(id) }

        package func next() async -> Element? { await mailbox.next() }
    }
}
