import Foundation

/// Standard input and output, octet by octet.
enum StandardStreams {
    /// The next octets of standard input; `nil` at its end.
    static func read() throws -> ContiguousArray<UInt8>? {
        let next: Data?
        do {
            next = try FileHandle.standardInput.read(upToCount: 64 << 10)
        } catch {
            throw CommandError.failure(
                "standard input cannot be read; it must be a file, a pipe or a terminal")
        }
        guard let next, !next.isEmpty else { return nil }
        return ContiguousArray(next)
    }

    /// Hands on every line of standard input without its line feed, and its number from 1; what
    /// follows the last line feed is a line too, unless it is empty.
    ///
    /// - Parameter longest: the greatest length of a line, in octets.
    static func readLines(
        longest: Int, _ take: (ContiguousArray<UInt8>, Int) throws -> Void
    ) throws {
        var rest: ContiguousArray<UInt8> = []
        var number = 0
        while let bytes = try read() {
            var start = 0
            while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                number += 1
                rest += bytes[start..<end]
                try take(rest, number)
                rest.removeAll(keepingCapacity: true)
                start = end + 1
            }
            rest += bytes[start...]
            guard rest.count <= longest else {
                throw CommandError.failure(
                    "line \(number + 1) is longer than \(longest) octets")
            }
        }
        if !rest.isEmpty { try take(rest, number + 1) }
    }

    /// Writes octets to standard output at once.
    static func write(_ bytes: ContiguousArray<UInt8>) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            throw CommandError.failure("standard output cannot be written to; is the disk full?")
        }
    }
}
