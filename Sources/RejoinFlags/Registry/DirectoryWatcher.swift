import Dispatch
import Foundation
import Synchronization

/// Tells that something in a directory has changed; what, the reader finds out.
///
/// The directory and not the file: a file that is replaced by renaming, or by a link that is moved
/// (as Kubernetes does for a ConfigMap), is another file, and a watch on the old one sees nothing.
/// Where no notice comes at all, the registry's poll is the backstop.
final class DirectoryWatcher: Sendable {
    private let directory: String
    private let onChange: @Sendable () -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "rejoin.flags.watch", qos: .utility)

    init(directory: String, onChange: @escaping @Sendable () -> Void) {
        self.directory = directory
        self.onChange = onChange
    }

    #if canImport(Darwin)
    private struct State {
        var source: (any DispatchSourceFileSystemObject)?
        var closed: Latch?
        var descriptor: Int32 = -1
    }

    /// Watches the directory that now stands at the path; does nothing where that is so already.
    func arm() {
        state.withLock { state in
            if state.source != nil {
                guard !isSame(state.descriptor) else { return }
                state.source?.cancel()
                state.source = nil
            }
            let descriptor = open(directory, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor,
                eventMask: [.write, .extend, .attrib, .link, .rename, .delete], queue: queue)
            source.setEventHandler { [onChange] in onChange() }
            let closed = Latch()
            source.setCancelHandler {
                close(descriptor)
                closed.open()
            }
            source.activate()
            state.source = source
            state.closed = closed
            state.descriptor = descriptor
        }
    }

    private func isSame(_ descriptor: Int32) -> Bool {
        var held = stat()
        var named = stat()
        return fstat(descriptor, &held) == 0 && stat(directory, &named) == 0
            && held.st_ino == named.st_ino && held.st_dev == named.st_dev
    }
    #else
    private struct State {
        var source: (any DispatchSourceRead)?
        var closed: Latch?
        var descriptor: Int32 = -1
        var watch: Int32 = -1
    }

    /// What counts: content, comings, goings, and the directory's own end.
    private static let mask = UInt32(
        IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO
            | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

    /// Watches the directory that now stands at the path. inotify gives the same watch again where
    /// that is so already, so calling it with every poll finds a directory that was replaced.
    func arm() {
        state.withLock { state in
            if state.source == nil { open(&state) }
            guard state.descriptor >= 0 else { return }
            let watch = inotify_add_watch(state.descriptor, directory, Self.mask)
            if state.watch >= 0, watch != state.watch {
                // Gone already where the directory was deleted; it may only have been moved.
                inotify_rm_watch(state.descriptor, state.watch)
            }
            state.watch = watch
        }
    }

    private func open(_ state: inout State) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        // Without a descriptor (the system has a limit per user) the poll does the work.
        guard descriptor >= 0 else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [onChange] in
            Self.drain(descriptor)
            onChange()
        }
        let closed = Latch()
        source.setCancelHandler {
            close(descriptor)
            closed.open()
        }
        source.activate()
        state.source = source
        state.closed = closed
        state.descriptor = descriptor
    }

    /// Takes the events off the queue; what they say does not matter.
    private static func drain(_ descriptor: Int32) {
        // Events are at most 272 bytes long; the buffer is used within the closure only.
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 8) { buffer in
            while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
    #endif

    /// Ends the watch; returns when its descriptor is closed.
    func cancel() async {
        let (source, closed) = state.withLock { state in
            defer { state = State() }
            return (state.source, state.closed)
        }
        source?.cancel()
        await closed?.wait()
    }
}

/// Lets one task wait for an event, also in a task that was cancelled.
private final class Latch: Sendable {
    private let state = Mutex<State>(.closed)

    private enum State {
        case closed
        case awaited(CheckedContinuation<Void, Never>)
        case open
    }

    func open() {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .open }
            switch state {
            case .awaited(let continuation): return continuation
            case .closed, .open: return nil
            }
        }
        waiting?.resume()
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                switch state {
                case .open: return true
                case .closed, .awaited:
                    state = .awaited(continuation)
                    return false
                }
            }
            if isOpen { continuation.resume() }
        }
    }
}
