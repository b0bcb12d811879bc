public import RejoinModel

/// One generation of a list: its rows, what is known of each before it has a view, and where each
/// stands. Immutable; built off the main thread and swapped in together with the change set that
/// leads to it.
///
/// The next frame shares all that did not change, so building it costs what the changed rows cost
/// to measure.
public struct TimelineFrame<Data: LayoutDatable>: Sendable {
    /// A row and its data.
    public struct Row: Sendable {
        /// What it shows.
        public var row: TimelineRow
        /// Its sizes.
        public var data: Data
    }

    /// The rows.
    public private(set) var rows: RowList<Row>
    /// Where they stand.
    public private(set) var geometry: TimelineGeometry
    /// The state of the composer's rows that this shows.
    public let version: SnapshotVersion

    /// Measures all rows of a list.
    ///
    /// - Parameters:
    ///   - rows: the rows, as ``RowComposer`` makes them.
    ///   - version: their version.
    ///   - measure: what is known of a row; called once for each, in order.
    /// - Complexity: O(n).
    public init(
        _ rows: RowList<TimelineRow>, version: SnapshotVersion, measure: (TimelineRow) -> Data
    ) {
        let measured = rows.elements.map { Row(row: $0, data: measure($0)) }
        self.rows = RowList(measured)
        geometry = TimelineGeometry(measured.lazy.map { ($0.row.id, $0.data.size.height) })
        self.version = version
    }

    private init(_ rows: RowList<Row>, _ geometry: TimelineGeometry, _ version: SnapshotVersion) {
        self.rows = rows
        self.geometry = geometry
        self.version = version
    }

    /// How many rows there are.
    public var count: Int { rows.count }

    /// The frame that a change leads to; only rows that came or show something else are measured.
    ///
    /// - Parameters:
    ///   - change: what leads from this frame's rows to the new ones.
    ///   - new: the new rows.
    ///   - measure: what is known of a row.
    /// - Precondition: `change` leads from ``version``.
    /// - Complexity: O(k) in what changed, whatever the count.
    public func following(
        _ change: RowChangeSet, rows new: RowList<TimelineRow>, measure: (TimelineRow) -> Data
    ) -> TimelineFrame {
        precondition(
            change.from == version && change.newCount == new.count,
            "a change set that does not lead from this frame")
        let origins = Dictionary(uniqueKeysWithValues: change.moves.map { ($0.to, $0.from) })
        var measured: [Int: Row] = [:]
        for place in change.shift.come + change.reloads.compactMap(change.placeKept) {
            let row = new[place]
            let data = origins[place].map { rows[$0].data } ?? measure(row)
            measured[place] = Row(row: row, data: data)
        }
        var frame = TimelineFrame(rows, geometry, change.to)
        frame.rows.apply(change) { measured[$0] }
        frame.geometry.apply(change) { place in
            let row = frame.rows[place]
            return (row.row.id, row.data.size.height)
        }
        return frame
    }

    /// The frame in which some rows are measured again, as when a picture's size is learnt late,
    /// and the change set that leads to it.
    ///
    /// - Complexity: O(rows measured).
    public func measuringAgain(
        _ places: some Sequence<Int>, measure: (TimelineRow) -> Data
    ) -> (frame: TimelineFrame, change: RowChangeSet) {
        let places = Set(places).sorted()
        let change = RowChangeSet(
            from: version, to: version, oldCount: count, newCount: count, gone: [], come: [],
            pairs: [], reloads: places)
        var frame = self
        for place in places {
            let row = rows[place].row
            let data = measure(row)
            frame.rows[place] = Row(row: row, data: data)
            frame.geometry.resize(place, to: data.size.height)
        }
        return (frame, change)
    }

    /// The same rows, all measured again: another width, type size or language.
    ///
    /// - Complexity: O(n).
    public func remeasured(_ measure: (TimelineRow) -> Data) -> TimelineFrame {
        TimelineFrame(RowList(rows.elements.lazy.map(\.row)), version: version, measure: measure)
    }
}

/// Row data that knows where its text stands, so that the place in a long message survives another
/// width.
public protocol TextAnchorable: LayoutDatable {
    /// The position in the row's text, as a UTF-8 offset, of the line that holds a distance from
    /// the row's beginning in device pixels; `nil` where no text is there.
    func textPosition(at y: Int32) -> Int?
    /// Where the line begins that holds a position of the row's text, in device pixels from the
    /// row's beginning; `nil` where the text has no such position.
    func place(ofTextPosition position: Int) -> Int32?
}

extension TimelineFrame where Data: TextAnchorable {
    /// Where the edge lies in the same row of this frame, by the text that it lay on in another
    /// frame of the same rows; `nil` where it lay on none.
    public func inside(_ edge: TimelineEdge, of other: TimelineFrame) -> Int32? {
        let before = other.rows[edge.row].data
        guard edge.inside >= 0, let position = before.textPosition(at: edge.inside),
            let old = before.place(ofTextPosition: position),
            let new = rows[edge.row].data.place(ofTextPosition: position)
        else { return nil }
        return new + (edge.inside - old)
    }
}
