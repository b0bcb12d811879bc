public import RejoinModel

/// Turns rows into ``LayoutData``, off the main thread: what a view model knows of its row.
///
/// The layout of a row is a pure function of the row, the people whom it names, the ratios of its
/// pictures and the environment. The measurer remembers the parts of rows that it has seen, so that
/// only what changed is computed again: another reaction neither prepares nor wraps the text,
/// another width wraps but does not prepare, and the same row in the same environment is the same
/// data.
///
/// What it remembers is bounded by a number of rows: beyond it the row that was not asked for
/// longest is forgotten, and computed again where it comes back.
///
/// One for each thread, as its ``TextPreparer``.
public final class RowMeasurer {
    /// What was computed so far.
    public struct Counts: Hashable, Sendable {
        /// Texts prepared: split into words and shaped.
        public var prepared = 0
        /// Texts wrapped into lines.
        public var wrapped = 0
        /// Parts laid out.
        public var parts = 0
        /// Rows put together from their parts.
        public var rows = 0
        /// Rows that were known as they are.
        public var reused = 0

        /// Creates counts of nothing.
        public init() {}
    }

    /// What is remembered of a row.
    private struct Memory {
        var plan: RowPlan
        var parts: [PartLayout]
        var content: SnapshotVersion
        var data: LayoutData
    }

    /// The person who looks at the list.
    public let me: UserID?
    /// The most rows that are remembered.
    public let rowLimit: Int
    /// What the rows hang on beside themselves. Rows measured before keep their data. Where the
    /// shaper's fonts change, its new ``TextShaper/fontEpoch`` is set here too.
    public var environment: LayoutEnvironment {
        didSet { if environment != oldValue { useEnvironment() } }
    }

    private let measures: ContentMeasures
    private let setter: TextSetter
    private var planner: RowPlanner
    private var version = SnapshotVersion()
    private var memories: RecentlyUsed<TimelineRowID, Memory>

    /// Creates a measurer.
    ///
    /// - Parameters:
    ///   - preparer: prepares the texts; of this thread.
    ///   - environment: what the rows hang on beside themselves.
    ///   - me: the person who looks at the list; their messages stand on the other side.
    ///   - strings: the texts that the module shows by itself.
    ///   - measures: the distances and sizes of types.
    ///   - rowLimit: the most rows that are remembered.
    ///   - decorate: finds what is special in a message's text. It must answer the same for the
    ///     same text.
    public init(
        preparer: TextPreparer, environment: LayoutEnvironment, me: UserID?,
        strings: LayoutStrings = .english, measures: ContentMeasures = .standard,
        rowLimit: Int = 10_000,
        decorate: @escaping @Sendable (String) -> RichText = LinkFinder.richText
    ) {
        self.environment = environment
        self.me = me
        self.measures = measures
        self.rowLimit = max(1, rowLimit)
        memories = RecentlyUsed(limit: rowLimit)
        setter = TextSetter(preparer: preparer, decorate: decorate)
        planner = RowPlanner(
            me: me, strings: strings, measures: measures, times: TimeTexts(environment))
        setter.use(environment, measures)
    }

    /// What was computed so far.
    public var counts: Counts { setter.counts }

    /// How many rows are remembered.
    public var rememberedCount: Int { memories.count }

    /// The people whom rows may name: those of the snapshot that the rows come from.
    public var members: [UserID: Member] {
        get { planner.members }
        set { planner.members = newValue }
    }

    /// The ratios of pictures whose messages do not tell them.
    public var ratios: AspectRatios {
        get { planner.ratios }
        set { planner.ratios = newValue }
    }

    private func useEnvironment() {
        version = version.following()
        planner.times = TimeTexts(environment)
        setter.use(environment, measures)
    }

    /// The layout of a row.
    ///
    /// - Complexity: linear in the parts that changed since the row was measured last, and in the
    ///   number of parts.
    public func measure(_ row: TimelineRow) -> LayoutData {
        let plan = planner.plan(row)
        let memory = memories.value(for: row.id)
        if let memory, memory.plan == plan, memory.data.stamp.environment == version {
            setter.counts.reused += 1
            return memory.data
        }
        var composition = RowComposition(
            plan: plan, environment: environment, measures: measures)
        let parts = layouts(of: plan, composition, memory)
        let content =
            memory.map { $0.plan == plan ? $0.content : $0.content.following() }
            ?? SnapshotVersion()
        let data = composition.data(
            parts, stamp: LayoutStamp(row: row.id, content: content, environment: version))
        setter.counts.rows += 1
        memories.keep(
            Memory(plan: plan, parts: parts, content: content, data: data), for: row.id)
        return data
    }

    /// The parts of a row, those taken over that are as they were.
    private func layouts(
        of plan: RowPlan, _ composition: RowComposition, _ memory: Memory?
    ) -> [PartLayout] {
        let composer = PartComposer(
            environment: environment, measures: measures, setter: setter)
        var before = memory.map { PartMemory($0.plan, $0.parts) }
        let isSameEnvironment = memory?.data.stamp.environment == version
        let old = memory.map {
            RowComposition(plan: $0.plan, environment: environment, measures: measures)
        }
        let insideCount = plan.inside.count
        return plan.parts.enumerated().map { index, input in
            let isBelow = index >= insideCount
            let room = composition.room(for: input, isBelow: isBelow)
            let found = before?.part(like: input, at: index)
            if isSameEnvironment, let found, found.isSame,
                old?.room(for: input, isBelow: isBelow) == room
            {
                return found.part
            }
            setter.counts.parts += 1
            setter.recall(found?.part)
            return composer.compose(input, width: room)
        }
    }
}

/// The parts that a row had, by what they were made of.
private struct PartMemory {
    private let inputs: [PartInput]
    private let parts: [PartLayout]
    /// Places by input and by kind, once a part does not stand where it stood.
    private var places: (same: [PartInput: Int], alike: [Int: Int])?

    init(_ plan: RowPlan, _ parts: [PartLayout]) {
        inputs = plan.parts
        self.parts = parts
    }

    /// The part that was made of the same, or else one whose texts may be the same.
    mutating func part(like input: PartInput, at index: Int) -> (part: PartLayout, isSame: Bool)? {
        if index < inputs.count, inputs[index] == input { return (parts[index], true) }
        let places =
            self.places
            ?? (
                Dictionary(zip(inputs, inputs.indices)) { first, _ in first },
                Dictionary(zip(inputs.map(\.kind), inputs.indices)) { first, _ in first }
            )
        self.places = places
        if let place = places.same[input] { return (parts[place], true) }
        return places.alike[input.kind].map { (parts[$0], false) }
    }
}
