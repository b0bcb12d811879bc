import RejoinContracts
import RejoinModel
import RejoinSimulation
import RejoinSync
import RejoinTime
import Testing

/// The simulated server is held to what every backend is held to: a simulator whose server breaks
/// its own promises would accuse the cores.
@Suite("The simulated server keeps the contract of history sources")
struct SimulatedServerContractTests {
    @Test("Wide and tight bounds", arguments: [false, true])
    func history(_ statesTightBounds: Bool) async throws {
        for check in historySourceChecks({ SimulatedHistory(statesTightBounds) }) {
            try await check.run()
        }
    }
}

private actor SimulatedHistory: HistorySourceBench, HistorySource {
    nonisolated let room = RoomID("room")
    nonisolated let capabilities = BackendCapabilities()
    private var server: ServerRoom

    init(_ statesTightBounds: Bool) {
        server = ServerRoom(
            id: RoomID("room"), capabilities: BackendCapabilities(),
            statesTightBounds: statesTightBounds)
    }

    nonisolated var source: any HistorySource { self }

    func write(_ text: String) -> MessageID {
        let drawn = server.draw(
            author: UserID("somebody"), text: text, clientID: nil, step: 3, at: .origin)
        return server.publish(drawn, at: .origin).id
    }

    func edit(_ id: MessageID, _ text: String) {
        _ = server.change(id, at: .origin) { message in
            message.content = [.text(text)]
            return true
        }
    }

    func answer(_ request: HistoryRequest, in room: RoomID) throws(BackendFailure)
        -> HistoryAnswer
    {
        guard room == self.room else { throw BackendFailure(.notFound, "There is no such room.") }
        return try server.answer(request)
    }
}
