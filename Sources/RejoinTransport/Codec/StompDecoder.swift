/// Turns octets into frames and heart-beats, in whatever pieces they come.
///
/// Strict: the first octet that is not STOMP ends decoding for good, because nothing after it can
/// be trusted to be a frame's beginning. What a stream means does not depend on how it was cut.
///
/// Memory: beside the octets appended and not yet taken by ``next()``, at most one unfinished
/// frame within ``StompLimits``. A decoded frame costs two allocations, one for all headers and
/// one for the body.
public struct StompDecoder: Sendable {
    /// What a stream consists of.
    public enum Event: Sendable, Hashable {
        /// A frame.
        case frame(StompFrame)
        /// One end of line between frames: the peer is alive.
        case heartBeat
    }

    /// The side that decodes.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        /// Takes the commands of servers.
        case client
        /// Takes the commands of clients.
        case server
    }

    /// The side that decodes.
    public let role: Role
    /// What is taken from the peer.
    public let limits: StompLimits
    /// The version by whose rules the next frame is read. Set it as soon as CONNECT or CONNECTED
    /// has settled it, before the next call of ``next()``; CONNECT and CONNECTED themselves are
    /// read alike in all versions, but for the carriage returns that only 1.2 allows.
    public var version: StompVersion

    private var buffer: ContiguousArray<UInt8> = []
    /// The first octet in the buffer that no event has taken.
    private var position = 0
    /// How many octets of the stream went before the buffer.
    private var discarded = 0
    private var scanner = FrameScanner()
    private var failure: StompError?

    /// A buffer above this is given back once it is empty; below, it is kept for the next bytes.
    private static let keptCapacity = 64 << 10
    /// From here on an empty decoder takes an array over instead of copying it.
    private static let adoptedSize = 4 << 10

    /// Creates a decoder.
    public init(
        role: Role, version: StompVersion = .v12, limits: StompLimits = .standard
    ) {
        self.role = role
        self.version = version
        self.limits = limits
    }

    /// How many octets have been taken as events, from the first octet on.
    public var decodedOctets: Int { discarded + position }

    /// Whether octets are waiting that make up no whole frame or line end yet. Meaningful once
    /// ``next()`` has returned `nil`.
    public var needsMore: Bool { failure == nil && position < buffer.count }

    /// Adds octets as they came. Call ``next()`` until it returns `nil` before adding more, so
    /// that the limits hold.
    public mutating func append(_ bytes: ContiguousArray<UInt8>) {
        guard failure == nil else { return }
        discardTaken()
        if buffer.isEmpty, bytes.count >= Self.adoptedSize {
            buffer = bytes
        } else {
            buffer.append(contentsOf: bytes)
        }
    }

    /// Adds octets as they came.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        guard failure == nil else { return }
        discardTaken()
        buffer.append(contentsOf: bytes)
    }

    /// The next frame or heart-beat; `nil` where more octets are needed. O(octets), each octet
    /// looked at a constant number of times however it was cut.
    ///
    /// - Throws: the first error, and the same one ever after.
    public mutating func next() throws(StompError) -> Event? {
        if let failure { throw failure }
        let rules = FrameScanner.Rules(role: role, version: version, limits: limits)
        while true {
            let step = buffer.withUnsafeBufferPointer { bytes in
                scanner.step(in: UnsafeBufferPointer(rebasing: bytes[position...]), rules)
            }
            switch step {
            case .needMore:
                return nil
            case .heartBeat(let length):
                position &+= length
                return .heartBeat
            case .skipped(let length):
                position &+= length
            case .frame(let length):
                let frame = buffer.withUnsafeBufferPointer { bytes in
                    scanner.frame(in: UnsafeBufferPointer(rebasing: bytes[position...]))
                }
                position &+= length
                return .frame(frame)
            case .failed:
                throw fail()
            }
        }
    }

    private mutating func fail() -> StompError {
        // The scanner has said why whenever it answers so.
        let fault = scanner.fault
        let error = StompError(
            fault?.code ?? .unknownCommand, offset: decodedOctets + (fault?.offset ?? 0),
            fault?.message ?? "")
        failure = error
        buffer = []
        discarded += position
        position = 0
        return error
    }

    private mutating func discardTaken() {
        guard position > 0 else { return }
        discarded += position
        if position == buffer.count {
            if buffer.capacity > Self.keptCapacity {
                buffer = []
            } else {
                buffer.removeAll(keepingCapacity: true)
            }
        } else {
            buffer.removeSubrange(..<position)
        }
        position = 0
    }
}
