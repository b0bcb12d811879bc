import Foundation
import RejoinChat

/// What was asked for.
struct ConformanceOptions {
    let server: URL
    let socket: String
    let token: String
    let secondToken: String?
    let outsiderToken: String?
    let expiredToken: String?
    let room: RoomID?
    let patience: Duration
    let only: String

    init(_ arguments: inout Arguments) throws {
        let address = try arguments.option("--server")
        func token(_ name: String) throws(CommandError) -> String? {
            let variable =
                "REJOIN_" + name.dropFirst(2).uppercased().replacing("-", with: "_")
            return try arguments.option(name) ?? ProcessInfo.processInfo.environment[variable]
        }
        let first = try token("--token")
        secondToken = try token("--second-token")
        outsiderToken = try token("--outsider-token")
        expiredToken = try token("--expired-token")
        room = try arguments.option("--room").map { RoomID($0) }
        let path = try arguments.option("--socket") ?? "/ws"
        patience = .seconds(try arguments.integer("--patience", in: 1...600) ?? 5)
        only = try arguments.option("--only") ?? ""
        try arguments.finish()

        guard let address else {
            throw CommandError.usage("--server URL says which backend is checked")
        }
        guard let url = URL(string: address), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host != nil
        else {
            throw CommandError.usage(
                "--server must be an http: or https: URL with a host, not '\(address)'")
        }
        guard let first, !first.isEmpty else {
            throw CommandError.usage(
                "no token: give --token TOKEN, or set REJOIN_TOKEN, for a member of the room")
        }
        guard path.hasPrefix("/") else {
            throw CommandError.usage("--socket must be a path such as /ws, not '\(path)'")
        }
        server = url
        self.token = first
        var endpoint = URLComponents(url: url, resolvingAgainstBaseURL: true)
        endpoint?.scheme = scheme == "https" ? "wss" : "ws"
        endpoint?.path = path
        socket = endpoint?.string ?? ""
    }
}
