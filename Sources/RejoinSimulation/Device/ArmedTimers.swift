internal import RejoinPipeline
internal import RejoinReadState
internal import RejoinSync
internal import RejoinTime

/// The timers that are set for a room, each with its instant.
///
/// A place for each instead of a dictionary: they are looked at all the time.
struct ArmedTimers {
    private var deadlines = [Instant?](repeating: nil, count: 12)
    /// Whether one was set or called off since this was last looked at.
    var isChanged = false

    subscript(timer: RoomTimer) -> Instant? {
        get { deadlines[Self.place(of: timer)] }
        set {
            deadlines[Self.place(of: timer)] = newValue
            isChanged = true
        }
    }

    private static func place(of timer: RoomTimer) -> Int {
        switch timer {
        case .pipeline(.retry): 0
        case .pipeline(.confirmTail): 1
        case .pipeline(.reorder): 2
        case .pipeline(.settle): 3
        case .outbox(.retry): 4
        case .outbox(.attempt): 5
        case .outbox(.echo): 6
        case .outbox(.store): 7
        case .read(.report): 8
        case .read(.attempt): 9
        case .read(.store): 10
        case .read(.summary): 11
        }
    }
}
