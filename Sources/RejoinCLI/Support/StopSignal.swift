#if os(Linux)
import Dispatch
import Foundation

/// Waits for the signals that ask a program to end.
enum StopSignal {
    static func wait() async {
        let (signals, continuation) = AsyncStream.makeStream(
            of: Int32.self, bufferingPolicy: .bufferingNewest(1))
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
        for await _ in signals { break }
        for source in sources { source.cancel() }
    }

    /// The exit status of a program that was interrupted, as shells count it.
    static let exitStatus: Int32 = 130

    /// Does work that leaves nothing behind where it is cancelled; `nil`: a signal came first.
    static func unlessStopped<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await work() }
            group.addTask {
                await wait()
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
#endif
