import RejoinTransport

/// The errors that a connection's own life can end in. Each says what happened and what to do.
extension WebSocketError {
    static let endedWhileOpening = WebSocketError(
        .unreachable,
        "The connection ended before the upgrade was answered. Check that a WebSocket server "
            + "listens at this address, then try again.")

    static let cancelledByCaller = WebSocketError(
        .cancelled, "The task that waited was cancelled.")

    static let abandonedLocally = WebSocketError(
        .closed, "This side dropped the connection. Open a new one.")

    static let closedLocally = WebSocketError(
        .closed, "This side has closed the connection. Open a new one.")

    static let notOpenYet = WebSocketError(
        .invalidRequest, "The connection is still being opened. Wait for it first.")

    static let secondReader = WebSocketError(
        .invalidRequest, "Another receive is waiting. Read by one task at a time.")

    static let lost = WebSocketError(
        .closed, "The connection ended without a closing handshake. Open a new one.",
        closeCode: CloseCode.abnormal)

    static let invalidText = WebSocketError(
        .protocolViolation,
        "The peer sent a TEXT message that is not valid UTF-8; the connection was closed with "
            + "code 1007. Have the server send such data as BINARY.")

    static func closedByPeer(_ code: UInt16, _ reason: String) -> WebSocketError {
        WebSocketError(
            .closed, "The peer closed the connection with code \(code).", closeCode: code,
            closeReason: reason)
    }

    static func tooLarge(maximum: Int) -> WebSocketError {
        WebSocketError(
            .messageTooLarge,
            "The peer sent a message of more than \(maximum) bytes; the connection was closed "
                + "with code 1009. Raise maximumMessageBytes or have the server send less.")
    }

    static let timedOutOpening = WebSocketError(
        .timedOut, "Opening the connection took longer than the request allows. Try again later.")

    static let unreachable = WebSocketError(
        .unreachable,
        "The server did not take the connection. Check the URL, the network and that the server "
            + "runs.")

    static let libraryUnavailable = WebSocketError(
        .unreachable,
        "libwebsockets could not be started, or is being stopped. Check the process' limits for "
            + "memory and open files.")

    static let subprotocolMismatch = WebSocketError(
        .subprotocolMismatch,
        "The server chose a subprotocol that was not offered. Offer one that it speaks.")
}
