import Foundation

/// Swaps the names of two files in one step, so that whoever opens one of them finds a whole file,
/// and so that nothing is lost of what stood there.
package enum NameExchange {
    #if os(Linux)
    private typealias Rename =
        @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

    /// `renameat2(2)`, which the C library declares for GNU sources only, and which a C library may
    /// lack.
    private static let rename: Rename? = dlsym(nil, "renameat2").map {
        // The type is that of the manual page; a symbol has none of its own.
        unsafeBitCast($0, to: Rename.self)
    }
    /// RENAME_EXCHANGE of `linux/fs.h`.
    private static let exchange: UInt32 = 2
    #endif

    /// 0, or what the system says: ENOSYS, EINVAL or ENOTSUP where it cannot swap names.
    package static func perform(_ path: String, _ other: String) -> Int32 {
        #if os(Linux)
        guard let rename else { return ENOSYS }
        return rename(AT_FDCWD, path, AT_FDCWD, other, exchange) == 0 ? 0 : errno
        #else
        return renamex_np(path, other, UInt32(RENAME_SWAP)) == 0 ? 0 : errno
        #endif
    }
}
