#if os(Linux)
import CLibWebSockets
import Dispatch
import Foundation

/// The one thread on which a server does everything: libwebsockets' event loop and, between
/// its rounds, the jobs of the actor that runs here. So sockets, sessions and the database
/// need no lock, and commits have one order.
///
/// `@unchecked Sendable`: all mutable state is guarded by `condition`.
final class ServiceThread: SerialExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    /// What the loop serves; `nil` before the start and after the stop, when it waits for jobs.
    private var context: OpaquePointer?
    private var isFinished = false
    private var thread: Thread?
    /// Where late jobs run once the thread has ended.
    private let afterlife = DispatchQueue(label: "rejoin.server.afterlife")

    /// Starts the thread.
    func begin(name: String) {
        let thread = Thread { self.run() }
        thread.name = name
        condition.withLock { self.thread = thread }
        thread.start()
    }

    /// Lets the thread end once its jobs are done.
    func finish() {
        condition.withLock {
            isFinished = true
            wake()
        }
    }

    /// Makes the loop serve a context, or none. Called on the thread, outside of callbacks.
    func serve(_ context: OpaquePointer?) {
        condition.withLock { self.context = context }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isTaken = condition.withLock {
            guard thread != nil else { return false }
            jobs.append(job)
            wake()
            return true
        }
        guard !isTaken else { return }
        afterlife.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        precondition(
            condition.withLock { thread === Thread.current },
            "the server's state is touched from outside its thread")
    }

    private func wake() {
        // `lws_cancel_service` is the one call that libwebsockets allows from any thread.
        if let context { lws_cancel_service(context) } else { condition.signal() }
    }

    private func run() {
        while true {
            condition.lock()
            while jobs.isEmpty, context == nil, !isFinished { condition.wait() }
            let ready = jobs
            jobs.removeAll(keepingCapacity: true)
            let ends = ready.isEmpty && isFinished && context == nil
            if ends { thread = nil }
            condition.unlock()
            guard !ends else { return }
            for job in ready { job.runSynchronously(on: asUnownedSerialExecutor()) }
            let served = condition.withLock { jobs.isEmpty ? context : nil }
            // Returns after one round of events, or when a job wakes it.
            if let served { lws_service(served, 0) }
        }
    }
}
#endif
