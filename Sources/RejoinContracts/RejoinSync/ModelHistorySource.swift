public import RejoinModel
public import RejoinSync

/// A history over a ``ModelRoom``.
public actor ModelHistorySource: HistorySourceBench, HistorySource {
    public nonisolated let room: RoomID
    public nonisolated let capabilities: BackendCapabilities
    private var model: ModelRoom

    /// Creates an empty room.
    public init(
        room: RoomID = RoomID("room"), capabilities: BackendCapabilities = BackendCapabilities(),
        statesTightBounds: Bool = false
    ) {
        self.room = room
        self.capabilities = capabilities
        model = ModelRoom(
            id: room, capabilities: capabilities, statesTightBounds: statesTightBounds)
    }

    public nonisolated var source: any HistorySource { self }

    public func write(_ text: String) -> MessageID {
        _ = model.create(author: UserID("somebody"), text: text)
        return model.messages[model.messages.count - 1].id
    }

    public func edit(_ id: MessageID, _ text: String) {
        _ = model.edit(id, text: text)
    }

    public func answer(
        _ request: HistoryRequest, in room: RoomID
    ) throws(BackendFailure) -> HistoryAnswer {
        guard room == self.room else { throw BackendFailure(.notFound, "There is no such room.") }
        return try model.answer(request)
    }
}
