#if canImport(UIKit)
internal import Foundation
public import UIKit

/// Tells a chat when the app comes to the foreground and when it leaves, and asks the system for
/// the time to say farewell.
///
/// ```swift
/// let observer = AppLifecycleObserver(
///     enterForeground: { await client.enterForeground() }, suspend: { await client.suspend() })
/// await observer.run()
/// ```
@MainActor
public final class AppLifecycleObserver {
    private let application: UIApplication
    private let enterForeground: @Sendable () async -> Void
    private let suspend: @Sendable () async -> Void
    private var phases = AppPhases()
    private var assertion = UIBackgroundTaskIdentifier.invalid

    /// Creates an observer.
    ///
    /// - Parameters:
    ///   - enterForeground: connects, and catches up.
    ///   - suspend: lets go of the connection; must return within a few seconds, since the system
    ///     ends apps that take longer than the time it gives.
    public init(
        application: UIApplication = .shared, enterForeground: @escaping @Sendable () async -> Void,
        suspend: @escaping @Sendable () async -> Void
    ) {
        self.application = application
        self.enterForeground = enterForeground
        self.suspend = suspend
    }

    /// Observes until the task is cancelled. A call in progress does not hold up the next one: who
    /// comes back while the farewell still lasts is connected at once.
    public func run() async {
        // Only the newest phase counts for a loop that is late.
        let (stream, continuation) = AsyncStream.makeStream(
            of: AppPhases.Phase.self, bufferingPolicy: .bufferingNewest(1))
        let tokens = observe(continuation)
        defer {
            for token in tokens { NotificationCenter.default.removeObserver(token) }
            endAssertion()
        }
        continuation.yield(application.applicationState == .background ? .background : .foreground)
        await withDiscardingTaskGroup { group in
            for await phase in stream {
                if phase == .foreground { endAssertion() }
                switch phases.handle(phase) {
                case .enterForeground:
                    group.addTask { await self.enterForeground() }
                case .suspend:
                    let held = assertion
                    group.addTask {
                        await self.suspend()
                        await self.endAssertion(held)
                    }
                case nil: continue
                }
            }
        }
    }

    private func observe(
        _ phases: AsyncStream<AppPhases.Phase>.Continuation
    ) -> [any NSObjectProtocol] {
        func observe(
            _ name: Notification.Name, _ note: @escaping @MainActor @Sendable () -> Void
        ) -> any NSObjectProtocol {
            // Without a queue the block runs where the system posts, which is the main thread.
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated(note)
            }
        }
        return [
            observe(UIApplication.willEnterForegroundNotification) { phases.yield(.foreground) },
            observe(UIApplication.didEnterBackgroundNotification) { [weak self] in
                // At once: the app may be suspended when this returns.
                self?.beginAssertion()
                phases.yield(.background)
            },
        ]
    }

    private func beginAssertion() {
        guard assertion == .invalid else { return }
        assertion = application.beginBackgroundTask(withName: "rejoin.suspend") { [weak self] in
            self?.endAssertion()
        }
    }

    /// - Parameter held: the assertion to give back; one that was taken since stays.
    private func endAssertion(_ held: UIBackgroundTaskIdentifier? = nil) {
        guard assertion != .invalid, held == nil || held == assertion else { return }
        application.endBackgroundTask(assertion)
        assertion = .invalid
    }
}
#endif
