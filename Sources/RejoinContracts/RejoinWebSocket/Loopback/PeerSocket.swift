import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Thrown where the other side has ended the connection.
struct PeerConnectionEnded: Error {}

/// One accepted connection with blocking reads and writes, for scripts on threads of their own.
final class PeerSocket: Sendable {
    private let descriptor: Int32
    private let isOpen = Mutex(true)
    /// What has been read beyond the upgrade request.
    private let surplus = Mutex<[UInt8]>([])
    private let fullSocket = Mutex<(@Sendable () -> Void)?>(nil)

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var on: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Reads exactly `count` bytes.
    func read(_ count: Int) throws -> [UInt8] {
        var bytes = surplus.withLock { held in
            let taken = Array(held.prefix(count))
            held.removeFirst(taken.count)
            return taken
        }
        bytes.reserveCapacity(count)
        while bytes.count < count {
            bytes += try readSome(maximum: count - bytes.count)
        }
        return bytes
    }

    /// Reads up to and including the empty line that ends an HTTP header.
    func readHeader() throws -> String {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let start = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) {
                let length = start + end.count
                let rest = Array(bytes[length...])
                surplus.withLock { $0 = rest }
                return String(decoding: bytes[..<length], as: UTF8.self)
            }
            bytes += try readSome(maximum: 65_536)
        }
    }

    private func readSome(maximum: Int) throws -> [UInt8] {
        // The C call fills the array's memory and says how much of it.
        let bytes = [UInt8](unsafeUninitializedCapacity: min(maximum, 1 << 20)) { buffer, count in
            count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
        }
        guard !bytes.isEmpty else { throw PeerConnectionEnded() }
        return bytes
    }

    /// Has `body` called when a write finds no room for a quarter of a second.
    func onFullSocket(_ body: @escaping @Sendable () -> Void) {
        fullSocket.withLock { $0 = body }
    }

    /// Writes all bytes.
    func write(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&state, 1, 250) == 0 {
                fullSocket.withLock { $0 }?()
                guard poll(&state, 1, -1) > 0 else { throw PeerConnectionEnded() }
            }
            let sent = bytes[written...].withUnsafeBytes { rest in
                // Small steps: a blocking send would wait until all of it has found room.
                send(descriptor, rest.baseAddress, min(rest.count, 65_536), Self.sendFlags)
            }
            guard sent > 0 else { throw PeerConnectionEnded() }
            written += sent
        }
    }

    #if canImport(Glibc)
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
    private static let sendFlags: Int32 = 0
    #endif

    /// Reads and forgets until the other side ends.
    func drain() {
        while (try? readSome(maximum: 1 << 20)) != nil {}
    }

    /// Waits until the other side ends, without reading.
    func waitForHangUp() {
        #if canImport(Glibc)
        // POLLRDHUP, which the headers hide behind _GNU_SOURCE: unread data hides the end from
        // every other event.
        let events: Int16 = 0x2000
        #else
        let events: Int16 = 0
        #endif
        var state = pollfd(fd: descriptor, events: events, revents: 0)
        _ = poll(&state, 1, -1)
    }

    /// Makes ``close()`` reset the connection.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Wakes whoever is blocked in a call.
    func interrupt() {
        isOpen.withLock { isOpen in
            if isOpen { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Ends the connection.
    func close() {
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            isOpen = false
            #if canImport(Glibc)
            _ = Glibc.close(descriptor)
            #else
            _ = Darwin.close(descriptor)
            #endif
        }
    }
}
