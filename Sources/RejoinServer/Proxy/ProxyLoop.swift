#if os(Linux)
import Foundation
import RejoinTime

/// The proxy's thread: one `poll` over all sockets, commands between its rounds.
///
/// `@unchecked Sendable`: the queue of commands is guarded by `lock`; `world` is touched by the
/// loop's thread alone.
final class ProxyLoop: @unchecked Sendable {
    typealias Command = @Sendable (inout ProxyWorld) -> Void

    let port: UInt16
    private let lock = NSLock()
    private var commands: [Command] = []
    private var isFinished = false
    /// A pipe whose only use is to end a `poll`.
    private let wakeRead: Int32
    private let wakeWrite: Int32
    private var world: ProxyWorld

    init(
        target: UInt16, port: UInt16, bufferBytes: Int, maximumConnections: Int
    ) throws(ReferenceServerError) {
        let listening = try ProxySocket.listening(on: port)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            ProxySocket.close(listening.descriptor, resetting: false)
            throw ReferenceServerError(.cannotListen, "the proxy cannot make a pipe")
        }
        self.port = listening.port
        (wakeRead, wakeWrite) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        world = ProxyWorld(
            listener: listening.descriptor, target: target, bufferBytes: bufferBytes,
            maximumConnections: maximumConnections)
    }

    func begin() {
        let thread = Thread { self.run() }
        thread.name = "rejoin proxy"
        thread.start()
    }

    /// Hands in a command; it runs before any byte that arrives later is passed on. After the
    /// end it runs at once, on what is left: nothing.
    func post(_ command: @escaping Command) {
        let isTaken = lock.withLock {
            guard !isFinished else { return false }
            commands.append(command)
            wake()
            return true
        }
        guard !isTaken else { return }
        var nothing = ProxyWorld(
            listener: -1, target: 0, bufferBytes: 1, maximumConnections: 0)
        command(&nothing)
    }

    func finish() {
        lock.withLock {
            guard !isFinished else { return }
            isFinished = true
            wake()
        }
    }

    private func wake() {
        var byte: UInt8 = 1
        // A full pipe wakes as well as one byte more would.
        _ = Foundation.write(wakeWrite, &byte, 1)
    }

    private func run() {
        while true {
            let (ready, ends) = lock.withLock {
                let taken = commands
                commands = []
                return (taken, isFinished)
            }
            for command in ready { command(&world) }
            if ends { break }
            var polled = world.interests(and: wakeRead)
            // A command may ask for something at once, such as a cut.
            let timeout = ready.isEmpty ? world.pollTimeout : 0
            let count = poll(&polled, nfds_t(polled.count), timeout)
            guard count >= 0 else { continue }
            if polled[0].revents != 0 { drainWakes() }
            // A command that came meanwhile goes first: the bytes wait in the sockets.
            let hasCommands = lock.withLock { !commands.isEmpty || isFinished }
            if !hasCommands { world.serve(polled.dropFirst()) }
        }
        world.closeAll(resetting: false)
        ProxySocket.close(world.listener, resetting: false)
        lock.withLock {
            Foundation.close(wakeRead)
            Foundation.close(wakeWrite)
        }
    }

    private func drainWakes() {
        var bytes: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &bytes) { buffer in
            while Foundation.read(wakeRead, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
#endif
