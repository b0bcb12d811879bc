import Foundation
import RejoinChat

/// What was asked for.
struct ConformanceOptions {
    let server: URL
    let socket: String
    let token: GivenToken
    let secondToken: GivenToken?
    let outsiderToken: GivenToken?
    let expiredToken: GivenToken?
    let room: RoomID?
    let patience: Duration
    let only: String

    init(_ arguments: inout Arguments) throws {
        let address = try arguments.option("--server")
        let first = try GivenToken.take("--token", from: &arguments)
        secondToken = try GivenToken.take("--second-token", from: &arguments)
        outsiderToken = try GivenToken.take("--outsider-token", from: &arguments)
        expiredToken = try GivenToken.take("--expired-token", from: &arguments)
        room = try arguments.option("--room").map { RoomID($0) }
        let path = try arguments.option("--socket") ?? "/ws"
        patience = .seconds(try arguments.integer("--patience", in: 1...600) ?? 5)
        only = try arguments.option("--only") ?? ""
        try arguments.finish()

        guard let address else {
            throw CommandError.usage("--server URL says which backend is checked")
        }
        let server = try ServerAddress(address)
        guard let first, !first.text.isEmpty else {
            throw CommandError.usage(
                "no token: give --token TOKEN, or set REJOIN_TOKEN, for a member of the room")
        }
        guard path.hasPrefix("/") else {
            throw CommandError.usage("--socket must be a path such as /ws, not '\(path)'")
        }
        self.server = server.origin
        token = first
        socket = server.socket(at: path)
    }
}
