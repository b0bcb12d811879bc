public import RejoinTransport

/// What a STOMP stream means: its events up to the first error, that error, and whether an
/// unfinished frame remains.
public struct StompDecoding: Hashable, Sendable, CustomStringConvertible {
    /// The frames and heart-beats.
    public var events: [StompDecoder.Event]
    /// The error that ended decoding.
    public var error: StompError?
    /// Whether octets remain that make up no whole frame.
    public var needsMore: Bool

    /// Creates an outcome.
    public init(
        events: [StompDecoder.Event] = [], error: StompError? = nil, needsMore: Bool = false
    ) {
        self.events = events
        self.error = error
        self.needsMore = needsMore
    }

    /// What a decoder makes of pieces.
    public init(_ decoder: StompDecoder, pieces: [ContiguousArray<UInt8>]) {
        self.init()
        var decoder = decoder
        do throws(StompError) {
            for piece in pieces {
                decoder.append(piece)
                while let event = try decoder.next() { events.append(event) }
            }
        } catch {
            self.error = error
        }
        needsMore = decoder.needsMore
    }

    /// Names every header and body: outcomes are for tests, where nothing is secret.
    public var description: String {
        var parts = events.map { event in
            switch event {
            case .heartBeat: "heart-beat"
            case .frame(let frame):
                "\(frame.command.rawValue) \(frame.headers.map { [$0.name, $0.value] }) "
                    + "\(Array(frame.body))"
            }
        }
        if let error { parts.append("error(\(error))") }
        if needsMore { parts.append("need more") }
        return parts.joined(separator: "; ")
    }
}
