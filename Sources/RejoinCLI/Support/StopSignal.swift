#if os(Linux)
import Dispatch
import Foundation

/// The signals that ask a program to end. They are taken from its making on, so that one which
/// comes before anybody waits is not lost, and does not end the process in the midst of its start.
struct StopSignal {
    private let signals: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (signals, continuation) = AsyncStream.makeStream(
            of: Int32.self, bufferingPolicy: .bufferingNewest(1))
        self.signals = signals
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
    }

    /// Returns when one has come, or when the task is cancelled.
    func wait() async {
        for await _ in signals { break }
        for source in sources { source.cancel() }
    }

    /// Does work that leaves nothing behind where it is cancelled; `nil`: a signal came first.
    static func unlessStopped<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                await StopSignal().wait()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
#endif
