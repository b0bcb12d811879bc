#if os(Linux)
import Dispatch
import Foundation

/// A plain TCP connection to a port of this machine, for tests that must control every byte. Its
/// blocking calls run on a queue of its own, so that they never hold a thread of the pool.
final class RawSocket: Sendable {
    private let descriptor: Int32
    private let queue = DispatchQueue(label: "raw socket")

    struct Failure: Error {
        let code: Int32
        var isReset: Bool { code == ECONNRESET || code == EPIPE }
    }

    /// Connects. Reads give up after ten seconds, so that a hanging test fails instead.
    init(port: UInt16, receiveBufferBytes: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
        if var bytes = receiveBufferBytes {
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            Foundation.close(descriptor)
            throw Failure(code: code)
        }
    }

    deinit { Foundation.close(descriptor) }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) async throws {
        try await onQueue { [descriptor] in
            var sent = 0
            while sent < bytes.count {
                let count = bytes[sent...].withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { throw Failure(code: errno) }
                sent += count
            }
        }
    }

    /// What is there, at most `limit` bytes; empty at the end of the stream.
    func receive(_ limit: Int = 65_536) async throws -> [UInt8] {
        try await onQueue { [descriptor] in
            var buffer = [UInt8](repeating: 0, count: limit)
            let count = recv(descriptor, &buffer, limit, 0)
            guard count >= 0 else { throw Failure(code: errno) }
            return Array(buffer[..<count])
        }
    }

    /// Everything up to the end of the stream; a reset counts as an end.
    func receiveAll() async -> [UInt8] {
        var all: [UInt8] = []
        while let part = try? await receive(), !part.isEmpty { all += part }
        return all
    }

    func endWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value)
        async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
#endif
