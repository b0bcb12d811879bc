public import RejoinModel

/// Turns rows into ``LayoutData``, off the main thread: what a view model knows of its row.
///
/// The layout of a row is a pure function of the row, the people whom it names, the pictures' ratios
/// and the environment. The measurer remembers the parts of rows that it has seen, so that only
/// what changed is computed again: another reaction neither prepares nor wraps the text, another
/// width wraps but does not prepare, and the same row in the same environment is the same data.
///
/// What it remembers is bounded by a number of rows: rows enter a young generation; once that holds
/// half of the limit it becomes the old one, and the former old one is forgotten. A forgotten row is
/// computed again.
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
    /// What the rows hang on beside themselves. Rows measured before keep their data.
    public var environment: LayoutEnvironment {
        didSet { if environment != oldValue { useEnvironment() } }
    }

    private let measures: ContentMeasures
    private let setter: TextSetter
    private var planner: RowPlanner
    private var version = SnapshotVersion()
    private var young: [TimelineRowID: Memory] = [:]
    private var old: [TimelineRowID: Memory] = [:]

    /// Creates a measurer.
    ///
    /// - Parameters:
    ///   - preparer: prepares the texts; of this thread.
    ///   - environment: what the rows hang on beside themselves.
    ///   - me: the person who looks at the list; their messages stand on the other side.
    ///   - strings: the texts that the module shows by itself.
    ///   - measures: the distances and sizes of types.
    ///   - rowLimit: the most rows that are remembered.
    ///   - decorate: finds what is special in a message's text. It must answer the same for the same
    ///     text.
    public init(
        preparer: TextPreparer, environment: LayoutEnvironment, me: UserID?,
        strings: LayoutStrings = .english, measures: ContentMeasures = .standard,
        rowLimit: Int = 10_000,
        decorate: @escaping @Sendable (String) -> RichText = LinkFinder.richText
    ) {
        self.environment = environment
        self.me = me
        self.measures = measures
        self.rowLimit = max(2, rowLimit)
        setter = TextSetter(preparer: preparer, decorate: decorate)
        planner = RowPlanner(
            me: me, strings: strings, measures: measures, times: TimeTexts(environment))
        setter.use(environment, measures)
    }

    /// What was computed so far.
    public var counts: Counts { setter.counts }

    /// How many rows are remembered.
    public var rememberedCount: Int { young.count + old.count }

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
        let memory = young[row.id] ?? old[row.id]
        if let memory, memory.plan == plan, memory.data.stamp.environment == version {
            setter.counts.reused += 1
            keep(memory, for: row.id)
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
        keep(Memory(plan: plan, parts: parts, content: content, data: data), for: row.id)
        return data
    }

    private func keep(_ memory: Memory, for row: TimelineRowID) {
        if young[row] == nil, young.count >= rowLimit / 2 {
            old = young
            young = [:]
        }
        young[row] = memory
        old[row] = nil
    }

    /// The parts of a row, those taken over that are as they were.
    private func layouts(
        of plan: RowPlan, _ composition: RowComposition, _ memory: Memory?
    ) -> [PartLayout] {
        let composer = PartComposer(
            environment: environment, measures: measures, setter: setter)
        let before = memory.map { PartMemory($0.plan.parts, $0.parts) }
        let isSameEnvironment = memory?.data.stamp.environment == version
        let oldRooms = memory.map { memory in
            RowComposition(
                plan: memory.plan, environment: environment, measures: measures)
        }
        let insideCount = plan.inside.count
        return plan.parts.enumerated().map { index, input in
            let isBelow = index >= insideCount
            let room = composition.room(for: input, isBelow: isBelow)
            if isSameEnvironment, let known = before?.same(input),
                oldRooms?.room(for: input, isBelow: isBelow) == room
            {
                return known
            }
            setter.counts.parts += 1
            setter.recall(before?.alike(input))
            return composer.compose(input, width: room)
        }
    }
}

/// The parts that a row had, by what they were made of.
private struct PartMemory {
    private var same: [PartInput: PartLayout] = [:]
    private var alike: [Int: PartLayout] = [:]

    init(_ inputs: [PartInput], _ parts: [PartLayout]) {
        for (input, part) in zip(inputs, parts) {
            same[input] = part
            alike[input.kind] = part
        }
    }

    /// The part that was made of the same.
    func same(_ input: PartInput) -> PartLayout? { same[input] }

    /// The part whose texts may be the same.
    func alike(_ input: PartInput) -> PartLayout? { same[input] ?? alike[input.kind] }
}
