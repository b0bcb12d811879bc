import Foundation

/// Tells whether a program has a file open for writing: an editor that writes into the file that it
/// opened goes on with it, whatever the file is called by then.
enum OpenWriters {
    #if os(Linux)
    // `fcntl.h` declares these for GNU sources only.
    private static let setLease: Int32 = 1024
    private static let setSignal: Int32 = 10
    #endif

    /// Whether there is one; `false` where the system does not say.
    static func exist(_ path: String) -> Bool {
        #if os(Linux)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // A lease for reading is given where nobody writes (fcntl(2)). It is given back at once;
        // should it be broken meanwhile, the signal must be none that ends the process.
        _ = fcntl(descriptor, setSignal, SIGURG)
        guard fcntl(descriptor, setLease, Int32(F_RDLCK)) != 0 else {
            _ = fcntl(descriptor, setLease, Int32(F_UNLCK))
            return false
        }
        return errno == EAGAIN
        #else
        return false
        #endif
    }
}
