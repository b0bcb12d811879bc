import Foundation

/// What changes when a file does, without reading it.
struct FlagFileStamp: Equatable {
    let isRegular: Bool
    let size: Int
    private let device: UInt64
    private let inode: UInt64
    /// When it was written, or anything about it changed: the latter cannot be set back.
    private let times: [Int]
    private let changed: Int64

    /// The stamp of an open file; `nil` where the system does not tell.
    init?(descriptor: Int32) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return nil }
        self.init(info)
    }

    /// The stamp of the file at a path, links followed; `nil` where there is none.
    init?(path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    private init(_ info: stat) {
        isRegular = info.st_mode & S_IFMT == S_IFREG
        size = Int(info.st_size)
        device = UInt64(info.st_dev)
        inode = UInt64(info.st_ino)
        #if canImport(Darwin)
        let (modified, changed) = (info.st_mtimespec, info.st_ctimespec)
        #else
        let (modified, changed) = (info.st_mtim, info.st_ctim)
        #endif
        times = [modified.tv_sec, modified.tv_nsec, changed.tv_sec, changed.tv_nsec].map { Int($0) }
        self.changed = Int64(changed.tv_sec)
    }

    /// Whether another write would show in the stamp. File systems count in ticks of some
    /// milliseconds, some in seconds: a file that was written just now may be written again
    /// without a new stamp.
    ///
    /// - Parameter now: Seconds since 1970.
    func isSettled(at now: Int64) -> Bool { now - changed > 3 }
}

/// Reads a file again and again, and only where it may have changed.
struct FlagFileReader {
    private let path: String
    private let maximumBytes: Int
    /// The stamp of what was read last, where any later write shows in it.
    private var settled: FlagFileStamp?

    init(path: String, maximumBytes: Int) {
        self.path = path
        self.maximumBytes = maximumBytes
    }

    /// The file's bytes, or why there are none; `nil` where it is certainly as it was.
    ///
    /// - Parameter now: Seconds since 1970.
    mutating func read(at now: Int64) -> Result<ContiguousArray<UInt8>, FlagFileError>? {
        if let settled, FlagFileStamp(path: path) == settled { return nil }
        settled = nil
        do throws(FlagFileError) {
            let reading = try FlagFile.readSteadily(path, maximumBytes)
            if let stamp = reading.stamp, stamp.isSettled(at: now) { settled = stamp }
            return .success(reading.bytes)
        } catch {
            return .failure(error)
        }
    }
}
