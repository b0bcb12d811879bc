public import RejoinModel
internal import RejoinPipeline
public import RejoinReadState
public import RejoinSync
internal import RejoinTransport

/// One open room, as a host uses it.
public struct ChatRoom: Sendable {
    /// The room.
    public let id: RoomID
    let client: ChatClient
    let hub: Broadcast<RoomSnapshot>

    /// The room's states, each with the change set that leads to it; for any number of consumers.
    public var updates: RoomUpdates { RoomUpdates(hub: hub) }

    /// The room's present state; `nil` once it is closed.
    public var snapshot: RoomSnapshot? {
        get async { await client.read(id) { $0.snapshot } }
    }

    // MARK: Sending

    /// Sends a message: its echo is shown at once, and it survives the connection.
    ///
    /// Returns when the store has it; from then on it reaches the server exactly once (with an
    /// idempotent backend), or is shown as failed or unconfirmed with its reason (promise P5).
    ///
    /// - Throws: ``ChatError``; nothing was sent then.
    @discardableResult
    public func send(_ content: [ContentBlock]) async throws(ChatError) -> ClientMessageID {
        try await client.submit(.send(content), in: id)
    }

    /// Sends a text; see ``send(_:)-([ContentBlock])``.
    ///
    /// - Throws: ``ChatError``.
    @discardableResult
    public func send(_ text: String) async throws(ChatError) -> ClientMessageID {
        try await send([.text(text)])
    }

    /// Gives an own message new content. It may be unsent; then its own sending comes first.
    ///
    /// - Throws: ``ChatError``.
    @discardableResult
    public func edit(_ target: OutboxTarget, to content: [ContentBlock]) async throws(ChatError)
        -> ClientMessageID
    {
        try await client.submit(.edit(target, content), in: id)
    }

    /// Gives an own message a new text; see ``edit(_:to:)-(_,[ContentBlock])``.
    ///
    /// - Throws: ``ChatError``.
    @discardableResult
    public func edit(_ target: OutboxTarget, to text: String) async throws(ChatError)
        -> ClientMessageID
    {
        try await edit(target, to: [.text(text)])
    }

    /// Deletes an own message.
    ///
    /// - Throws: ``ChatError``.
    @discardableResult
    public func delete(_ target: OutboxTarget) async throws(ChatError) -> ClientMessageID {
        try await client.submit(.delete(target), in: id)
    }

    /// Puts a reaction, or takes it back.
    ///
    /// - Throws: ``ChatError``.
    @discardableResult
    public func react(_ emoji: String, on isPut: Bool = true, to target: OutboxTarget)
        async throws(ChatError) -> ClientMessageID
    {
        try await client.submit(.react(target, emoji: emoji, isPut), in: id)
    }

    /// Tries a failed or unconfirmed item again, at the end of the queue.
    public func retry(_ item: ClientMessageID) async {
        await client.receive(.retry(item), in: id)
    }

    /// Takes an item back. One that may have left is deleted once it shows up on the server.
    public func cancel(_ item: ClientMessageID) async {
        await client.receive(.cancel(item), in: id)
    }

    /// Gives a failed or unconfirmed item up.
    public func discard(_ item: ClientMessageID) async {
        await client.receive(.discard(item), in: id)
    }

    /// All unsent work of the room, in the order of the queue: edits and reactions that wait, too,
    /// which have no row of their own.
    public var outbox: [OutboxItem] {
        get async { await client.read(id) { $0.outboxItems } ?? [] }
    }

    // MARK: History

    /// Shows the history around a message, fetching what is missing.
    public func load(around message: MessageID) async {
        await client.receive(.load(.around(message)), in: id)
    }

    /// Shows older history than the window does.
    public func loadOlder() async {
        guard let first = await snapshot?.timeline.messages.first?.id else { return }
        await client.receive(.load(.before(first)), in: id)
    }

    /// Shows newer history than the window does.
    public func loadNewer() async {
        guard let last = await snapshot?.timeline.messages.last?.id else { return }
        await client.receive(.load(.after(last)), in: id)
    }

    /// Shows the newest messages.
    public func showNewest() async {
        await client.receive(.load(.newest), in: id)
    }

    /// A gap came near the view: fill it.
    public func fill(_ gap: Gap) async {
        await client.receive(.approach(gap), in: id)
    }

    /// Looks again for anything that may have been missed.
    public func refresh() async {
        await client.receive(.trigger(.manual), in: id)
    }

    // MARK: Reading

    /// The leave to report visible rows; `nil` while the app is in the background or the room is
    /// not on screen. Take a new one after each return.
    public var visibilityToken: VisibilityToken? {
        get async { await client.read(id) { $0.visibilityToken } ?? nil }
    }

    /// Says whether the room is on screen. A room is when it is opened in the foreground.
    public func setOnScreen(_ isOnScreen: Bool) async {
        await client.setOnScreen(isOnScreen, id)
    }

    /// Reports what is on screen: the read position follows it. A token that is void changes
    /// nothing, so that an app in the background reads nothing.
    public func markRead(_ visible: ClosedRange<MessageID>, token: VisibilityToken) async {
        await client.receive(.visible(token, visible), in: id)
    }

    /// Takes everything up to a message as read, gaps included, because the person said so.
    public func markRead(through message: MessageID) async {
        await client.receive(.markRead(through: message), in: id)
    }

    /// Takes a message and all after it as unread, on every device.
    public func markUnread(from message: MessageID) async {
        await client.receive(.markUnread(from: message), in: id)
    }

    /// Where to open the room: the first unread message, else the newest.
    public var openingPosition: OpeningPosition {
        get async { await client.read(id) { $0.openingPosition } ?? .newest }
    }

    /// Closes the room: sends the read position, ends the subscription and the updates. Unsent
    /// messages stay stored and go on when the room is opened again. Returns within
    /// ``ChatConfiguration/suspendTimeout``.
    public func close() async {
        await client.close(id)
    }
}
