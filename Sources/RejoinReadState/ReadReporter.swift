public import RejoinModel

/// The seam through which read positions reach the server.
public protocol ReadReporter: Sendable {
    /// Reports a mark. `unread` asks for the versioned way back (compare-and-set to the mark's
    /// version), otherwise the server folds by `max`.
    ///
    /// - Throws: ``BackendFailure``; `conflict` when another device set a newer version.
    func report(_ mark: ReadMark, unread: Bool, in room: RoomID) async throws(BackendFailure)
        -> ReadAnswer
}
