extension WebSocketError {
    /// What the end of a socket says against the SUBSCRIBEs that were pending.
    var evidence: SubscriptionRegistry.Evidence {
        switch closeCode {
        // Going away, service restart, try again later: the server speaks of itself.
        case 1001?, 1012?, 1013?: .none
        // No closing handshake: a broken network, or a server that crashed.
        case 1006?, nil: .weak
        case _?: .strong
        }
    }
}

extension StompVersion {
    /// The WebSocket subprotocol of this version, such as `v12.stomp`.
    var subprotocol: String { "v\(rawValue).stomp" }
}
