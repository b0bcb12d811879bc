public import RejoinTime
import RejoinTransport
import Synchronization

/// A time source that stands still until a test moves it.
///
/// Sleepers wake in the order of their deadlines, and of their falling asleep where deadlines are
/// equal.
public final class VirtualTime: TimeSource {
    private struct Sleeper {
        let ticket: Int
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now: Instant
        var issued = 0
        var sleepers: [Sleeper] = []
    }

    private let wallOrigin: WallTime
    private let state: Mutex<State>
    private let fellAsleep = Signal(.onceEach)

    /// Creates a source that stands at `now`, where the calendar says `wallNow`.
    public init(now: Instant = .origin, wallNow: WallTime = WallTime(milliseconds: 0)) {
        state = Mutex(State(now: now))
        wallOrigin = wallNow.advanced(by: now.duration(to: .origin))
    }

    public var now: Instant { state.withLock { $0.now } }

    public var wallNow: WallTime {
        wallOrigin.advanced(by: Instant.origin.duration(to: now))
    }

    public func sleep(until deadline: Instant) async throws {
        let ticket = state.withLock { state in
            state.issued += 1
            return state.issued
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let isOver = fallAsleep(ticket, deadline, continuation) {
                    continuation.resume(with: isOver)
                } else {
                    fellAsleep.raise()
                }
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.sleepers.firstIndex { $0.ticket == ticket }.map {
                    state.sleepers.remove(at: $0)
                }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private func fallAsleep(
        _ ticket: Int, _ deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>
    ) -> Result<Void, any Error>? {
        state.withLock { state in
            // The cancellation handler may have run before there was a sleeper to be found.
            if Task.isCancelled { return .failure(CancellationError()) }
            if deadline <= state.now { return .success(()) }
            let place =
                state.sleepers.firstIndex { $0.deadline > deadline } ?? state.sleepers.endIndex
            state.sleepers.insert(
                Sleeper(ticket: ticket, deadline: deadline, continuation: continuation), at: place)
            return nil
        }
    }

    // MARK: For tests

    /// When the next sleeper wakes.
    public var nextDeadline: Instant? { state.withLock { $0.sleepers.first?.deadline } }

    /// Moves the time on and wakes whoever is due, one deadline after the other.
    public func advance(to target: Instant) {
        while true {
            let woken: Sleeper? = state.withLock { state in
                guard let first = state.sleepers.first, first.deadline <= target else {
                    state.now = max(state.now, target)
                    return nil
                }
                state.now = max(state.now, first.deadline)
                return state.sleepers.removeFirst()
            }
            guard let woken else { return }
            woken.continuation.resume()
        }
    }

    /// Moves the time on by a duration.
    public func advance(by duration: Duration) {
        advance(to: now + duration)
    }

    /// Waits until somebody sleeps towards a deadline that fits, and moves the time there: the way
    /// to let a shell's timer fire without guessing whether it is set yet. One caller at a time.
    ///
    /// - Returns: the deadline; `nil` where the task is cancelled.
    @discardableResult
    public func advanceToSleeper(
        where fits: @Sendable (Instant) -> Bool = { _ in true }
    ) async -> Instant? {
        while !Task.isCancelled {
            let found = state.withLock { state in
                state.sleepers.first { fits($0.deadline) }?.deadline
            }
            if let found {
                advance(to: found)
                return found
            }
            await fellAsleep.wait()
        }
        return nil
    }
}
