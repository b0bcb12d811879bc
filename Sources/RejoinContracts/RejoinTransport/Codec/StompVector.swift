public import RejoinTransport

/// One stream and what STOMP says that it means.
public struct StompVector: Sendable {
    /// A stable name.
    public let id: String
    /// The rule that it checks.
    public let rule: String
    /// The side that decodes.
    public var role = StompDecoder.Role.client
    /// The version in force.
    public var version = StompVersion.v12
    /// The limits in force.
    public var limits = StompLimits.standard
    /// The octets.
    public let stream: ContiguousArray<UInt8>
    /// The events.
    public let events: [StompDecoder.Event]
    /// The error's code and place.
    public var error: (code: StompError.Code, offset: Int)?
    /// Whether an unfinished frame remains.
    public var needsMore = false
    /// The places to cut at; all of them where `nil`.
    public var places: [Int]?

    /// Creates a vector of a stream that decodes.
    init(
        _ id: String, _ rule: String, _ stream: some Sequence<UInt8>,
        _ events: [StompDecoder.Event]
    ) {
        self.id = id
        self.rule = rule
        self.stream = ContiguousArray(stream)
        self.events = events
    }

    /// Creates a vector of text that decodes.
    init(_ id: String, _ rule: String, _ text: String, _ events: [StompDecoder.Event]) {
        self.init(id, rule, text.utf8, events)
    }

    /// Creates a vector of text that does not decode.
    init(
        _ id: String, _ rule: String, _ text: String, _ code: StompError.Code, at offset: Int
    ) {
        self.init(id, rule, text, [], code, at: offset)
    }

    /// Creates a vector of text that does not decode from some place on.
    init(
        _ id: String, _ rule: String, _ text: String, _ events: [StompDecoder.Event],
        _ code: StompError.Code, at offset: Int
    ) {
        self.init(id, rule, text.utf8, events)
        error = (code, offset)
    }

    /// Creates a vector of text that ends within a frame.
    static func unfinished(
        _ id: String, _ rule: String, _ text: String, _ events: [StompDecoder.Event] = []
    ) -> StompVector {
        var vector = StompVector(id, rule, text, events)
        vector.needsMore = true
        return vector
    }

    /// The same vector under other circumstances.
    func with(
        role: StompDecoder.Role? = nil, version: StompVersion? = nil, limits: StompLimits? = nil,
        places: [Int]? = nil
    ) -> StompVector {
        var vector = self
        vector.role = role ?? self.role
        vector.version = version ?? self.version
        vector.limits = limits ?? self.limits
        vector.places = places ?? self.places
        return vector
    }

    /// The same stream, expected to end in an error.
    func failing(_ code: StompError.Code, at offset: Int) -> StompVector {
        var vector = self
        vector.error = (code, offset)
        return vector
    }

    /// Decodes the stream in every cut and compares.
    ///
    /// - Throws: ``ContractFailure``.
    public func verify() throws(ContractFailure) {
        let outcome = try SplitVerifier.verify(stream, check: "stomp.\(id)", places: places) {
            StompDecoding(
                StompDecoder(role: role, version: version, limits: limits), pieces: $0)
        }
        let check = "stomp.\(id)"
        try require(outcome.events, equals: events, check, whoIsHurt: rule)
        try require(outcome.error?.code, equals: error?.code, check, whoIsHurt: rule)
        try require(outcome.error?.offset, equals: error?.offset, check, whoIsHurt: rule)
        try require(outcome.needsMore, equals: needsMore, check, whoIsHurt: rule)
    }
}

extension StompDecoder.Event {
    /// A frame of text.
    static func frame(
        _ command: StompCommand, _ headers: StompHeaders = [], _ body: String = ""
    ) -> StompDecoder.Event {
        .frame(StompFrame(command, headers: headers, text: body))
    }
}
