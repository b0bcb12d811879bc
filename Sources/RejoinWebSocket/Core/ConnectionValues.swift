package import RejoinTransport

/// Names one suspended caller.
package struct Ticket: Hashable, Sendable {
    /// Unique within a connection.
    package let number: UInt64

    /// Makes the ticket of a number.
    package init(number: UInt64) {
        self.number = number
    }
}

extension ConnectionCore {
    /// What can happen to a connection.
    package enum Input: Hashable, Sendable {
        /// A caller waits until the connection is open. One caller does.
        case awaitOpening(Ticket)
        /// The upgrade succeeded.
        case opened
        /// Opening failed, or the connection broke with a known cause.
        case failed(WebSocketError)
        /// The peer sent a close frame; 1005 where it named no code.
        case peerClosed(UInt16, String)
        /// The peer answered the ping of this number.
        case pong(UInt64)
        /// The peer broke a rule; `CloseFrame` is what it is told.
        case violation(CloseFrame, WebSocketError)
        /// The socket has ended.
        case gone
        /// A caller wants the next message.
        case receive(Ticket)
        /// A caller sends.
        case send(Ticket, WebSocketMessage)
        /// The socket has taken the last frame of a message.
        case written(Ticket)
        /// A caller pings.
        case ping(Ticket)
        /// A caller closes in good order.
        case close(Ticket, CloseFrame)
        /// The socket is to be dropped at once.
        case abandon
        /// A caller was cancelled.
        case cancel(Ticket)
    }

    /// What follows from an input.
    package enum Effect: Hashable, Sendable {
        /// A caller goes on.
        case resume(Ticket, Outcome)
        /// The network loop shall look at ``ConnectionCore/wish``.
        case attend
    }

    /// What a caller gets.
    package enum Outcome: Hashable, Sendable {
        case done
        case message(WebSocketMessage)
        case failed(WebSocketError)
    }

    /// What the network loop shall bring about.
    package struct Wish: Hashable, Sendable {
        /// An unread message waits: the peer shall be slowed down.
        package var pausesReading: Bool
        /// There is a frame to write.
        package var wantsToWrite: Bool
        /// The socket is no longer wanted.
        package var dropsSocket: Bool
    }

    /// A part of a message as it came from the network.
    package struct MessagePart: Hashable, Sendable {
        /// Whether a message begins here.
        package var isFirst: Bool
        /// Whether the message ends here.
        package var isFinal: Bool
        /// Whether the message is BINARY.
        package var isBinary: Bool
        /// How many bytes of the same frame are still to come, as its header declared.
        package var remainingInFrame: UInt64

        /// Describes a part.
        package init(isFirst: Bool, isFinal: Bool, isBinary: Bool, remainingInFrame: UInt64) {
            self.isFirst = isFirst
            self.isFinal = isFinal
            self.isBinary = isBinary
            self.remainingInFrame = remainingInFrame
        }
    }

    /// A frame to write.
    package enum Write: Hashable, Sendable {
        case fragment(Fragment)
        /// A ping that carries this number.
        case ping(UInt64)
        case close(CloseFrame)
    }

    /// A part of an outgoing message.
    package struct Fragment: Hashable, Sendable {
        /// The whole message.
        package let message: WebSocketMessage
        /// The part of its bytes that this frame carries.
        package let range: Range<Int>
        /// Whether the message ends here.
        package let isFinal: Bool
        /// Who waits for the message's end; `nil` before it.
        package let ticket: Ticket?
    }

    /// An item of the queue to the socket.
    struct Outgoing: Sendable {
        /// Who waits; `nil` where the caller was cancelled in the middle.
        var ticket: Ticket?
        /// What is sent.
        let payload: Payload
        /// How many bytes have been handed to the socket.
        var written = 0

        enum Payload: Sendable {
            case message(WebSocketMessage)
            case ping(UInt64)
        }
    }

    /// A message that is not complete yet.
    struct Assembly: Sendable {
        let isBinary: Bool
        var bytes = ContiguousArray<UInt8>()

        init(isBinary: Bool) {
            self.isBinary = isBinary
        }

        /// Adds a part. The room that a frame header merely promises is reserved only once a
        /// quarter of it has come: a header costs its sender nothing.
        mutating func append(_ part: some Collection<UInt8>, remainingInFrame: Int) {
            let promised = bytes.count + part.count + remainingInFrame
            if bytes.capacity < promised, bytes.count + part.count >= promised / 4 {
                bytes.reserveCapacity(promised)
            }
            bytes.append(contentsOf: part)
        }

        /// The message, or `nil` where a text is not valid UTF-8.
        func message() -> WebSocketMessage? {
            if isBinary { return .binary(bytes) }
            return UTF8Check.isValid(bytes) ? .text(bytes) : nil
        }
    }
}

/// The content of a close frame.
package struct CloseFrame: Hashable, Sendable {
    /// The code (RFC 6455 section 7.4).
    package let code: UInt16
    /// The reason, at most ``maximumReasonBytes`` bytes of UTF-8.
    package let reason: String

    /// What a control frame of 125 bytes leaves beside the code.
    package static let maximumReasonBytes = 123

    /// Creates a frame; a longer reason is cut between two characters.
    package init(code: UInt16, reason: String) {
        self.code = code
        var kept = ""
        var count = 0
        for character in reason {
            count += character.utf8.count
            guard count <= Self.maximumReasonBytes else { break }
            kept.append(character)
        }
        self.reason = kept
    }
}

/// The close codes that this module names (RFC 6455 section 7.4.1).
package enum CloseCode {
    package static let normal: UInt16 = 1000
    package static let protocolError: UInt16 = 1002
    package static let noneGiven: UInt16 = 1005
    package static let abnormal: UInt16 = 1006
    package static let invalidPayload: UInt16 = 1007
    package static let messageTooBig: UInt16 = 1009

    /// Whether an endpoint may send the code in a close frame.
    package static func isSendable(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension UTF8Check {
    /// Whether all of `bytes` is well-formed.
    static func isValid(_ bytes: ContiguousArray<UInt8>) -> Bool {
        // The check reads words and therefore wants a buffer; it stays within its bounds.
        bytes.withUnsafeBufferPointer { firstInvalid(in: $0) == nil }
    }
}
