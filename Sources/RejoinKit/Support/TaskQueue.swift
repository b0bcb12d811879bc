/// Hands work from an engine's synchronous decisions to its one structured `run()`.
///
/// Bounded: what an engine has under way is bounded by its cores, so a full queue means that a core
/// broke its own limit, which traps.
package struct TaskQueue: Sendable {
    package typealias Work = @Sendable () async -> Void

    private let stream: AsyncStream<Work>
    private let continuation: AsyncStream<Work>.Continuation
    private let limit: Int

    package init(limit: Int) {
        self.limit = limit
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(limit))
    }

    /// Adds work; it starts as soon as `run()` gets to it. After ``finish()`` it is dropped.
    package func add(_ work: @escaping Work) {
        switch continuation.yield(work) {
        case .enqueued, .terminated: break
        case .dropped: preconditionFailure("more than \(limit) effects wait to be started")
        @unknown default: break
        }
    }

    /// Ends ``run()`` once all work is cancelled.
    package func finish() {
        continuation.finish()
    }

    /// Runs the work, each piece in a child task, until ``finish()`` or cancellation; then cancels
    /// what is still running and waits for it.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for await work in stream {
                group.addTask { await work() }
            }
            group.cancelAll()
        }
    }
}
