public import RejoinModel
public import RejoinReadState

/// A reporter over a room in memory, written as plainly as possible, for tests of what reports.
public actor ModelReadReporter: ReadReporterBench, ReadReporter {
    public nonisolated let room: RoomID
    private let ids: [MessageID]
    private var stored = ReadMark.unread
    private var losesNextAnswer = false

    /// Creates a room with messages 1 to `count`, none of them read.
    public init(room: RoomID = RoomID("room"), count: Int = 12) {
        self.room = room
        ids = (0..<count).map { MessageID(UInt128($0 + 1)) }
    }

    public nonisolated var reporter: any ReadReporter { self }

    public func messages() -> [MessageID] { ids }

    public func mark() -> ReadMark { stored }

    public func loseNextAnswer() { losesNextAnswer = true }

    public func report(_ mark: ReadMark, unread: Bool, in room: RoomID) throws(BackendFailure)
        -> ReadAnswer
    {
        guard room == self.room else { throw BackendFailure(.notFound, "There is no such room.") }
        let position = mark.position.flatMap { position in ids.last.map { min(position, $0) } }
        let clamped = ReadMark(version: mark.version, position: position)
        if unread {
            guard clamped == stored || clamped.version == stored.version + 1 else {
                throw BackendFailure(.conflict, "The mark has version \(stored.version).")
            }
            stored = clamped
        } else {
            stored = max(stored, clamped)
        }
        if losesNextAnswer {
            losesNextAnswer = false
            throw BackendFailure(.outcomeUnknown, "The answer was lost.")
        }
        let left = ids.filter { id in stored.position.map { $0 < id } ?? true }
        return ReadAnswer(mark: stored, unread: left.count, unreadAsOf: ids.last)
    }
}
