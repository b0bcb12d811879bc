import Foundation

/// Reads a flags file whole, or says why not.
///
/// The size is checked before memory is asked for; a pipe or device in the file's place is refused
/// rather than waited for; a file that changes while it is read is read again.
public enum FlagFile {
    /// How often a file that changes under the reader is read again.
    private static let attempts = 5

    /// The bytes of the file at a path, links followed.
    ///
    /// - Complexity: O(length of the file). Blocks for as long as the disk takes.
    public static func read(_ path: String, maximumBytes: Int)
        -> Result<ContiguousArray<UInt8>, FlagFileError>
    {
        do throws(FlagFileError) {
            return .success(try readSteadily(path, maximumBytes).bytes)
        } catch {
            return .failure(error)
        }
    }

    /// What one reading found.
    struct Reading {
        let bytes: ContiguousArray<UInt8>
        /// The file's stamp, where it stood still while it was read.
        let stamp: FlagFileStamp?
    }

    static func readSteadily(_ path: String, _ maximumBytes: Int) throws(FlagFileError) -> Reading {
        for _ in 1..<attempts {
            let reading = try readOnce(path, maximumBytes)
            if reading.stamp != nil { return reading }
        }
        // Whoever writes without pause has what they wrote last read at the next look.
        return try readOnce(path, maximumBytes)
    }

    private static func readOnce(_ path: String, _ maximumBytes: Int) throws(FlagFileError)
        -> Reading
    {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw failure(errno) }
        defer { close(descriptor) }
        guard let before = FlagFileStamp(descriptor: descriptor) else { throw failure(errno) }
        guard before.isRegular else {
            throw FlagFileError(.unreadable, "this is no regular file; name a file")
        }
        guard before.size <= maximumBytes else {
            throw FlagFileError(
                .unreadable,
                "the file has \(before.size) bytes; at most \(maximumBytes) are taken")
        }
        var failed: Int32 = 0
        // One byte more than the file should have shows whether it has grown.
        let bytes = ContiguousArray<UInt8>(unsafeUninitializedCapacity: before.size + 1) {
            // The buffer is filled by the system up to `count`, and used within the closure only.
            buffer, count in
            guard let base = buffer.baseAddress else { return }
            while count < buffer.count {
                let got = Foundation.read(descriptor, base + count, buffer.count - count)
                if got < 0, errno == EINTR { continue }
                if got < 0 { failed = errno }
                guard got > 0 else { return }
                count += got
            }
        }
        guard failed == 0 else { throw failure(failed) }
        let isSteady =
            bytes.count == before.size && FlagFileStamp(descriptor: descriptor) == before
        return Reading(bytes: bytes, stamp: isSteady ? before : nil)
    }

    private static func failure(_ code: Int32) -> FlagFileError {
        let text = String(cString: strerror(code))
        return code == ENOENT || code == ENOTDIR
            ? FlagFileError(.missing, "there is no such file (\(text))")
            : FlagFileError(.unreadable, "the file cannot be read now: \(text)")
    }
}
