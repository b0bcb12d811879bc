public import RejoinModel
public import RejoinPipeline

/// The store seam: executes the commits of a room's cores as transactions.
///
/// A store takes no decisions. After any kill, ``checkpoint(of:)`` gives exactly what the commits
/// that returned have stored, and of the others each either whole or not at all.
public protocol RoomStore: Sendable {
    /// What is stored of a room; `nil` where nothing is.
    ///
    /// - Throws: ``RoomStoreError``.
    func checkpoint(of room: RoomID) async throws(RoomStoreError) -> RoomCheckpoint?

    /// Stores one commit, whole or not at all. Commits of one room are executed in the order of the
    /// calls; repeating a commit changes nothing.
    ///
    /// - Throws: ``RoomStoreError``; the same commit may then be tried again.
    func execute(_ commit: RoomCommit) async throws(RoomStoreError)

    /// Forgets a room, such as one whose access was withdrawn.
    ///
    /// - Throws: ``RoomStoreError``.
    func remove(_ room: RoomID) async throws(RoomStoreError)
}

/// Why a store did not do what it was asked.
public struct RoomStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public let code: Code
    /// What happened and what to do; holds no message content.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { "\(code.rawValue): \(message)" }

    /// A kind of failure.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in logs.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// The store cannot be used now, such as while the device is locked; trying again helps.
        public static let unavailable = Code("unavailable")
        /// There is no space left.
        public static let full = Code("full")
        /// What is stored cannot be read.
        public static let corrupt = Code("corrupt")
    }
}
