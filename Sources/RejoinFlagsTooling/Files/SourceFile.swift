import Foundation
import RejoinFlags

/// Replaces a person's file whole, if it still is what the change was made from.
///
/// Whoever writes takes an exclusive lock of the folder first, so that of several who decided on
/// the same bytes only one writes, and the others learn that the file has changed. An editor knows
/// of no lock. So the new file and the one that stands there swap their names in one step, and what
/// came out is looked at then: if an editor has saved meanwhile, its file is put back.
package enum SourceFile {
    /// Why nothing was written.
    package enum Failure: Error, Hashable {
        /// The file is another than the one that was read.
        case changed
        /// A program has the file open for writing: what it is about to write would be lost.
        case busy
        /// Others saved each time when the file of one of them was to be put back: one of their
        /// files stands in its place, and another under this path.
        case displaced(to: String)
        /// What the system says.
        case system(Int32)
    }

    /// Lets two files of a folder swap their names in one step; 0, or what the system says.
    package typealias Exchange = (_ path: String, _ other: String) -> Int32

    /// Puts new bytes in the place of those that were read. Links and permissions stay.
    ///
    /// - Parameter exchange: a seam, because what others do just then cannot be brought about
    ///   otherwise, and because not every file system can swap names.
    package static func replace(
        _ path: String, _ old: ContiguousArray<UInt8>, by new: ContiguousArray<UInt8>,
        exchange: Exchange = NameExchange.perform
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
        if let failure = objection(to: url.path, old) { throw failure }
        switch exchange(copy, url.path) {
        case 0:
            guard let failure = objection(to: copy, old) else { return }
            try putBack(copy, url.path, instead: new, exchange)
            throw failure
        // The editor moves the old file away before it writes the new one.
        case ENOENT: throw .changed
        case ENOSYS, EINVAL, ENOTSUP:
            // A file system without swaps: what comes between the look above and this is lost.
            guard rename(copy, url.path) == 0 else { throw .system(errno) }
        case let code: throw .system(code)
        }
    }

    /// How often a file is put back where others save all the time.
    private static let attempts = 8

    /// Puts the file of somebody else back, which came out in the swap.
    ///
    /// What stands in its place should be what we put there. If it is not, somebody has saved once
    /// more meanwhile: that came later, and so it is what has to stand in the end.
    private static func putBack(
        _ copy: String, _ path: String, instead new: ContiguousArray<UInt8>, _ exchange: Exchange
    ) throws(Failure) {
        var put = new
        for _ in 0..<attempts {
            let theirs = FlagFile.read(copy, maximumBytes: FlagSource.maximumBytes)
            guard exchange(copy, path) == 0 else { break }
            if objection(to: copy, put) == nil { return }
            // What cannot be read is never taken for something of which nobody needs the rest.
            guard case .success(let bytes) = theirs else { break }
            put = bytes
        }
        let refuge = "\(path).saved-\(getpid())"
        guard rename(copy, refuge) == 0 else { throw .system(errno) }
        throw .displaced(to: refuge)
    }

    /// Why a file is not just what these bytes are, now and, once it has lost its name, for good.
    private static func objection(to path: String, _ bytes: ContiguousArray<UInt8>) -> Failure? {
        // Before the comparison, which sees what a program wrote that ended in between.
        guard !OpenWriters.exist(path) else { return .busy }
        guard case .success(bytes) = FlagFile.read(path, maximumBytes: FlagSource.maximumBytes)
        else { return .changed }
        return nil
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
