#if os(Linux)
import Foundation

/// The few socket calls that the proxy needs, without their C shapes.
enum ProxySocket {
    /// What came of a read.
    enum Reading {
        case bytes(Int)
        case end
        case nothing
        case failed
    }

    /// A listening socket on loopback.
    static func listening(on port: UInt16) throws(ReferenceServerError) -> (
        descriptor: Int32, port: UInt16
    ) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw failure(port) }
        enable(SO_REUSEADDR, on: descriptor)
        var address = loopback(port)
        let bound = withAddress(&address) { bind(descriptor, $0, $1) }
        guard bound == 0, Foundation.listen(descriptor, 128) == 0 else {
            let error = failure(port)
            Foundation.close(descriptor)
            throw error
        }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutableBytes(of: &address) { bytes in
            _ = getsockname(
                descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
        }
        makeNonblocking(descriptor)
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// A socket that connects to a port of this machine; -1 where that fails at once.
    static func connecting(to port: UInt16) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return -1 }
        prepare(descriptor)
        var address = loopback(port)
        let result = withAddress(&address) { connect(descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else {
            Foundation.close(descriptor)
            return -1
        }
        return descriptor
    }

    /// Whether a connection in progress has failed.
    static func hasFailed(_ descriptor: Int32) -> Bool {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        return code != 0
    }

    /// Small writes go at once: what a throttle lets through must not wait to be gathered.
    static func prepare(_ descriptor: Int32) {
        makeNonblocking(descriptor)
        var yes: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes,
            socklen_t(MemoryLayout<Int32>.size))
    }

    static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer)
        -> Reading
    {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .end }
        return errno == EAGAIN || errno == EINTR ? .nothing : .failed
    }

    /// The number of bytes taken; -1 where the connection is broken.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : -1
    }

    static func endWriting(_ descriptor: Int32) {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes with FIN, or with RST: a linger time of zero makes the kernel send one.
    static func close(_ descriptor: Int32, resetting: Bool) {
        if resetting {
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        Foundation.close(descriptor)
    }

    private static func makeNonblocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func enable(_ option: Int32, on descriptor: Int32) {
        var yes: Int32 = 1
        setsockopt(
            descriptor, SOL_SOCKET, option, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return address
    }

    private static func withAddress(
        _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    private static func failure(_ port: UInt16) -> ReferenceServerError {
        errno == EADDRINUSE
            ? ReferenceServerError(
                .portInUse, "port \(port) is in use; choose another, or 0 for a free one")
            : ReferenceServerError(
                .cannotListen,
                "the proxy cannot listen on port \(port): \(String(cString: strerror(errno)))")
    }
}
#endif
