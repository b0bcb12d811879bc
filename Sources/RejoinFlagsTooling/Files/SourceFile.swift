import Foundation
import RejoinFlags

/// Replaces a person's file whole, if it still is what the change was made from.
///
/// Whoever writes takes an exclusive lock of the folder first, so that of several who decided on
/// the same bytes only one writes, and the others learn that the file has changed. An editor knows
/// of no lock; its change is seen all the same, unless it comes between the last look and the
/// rename.
enum SourceFile {
    /// Why nothing was written.
    enum Failure: Error, Equatable {
        /// The file is another than the one that was read.
        case changed
        /// What the system says.
        case system(Int32)
    }

    /// Puts new bytes in the place of those that were read. Links and permissions stay.
    static func replace(
        _ path: String, _ old: ContiguousArray<UInt8>, by new: ContiguousArray<UInt8>
    ) throws(Failure) {
        // A link stays a link, and what it points to is replaced.
        let url = URL(filePath: path).resolvingSymlinksInPath()
        let lock = try FolderLock(url.deletingLastPathComponent().path)
        defer { lock.release() }
        let copy = copy(of: url)
        // Of a run that was killed while it wrote; nobody else writes now.
        unlink(copy)
        defer { unlink(copy) }
        try write(new, to: copy, like: url.path)
        // Last of all, so that a change in the meantime is seen.
        guard case .success(old) = FlagFile.read(url.path, maximumBytes: FlagSource.maximumBytes)
        else { throw .changed }
        guard rename(copy, url.path) == 0 else { throw .system(errno) }
    }

    /// The one name under which a file is written before it is renamed: whoever is killed leaves at
    /// most this, and the next write takes it away.
    static func copy(of url: URL) -> String {
        url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).writing").path
    }

    private static func write(
        _ bytes: ContiguousArray<UInt8>, to path: String, like model: String
    ) throws(Failure) {
        var status = stat()
        guard stat(model, &status) == 0 else { throw .changed }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(errno) }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            // The buffer is used within the call only.
            let put = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if put < 0, errno == EINTR { continue }
            guard put >= 0 else { throw .system(errno) }
            rest = rest.dropFirst(put)
        }
        guard fchmod(descriptor, status.st_mode & 0o7777) == 0, fsync(descriptor) == 0 else {
            throw .system(errno)
        }
    }
}

/// The exclusive lock of a folder, which ends with the process at the latest.
private struct FolderLock {
    private let descriptor: Int32

    /// Waits for it. Where a file system has no locks, the comparison has to do alone.
    init(_ path: String) throws(SourceFile.Failure) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(errno) }
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
    }

    func release() { close(descriptor) }
}
