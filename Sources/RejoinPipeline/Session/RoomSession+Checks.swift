internal import RejoinReadState
internal import RejoinSync
package import RejoinTime

// What a run of the core can be checked by, in constant time.

/// What a pipeline keeps and waits for.
struct PipelineCheck {
    /// Whether everything that is kept is within its limit.
    var isWithinLimits: Bool
    /// The timers by which it waits, each as a bit.
    private var waiting: UInt8 = 0

    init(isWithinLimits: Bool, waitsFor isWaiting: (PipelineTimer) -> Bool) {
        self.isWithinLimits = isWithinLimits
        for timer in Self.timers where isWaiting(timer) { waiting |= Self.bit(of: timer) }
    }

    func waits(for timer: PipelineTimer) -> Bool { waiting & Self.bit(of: timer) != 0 }

    static let timers = PipelineTimer.allCases

    private static func bit(of timer: PipelineTimer) -> UInt8 {
        switch timer {
        case .retry: 1
        case .confirmTail: 2
        case .reorder: 4
        case .settle: 8
        }
    }
}

/// A pipeline that can be checked.
protocol CheckedPipeline: RoomPipeline {
    /// What it keeps and waits for.
    ///
    /// - Complexity: O(1).
    var check: PipelineCheck { get }
}

/// What is wrong inside of a room's cores.
package enum RoomSessionFault: Hashable, Sendable {
    /// A timer is set that no core waits for, a core waits for one that is not set, or for another
    /// instant.
    case timer(RoomTimer)
    /// More is kept than the stated limits allow.
    case limit
}

extension RoomSession {
    /// Looks whether each timer that is set has an owner that waits for it, and whether everything
    /// that the cores keep is within its limit; `nil`: it is so.
    ///
    /// - Parameter armed: the instant that a timer is set for; `nil`: it is not set.
    /// - Complexity: O(1).
    package func fault(armed: (RoomTimer) -> Instant?) -> RoomSessionFault? {
        let check = pipelines.check
        guard check.isWithinLimits, outbox.isWithinLimits, reads.isWithinLimits,
            landing.isWithinLimits,
            localKeys.all.count <= LocalKeys.limit
        else { return .limit }
        for timer in Self.outboxTimers where armed(.outbox(timer)) != outbox.deadline(of: timer) {
            return .timer(.outbox(timer))
        }
        for timer in Self.readTimers where armed(.read(timer)) != reads.deadline(of: timer) {
            return .timer(.read(timer))
        }
        for timer in PipelineCheck.timers
        where (armed(.pipeline(timer)) != nil) != check.waits(for: timer) {
            return .timer(.pipeline(timer))
        }
        return nil
    }

    private static let outboxTimers = OutboxTimer.allCases
    private static let readTimers = ReadSyncTimer.allCases
}
