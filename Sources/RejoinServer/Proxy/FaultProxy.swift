#if os(Linux)
import Foundation

/// A TCP proxy on loopback that breaks connections in the ways networks do, when a test says
/// so.
///
/// It runs on a thread of its own over `poll`. Commands take effect in their order, before any
/// byte that arrives after the call returned is passed on.
public final class FaultProxy: Sendable {
    /// The port on which clients reach the proxy.
    public let port: UInt16
    private let loop: ProxyLoop

    /// Which way bytes go.
    public enum Direction: Hashable, Sendable, CaseIterable {
        /// From the client to the server.
        case up
        /// From the server to the client.
        case down
    }

    /// What happens to the bytes of one direction.
    public enum Flow: Hashable, Sendable {
        /// They pass.
        case pass
        /// They are read and thrown away, while the socket stays open: a half-open connection.
        /// Ends of streams and resets are not passed on either.
        case swallow
        /// They pass this much later, in order.
        case delay(Duration)
        /// One byte for each read of the other side, at most one every `interval`, so that
        /// each read of the receiver sees a single byte.
        case throttle(interval: Duration)
        /// They pass until so many bytes of this direction have passed, counted from the
        /// command; then the connection is closed in both directions, in the middle of
        /// whatever it was.
        case cut(after: Int)
    }

    /// Starts a proxy to a port of this machine.
    ///
    /// - Parameters:
    ///   - target: The port to which connections are passed on.
    ///   - port: The port to listen on; 0: any free one.
    ///   - bufferBytes: What is kept for each direction of each connection at most; beyond it
    ///     the proxy stops reading there, so that the sender feels the back-pressure.
    ///   - maximumConnections: Connections at one time; more wait in the system's queue.
    /// - Throws: ``ReferenceServerError`` of code `port_in_use` or `cannot_listen`.
    public init(
        to target: UInt16, port: UInt16 = 0, bufferBytes: Int = 256 << 10,
        maximumConnections: Int = 512
    ) throws(ReferenceServerError) {
        loop = try ProxyLoop(
            target: target, port: port, bufferBytes: max(1, bufferBytes),
            maximumConnections: max(1, maximumConnections))
        self.port = loop.port
        loop.begin()
    }

    deinit {
        loop.finish()
    }

    /// Sets what happens to the bytes of a direction, or of both, on all connections that
    /// there are and all that come.
    public func set(_ flow: Flow, for direction: Direction? = nil) {
        loop.post { $0.set(flow, for: direction) }
    }

    /// Lets everything pass again: flows, and new connections. Connections that are still open
    /// go on; what was swallowed stays lost.
    public func pass() {
        loop.post {
            $0.refuses = false
            $0.set(.pass, for: nil)
        }
    }

    /// Refuses new connections (with `false`: takes them again): the port answers with a
    /// reset. Open connections go on.
    public func refuse(_ refuses: Bool = true) {
        loop.post { $0.refuses = refuses }
    }

    /// Ends all open connections with a reset (RST) on both sides. New ones are taken.
    public func reset() {
        loop.post { $0.closeAll(resetting: true) }
    }

    /// Ends all open connections with an ordinary end of stream (FIN) on both sides, dropping
    /// what was not passed on yet. New ones are taken.
    public func close() {
        loop.post { $0.closeAll(resetting: false) }
    }

    /// Passes connections that come from now on to another port. Open ones stay where they are.
    public func retarget(to target: UInt16) {
        loop.post { $0.target = target }
    }

    /// Does nothing but return once all earlier commands have taken effect.
    public func settle() async {
        await withCheckedContinuation { continuation in
            loop.post { _ in continuation.resume() }
        }
    }

    /// How many connections are open, and how many bytes have passed each way.
    public func statistics() async -> Statistics {
        await withCheckedContinuation { continuation in
            loop.post { continuation.resume(returning: $0.statistics) }
        }
    }

    /// Stops listening and closes everything. A stopped proxy cannot be started again.
    public func stop() {
        loop.finish()
    }

    /// What a proxy has done so far.
    public struct Statistics: Hashable, Sendable {
        /// Connections that are open now.
        public var open = 0
        /// Connections taken since the start.
        public var accepted = 0
        /// Connections refused since the start.
        public var refused = 0
        /// Bytes passed from clients to the server.
        public var bytesUp = 0
        /// Bytes passed from the server to clients.
        public var bytesDown = 0
    }
}
#endif
