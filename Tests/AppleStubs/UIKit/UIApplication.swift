// Declarations of the application's life that the Apple sources use.

/// https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier
public struct UIBackgroundTaskIdentifier: Hashable, Sendable {
    public let rawValue: Int
    /// https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier/invalid
    public static var invalid: UIBackgroundTaskIdentifier { unavailable() }
}

/// https://developer.apple.com/documentation/uikit/uiapplication
@MainActor
open class UIApplication: UIResponder {
    /// https://developer.apple.com/documentation/uikit/uiapplication/shared
    open class var shared: UIApplication { unavailable() }

    /// https://developer.apple.com/documentation/uikit/uiapplication/state
    public enum State: Int, Sendable {
        case active
        case inactive
        case background
    }

    /// https://developer.apple.com/documentation/uikit/uiapplication/applicationstate
    open var applicationState: State { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiapplication/beginbackgroundtask(withname:expirationhandler:)
    open nonisolated func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { unavailable() }
    /// https://developer.apple.com/documentation/uikit/uiapplication/endbackgroundtask(_:)
    open nonisolated func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        unavailable()
    }

    /// https://developer.apple.com/documentation/uikit/uiapplication/willenterforegroundnotification
    nonisolated public class var willEnterForegroundNotification: NSNotification.Name {
        unavailable()
    }
    /// https://developer.apple.com/documentation/uikit/uiapplication/didenterbackgroundnotification
    nonisolated public class var didEnterBackgroundNotification: NSNotification.Name {
        unavailable()
    }
}
