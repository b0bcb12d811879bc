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
        for _ in 1..<attempts {
            let (result, isSteady) = readOnce(path, maximumBytes)
            if isSteady { return result }
        }
        // Whoever writes without pause has what they wrote last read at the next look.
        return readOnce(path, maximumBytes).0
    }

    /// One reading, and whether the file stood still meanwhile.
    private static func readOnce(_ path: String, _ maximumBytes: Int)
        -> (Result<ContiguousArray<UInt8>, FlagFileError>, Bool)
    {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return (.failure(failure(errno)), true) }
        defer { close(descriptor) }
        guard let before = Stamp(of: descriptor) else { return (.failure(failure(errno)), true) }
        guard before.isRegular else {
            return (
                .failure(FlagFileError(.unreadable, "this is no regular file; name a file")), true
            )
        }
        guard before.size <= maximumBytes else {
            return (
                .failure(
                    FlagFileError(
                        .unreadable,
                        "the file has \(before.size) bytes; at most \(maximumBytes) are taken")),
                true
            )
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
        guard failed == 0 else { return (.failure(failure(failed)), true) }
        let isSteady = bytes.count == before.size && Stamp(of: descriptor) == before
        return (.success(bytes), isSteady)
    }

    private static func failure(_ code: Int32) -> FlagFileError {
        let text = String(cString: strerror(code))
        return code == ENOENT || code == ENOTDIR
            ? FlagFileError(.missing, "there is no such file (\(text))")
            : FlagFileError(.unreadable, "the file cannot be read now: \(text)")
    }

    /// What changes when a file does.
    private struct Stamp: Equatable {
        let isRegular: Bool
        let size: Int
        let device: UInt64
        let inode: UInt64
        let seconds: Int
        let nanoseconds: Int

        init?(of descriptor: Int32) {
            var info = stat()
            guard fstat(descriptor, &info) == 0 else { return nil }
            isRegular = info.st_mode & S_IFMT == S_IFREG
            size = Int(info.st_size)
            device = UInt64(info.st_dev)
            inode = UInt64(info.st_ino)
            #if canImport(Darwin)
            let time = info.st_mtimespec
            #else
            let time = info.st_mtim
            #endif
            seconds = Int(time.tv_sec)
            nanoseconds = Int(time.tv_nsec)
        }
    }
}
