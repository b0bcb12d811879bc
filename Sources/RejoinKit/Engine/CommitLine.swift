internal import RejoinPipeline

/// The commits of one room on their way to the store, in the order in which its cores asked, one
/// at a time. It outlives an opening of the room: the next one begins where the last commit ends.
///
/// Bounded by the cores, which have one commit of each kind under way, or few.
struct CommitLine {
    private var commits: [(commit: RoomCommit, room: OpenRoom)] = []
    /// The openings that have used it.
    private var openings: [OpenRoom] = []
    /// Who waits until it is empty.
    var waiters: [CheckedContinuation<Void, Never>] = []

    /// The openings that have used it and have ended.
    var ended: [OpenRoom] { openings.filter(\.isEnded) }

    mutating func append(_ commit: RoomCommit, of room: OpenRoom) {
        commits.append((commit, room))
        if openings.last !== room { openings.append(room) }
    }

    mutating func popFirst() -> (commit: RoomCommit, room: OpenRoom)? {
        commits.isEmpty ? nil : commits.removeFirst()
    }
}
