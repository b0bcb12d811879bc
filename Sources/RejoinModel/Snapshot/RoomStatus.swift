public import RejoinTime

/// How complete a room is, in words that a person can be shown.
public enum RecoveryStatus: Hashable, Sendable {
    /// Something may be missing, and it is being fetched.
    case catchingUp
    /// Nothing is missing.
    case upToDate
    /// What is missing is shown as gaps.
    case incomplete([Gap])
    /// Catching up did not work. `retryAt` is when it is tried again; `nil`: not without help.
    case failed(BackendFailure, retryAt: Instant?)
}

/// Whether a room can be used.
public enum RoomState: Hashable, Sendable {
    /// It can.
    case open
    /// The person may not read it (403). What was held before stays shown.
    case noAccess
    /// There is no such room (404).
    case notFound
    /// The host closed it; nothing changes any more.
    case closed
}
