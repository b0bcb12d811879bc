import Foundation

/// Standard input and output, octet by octet: every subcommand reads and writes through here.
///
/// An answer that cannot be written is a failure, whatever else went well: exit status 1 and a line
/// on standard error. A reader that has gone, such as `head` with enough lines, is none: the
/// program ends without a word, with the status of one that SIGPIPE has ended.
enum StandardStreams {
    // MARK: Reading

    /// The next octets of standard input, as soon as there are some; `nil` at its end.
    static func read() throws(CommandError) -> ContiguousArray<UInt8>? {
        let (bytes, failure) = Descriptor.read(STDIN_FILENO)
        guard failure == 0 else {
            throw .failure(
                "standard input cannot be read (\(SystemError.text(failure))); it must be a "
                    + "file, a pipe or a terminal")
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Hands on every line of standard input without its line feed, and its number from 1, as soon
    /// as the line feed has come; what follows the last line feed is a line too, unless it is
    /// empty.
    ///
    /// - Parameter longest: the greatest length of a line, in octets.
    static func readLines(
        longest: Int, _ take: (ContiguousArray<UInt8>, Int) throws -> Void
    ) throws {
        var rest: ContiguousArray<UInt8> = []
        var number = 1
        while let bytes = try read() {
            var start = bytes.startIndex
            while start < bytes.endIndex {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n"))
                let piece = bytes[start..<(end ?? bytes.endIndex)]
                guard rest.count + piece.count <= longest else {
                    throw CommandError.failure(
                        "line \(number) is longer than \(longest) octets; shorten it")
                }
                rest += piece
                start += piece.count
                guard end != nil else { break }
                try take(rest, number)
                number += 1
                rest.removeAll(keepingCapacity: true)
                start += 1
            }
        }
        if !rest.isEmpty { try take(rest, number) }
    }

    /// Whether a line holds nothing but white space.
    static func isBlank(_ line: ContiguousArray<UInt8>) -> Bool {
        line.allSatisfy { [0x20, 0x09, 0x0D].contains($0) }
    }

    // MARK: Writing

    /// Writes octets to standard output at once.
    static func write(_ bytes: ContiguousArray<UInt8>) throws(CommandError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The buffer is used within the call only.
            let put = rest.withUnsafeBytes {
                Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            let code = put < 0 ? errno : 0
            switch code {
            case 0: rest = rest.dropFirst(put)
            case EINTR: break
            case EAGAIN: waitUntilWritable()
            case EPIPE: throw .readerHasGone
            default:
                throw .failure(
                    "standard output cannot be written to: \(SystemError.text(code)); what was "
                        + "asked for is incomplete")
            }
        }
    }

    /// Writes lines to standard output at once.
    static func say(_ text: String) throws(CommandError) {
        try write(ContiguousArray((text + "\n").utf8))
    }

    /// Writes a line to standard error. Where that fails, there is nobody left to tell.
    static func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Whoever shares the terminal or pipe may have made it one that does not wait.
    private static func waitUntilWritable() {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        poll(&descriptor, 1, -1)
    }

    // MARK: Starting

    /// Sees to it that the three streams are taken, and that an answer to a reader who has gone is
    /// an error instead of the end of the process.
    ///
    /// Where a stream was closed by whoever started the program, the first file or socket to be
    /// opened would take its number, and output would land in it. What is put in its place fails
    /// as a closed stream does.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
        where fcntl(number, F_GETFD) == -1 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

/// A file, pipe or terminal that is open.
enum Descriptor {
    /// The next bytes, at most 64 KiB, as soon as there are some; none at the end. The failure is
    /// an error number, 0 for none.
    static func read(_ descriptor: Int32) -> (bytes: ContiguousArray<UInt8>, failure: Int32) {
        var failure: Int32 = 0
        let bytes = ContiguousArray<UInt8>(unsafeUninitializedCapacity: 64 << 10) {
            // The buffer is filled by the system up to `count`, and used within the closure only.
            buffer, count in
            var got = -1
            repeat {
                got = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            } while got < 0 && errno == EINTR
            if got < 0 { failure = errno }
            count = max(0, got)
        }
        return (bytes, failure)
    }
}

/// What the system says of a failure.
enum SystemError {
    /// The text of an error number, such as "No space left on device".
    static func text(_ code: Int32) -> String { String(cString: strerror(code)) }

    /// The error number beneath an error of Foundation, as text; `nil` where there is none.
    static func text(of error: any Error) -> String? {
        var next: (any Error)? = error
        // Foundation wraps once or twice; a cycle must not hang us.
        for _ in 0..<4 {
            guard let current = next else { return nil }
            if let known = current as? POSIXError { return text(known.code.rawValue) }
            let bridged = current as NSError
            if bridged.domain == NSPOSIXErrorDomain { return text(Int32(bridged.code)) }
            next = bridged.userInfo[NSUnderlyingErrorKey] as? any Error
        }
        return nil
    }
}
