#if os(Linux)
/// Why the server or the proxy could not do what its owner asked.
public struct ReferenceServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of failure it is.
    public let code: Code
    /// What happened, where, and what to do. It holds no secrets.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }

    /// A kind of failure.
    public struct Code: Hashable, Sendable {
        /// The name, as it stands in logs.
        public let rawValue: String

        /// Makes a code of its name.
        public init(_ rawValue: String) { self.rawValue = rawValue }

        /// Somebody else listens on the port.
        public static let portInUse = Code("port_in_use")
        /// The address cannot be listened on.
        public static let cannotListen = Code("cannot_listen")
        /// The data directory or its file cannot be used.
        public static let badDirectory = Code("bad_directory")
        /// The token secret is too short.
        public static let weakSecret = Code("weak_secret")
        /// A certificate or key file cannot be used.
        public static let badCertificate = Code("bad_certificate")
        /// A room or user name, a port or a limit that cannot be used.
        public static let invalidArgument = Code("invalid_argument")
        /// There is no such room.
        public static let unknownRoom = Code("unknown_room")
        /// The server is not running, or already is.
        public static let wrongState = Code("wrong_state")
        /// The database failed.
        public static let storage = Code("storage")
    }
}
#endif
