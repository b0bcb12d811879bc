import Foundation
import Synchronization

/// Whether somebody has asked the program to end, for work that looks now and then. Whoever asks
/// a second time does not wait.
enum StopRequest {
    private static let count = Atomic(0)

    /// Takes the signals that ask, from now on.
    static func listen() {
        // Made here, because a signal's handler may not make anything.
        count.store(0, ordering: .relaxed)
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] {
            sigaddset(&signals, number)
            signal(number) { number in
                guard StopRequest.count.add(1, ordering: .relaxed).oldValue > 0 else { return }
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        // Whoever started the program may have blocked them on the thread that did.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Whether one has come.
    static var hasCome: Bool { count.load(ordering: .relaxed) > 0 }

    /// The exit status of a program that was interrupted, as shells count it.
    static let exitStatus: Int32 = 130
}
