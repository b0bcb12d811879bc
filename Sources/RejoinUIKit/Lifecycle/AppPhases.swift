/// What the system's notices about the app's life mean for the chat: each change once, however
/// often it is told of.
package struct AppPhases {
    /// Where the app is.
    package enum Phase: Hashable, CaseIterable {
        /// It is on the screen, or about to be.
        case foreground
        /// It has left the screen, and may be suspended.
        case background
    }

    /// What the chat is to do.
    package enum Effect: Hashable {
        /// Connect and catch up.
        case enterForeground
        /// Send and store what is at hand, and let go of the connection.
        case suspend
    }

    /// The last phase that was told of; `nil` before the first.
    package private(set) var phase: Phase?

    package init() {}

    /// Takes a notice.
    package mutating func handle(_ new: Phase) -> Effect? {
        guard new != phase else { return nil }
        // An app that was launched into the background has no connection to let go of.
        let isLaunch = phase == nil
        phase = new
        switch new {
        case .foreground: return .enterForeground
        case .background: return isLaunch ? nil : .suspend
        }
    }
}
