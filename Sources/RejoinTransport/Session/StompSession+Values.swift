public import RejoinTime

extension StompSession {
    /// What happens to a session.
    public enum Input: Hashable, Sendable {
        // Wishes about the connection

        /// Connect, and stay connected.
        case start
        /// Say farewell, and do not come back.
        case stop
        /// The app has come to the foreground: whatever is open must prove that it lives.
        case enterForeground
        /// The app has left the foreground: no new attempts. An open connection stays until it
        /// drops.
        case enterBackground
        /// The system's opinion of the network. It can be wrong: an unsatisfied path stops
        /// nothing, a satisfied one hastens.
        case networkPathChanged(isSatisfied: Bool)
        /// The time has come for which a timer was set, or any other time: a spurious wake is
        /// harmless.
        case timePassed

        // Answers, each with its epoch

        /// The provider's credentials.
        case credentialsReady(ConnectionEpoch, StompCredentials)
        /// The provider has none.
        case credentialsFailed(ConnectionEpoch, StompCredentialsFailure)
        /// The upgrade has succeeded.
        case socketOpened(ConnectionEpoch, subprotocol: String?)
        /// The socket could not be opened, or has ended.
        case socketFailed(ConnectionEpoch, WebSocketError)
        /// Bytes of one WebSocket message.
        case received(ConnectionEpoch, ContiguousArray<UInt8>)
        /// A ping was answered.
        case ponged(ConnectionEpoch)
        /// The socket has taken the oldest transmitted message that it had not taken yet.
        case wrote(ConnectionEpoch)

        // Wishes about subscriptions and messages

        /// Want a subscription. A key that is already wanted changes nothing.
        case subscribe(StompSubscriptionKey, StompSubscriptionRequest)
        /// Want it no more. An unknown key changes nothing.
        case unsubscribe(StompSubscriptionKey)
        /// Send a message.
        case send(StompRequestID, StompSend)
        /// Acknowledge a message.
        case acknowledge(StompRequestID, StompAcknowledgement)
        /// Begin a transaction.
        case begin(StompRequestID, StompTransactionID)
        /// Commit it, with a receipt.
        case commit(StompRequestID, StompTransactionID)
        /// Abort it.
        case abort(StompRequestID, StompTransactionID)
    }

    /// What a session asks its shell to do, in order.
    public enum Effect: Hashable, Sendable {
        /// Ask the provider.
        case requestCredentials(ConnectionEpoch, StompCredentialsReason)
        /// Open a socket.
        case open(ConnectionEpoch, WebSocketRequest)
        /// Send one WebSocket message, and answer by ``Input/wrote(_:)``.
        case transmit(ConnectionEpoch, WebSocketMessage)
        /// Send a ping, and answer its pong by ``Input/ponged(_:)``.
        case ping(ConnectionEpoch)
        /// Close in good order, without waiting for anything: the session is done with this epoch.
        case close(ConnectionEpoch, code: UInt16)
        /// Drop whatever runs for this epoch at once.
        case abandon(ConnectionEpoch)
        /// Wake the session at this instant, and not at the one named before; `nil`: not at all.
        case setTimer(Instant?)
        /// The state of the connection has changed.
        case status(ConnectionStatus)
        /// The state of a subscription has changed.
        case phase(StompSubscriptionKey, StompSubscriptionPhase)
        /// A message for a subscription.
        case message(StompMessage)
        /// A request is over.
        case complete(StompRequestID, StompOutcome)
        /// Something that an engineer should know.
        case report(StompReport)
    }
}

/// How a request ended.
public enum StompOutcome: Hashable, Sendable {
    /// Without a receipt: the socket has taken it. With one: the server has.
    case succeeded
    /// It failed.
    case failed(StompClientError)
}

/// What an engineer should know about a session; nothing here needs a reaction.
public enum StompReport: Hashable, Sendable {
    /// The server sent an ERROR frame; the session closes and comes back by its own rules.
    case serverError(StompFrame)
    /// A MESSAGE belongs to no subscription of this session.
    case unroutedMessage(StompFrame)
    /// The connection, or an attempt, ended.
    case connectionEnded(ConnectionEpoch, StompClientError)
    /// A subscription was put out of action, so that the others can live.
    case quarantined(StompSubscriptionKey, destination: String)
    /// A subscription is left out for a while, so that the others can live.
    case resting(StompSubscriptionKey, destination: String, until: Instant)
    /// This many reports were dropped here, because nobody fetched them in time.
    case overflowed(Int)
}
