/// Tells what a captured stream of octets holds, line by line, as `rejoin stomp decode` prints it.
package struct StompInspector: Sendable {
    /// One line of the answer.
    package enum Line: Sendable, Hashable {
        /// A frame or a heart-beat.
        case event(StompDecoder.Event)
        /// Where the stream stops being STOMP; nothing follows.
        case error(StompError)
        /// The stream ends within a frame or a line end; nothing follows.
        case needMore
    }

    private var decoder: StompDecoder
    /// Where the stream is cut still, as offsets from its beginning, the next one first.
    private var cuts: ArraySlice<Int>
    private var taken = 0
    private var hasFailed = false

    /// Creates an inspector.
    ///
    /// - Parameter cuts: Ascending offsets at which the stream is cut before it is decoded. They
    ///   must make no difference; that is what they are for.
    package init(
        role: StompDecoder.Role, version: StompVersion, limits: StompLimits = .standard,
        cuts: [Int] = []
    ) {
        decoder = StompDecoder(role: role, version: version, limits: limits)
        self.cuts = cuts[...]
    }

    /// The lines that some more octets bring.
    package mutating func append(_ bytes: ContiguousArray<UInt8>) -> [Line] {
        var lines: [Line] = []
        var start = 0
        while start < bytes.count, !hasFailed {
            var end = bytes.count
            if let cut = cuts.first, cut - taken < end {
                end = max(cut - taken, start)
                cuts.removeFirst()
            }
            decoder.append(ContiguousArray(bytes[start..<end]))
            drain(into: &lines)
            start = end
        }
        taken += bytes.count
        return lines
    }

    /// The line that the end of the stream brings.
    package func finish() -> Line? {
        decoder.needsMore ? .needMore : nil
    }

    private mutating func drain(into lines: inout [Line]) {
        do throws(StompError) {
            while let event = try decoder.next() { lines.append(.event(event)) }
        } catch {
            lines.append(.error(error))
            hasFailed = true
        }
    }
}
