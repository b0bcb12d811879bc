public import RejoinTime

/// What every ``TimeSource`` keeps.
///
/// - Parameters:
///   - make: makes a source.
///   - wait: lets a duration pass on it; for real time nothing is to be done.
public func timeSourceContract<Source: TimeSource>(
    make: @escaping @Sendable () -> Source,
    letPass: @escaping @Sendable (Source, Duration) async -> Void = { _, _ in }
) -> [ContractCheck] {
    [
        ContractCheck("time.never-goes-back", promise: "P3") {
            let source = make()
            var last = source.now
            for _ in 0..<100 {
                let now = source.now
                try require(
                    now >= last, "time.never-goes-back", expected: "a time not before \(last)",
                    got: "\(now)", whoIsHurt: "every timer: deadlines would pass twice")
                last = now
            }
        },
        ContractCheck("time.past-deadline-returns", promise: "P8") {
            let source = make()
            try await source.sleep(until: source.now)
            try await source.sleep(until: Instant(nanoseconds: .min / 2))
        },
        ContractCheck("time.sleeps-until-deadline", promise: "P8") {
            let source = make()
            let deadline = source.now + .milliseconds(20)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await source.sleep(until: deadline) }
                group.addTask { await letPass(source, .milliseconds(20)) }
                try await group.waitForAll()
            }
            try require(
                source.now >= deadline, "time.sleeps-until-deadline",
                expected: "to wake at \(deadline) or later", got: "\(source.now)",
                whoIsHurt: "the server: waits before a reconnect would be cut short")
        },
        ContractCheck("time.cancellation-throws", promise: "P8") {
            let source = make()
            let outcome = await withTaskGroup(of: Bool.self) { group in
                group.addTask {
                    do {
                        try await source.sleep(until: source.now + .seconds(3_600))
                        return false
                    } catch {
                        return error is CancellationError
                    }
                }
                group.cancelAll()
                return await group.next() ?? false
            }
            try require(
                outcome, "time.cancellation-throws", expected: "CancellationError",
                got: "another end", whoIsHurt: "a closing client, which would hang on its timers")
        },
    ]
}
