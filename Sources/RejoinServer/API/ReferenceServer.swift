#if os(Linux)
import Foundation
public import RejoinModel
package import RejoinTime

/// The reference backend: rooms, messages and read marks in one SQLite file, served as REST and
/// as STOMP over WebSocket on one port.
///
/// It is what the package's own tests, demonstrations and benchmarks run against, and a model
/// for hosts: small, complete, strict about what it takes in. It runs until it is stopped, also
/// where nobody holds it any more. It can be stopped, killed and started again on the same
/// directory and port.
public actor ReferenceServer {
    /// How it runs.
    public nonisolated let configuration: ServerConfiguration
    private let rateClock: any TimeSource
    private var state = State.stopped
    private var port: UInt16

    private enum State {
        case stopped
        case changing
        case running(ServerEngine)
    }

    /// Creates a server that does not run yet.
    public init(_ configuration: ServerConfiguration) {
        self.init(configuration, rateClock: SystemTime())
    }

    /// Creates a server whose rate limit goes by a clock of the test's, so that what is too much
    /// does not depend on how fast the machine is.
    package init(_ configuration: ServerConfiguration, rateClock: any TimeSource) {
        self.configuration = configuration
        self.rateClock = rateClock
        port = configuration.port
    }

    // MARK: Life

    /// Starts the server and returns once it listens. A later start listens on the same port,
    /// also where the configuration asked for any.
    ///
    /// - Returns: The port.
    /// - Throws: ``ReferenceServerError``: `port_in_use`, `cannot_listen`, `bad_directory`,
    ///   `bad_certificate`, `invalid_argument`, or `wrong_state` where it runs already.
    @discardableResult
    public func start() async throws(ReferenceServerError) -> UInt16 {
        guard case .stopped = state else {
            throw ReferenceServerError(.wrongState, "the server runs already")
        }
        state = .changing
        do throws(ReferenceServerError) {
            var configuration = configuration
            if configuration.host == "localhost" { configuration.host = "127.0.0.1" }
            guard ListenFailure.isAddress(configuration.host) else {
                throw ReferenceServerError(
                    .invalidArgument,
                    "'\(configuration.host)' is no IPv4 address; 127.0.0.1 is this machine alone"
                )
            }
            try ListenFailure.check(host: configuration.host, port: port)
            let engine = ServerEngine(
                configuration, store: try openStore(), rateClock: rateClock)
            port = try await engine.listen(on: port)
            state = .running(engine)
            return port
        } catch {
            state = .stopped
            throw error
        }
    }

    /// Stops in good order: new requests get 503, WebSockets are closed with 1001, what was
    /// taken is finished, and the database's log is folded into its file. Does nothing where
    /// the server does not run.
    ///
    /// - Parameter patience: How long slow readers may take before their sockets are dropped.
    public func stop(within patience: Duration = .seconds(2)) async {
        guard case .running(let engine) = state else { return }
        state = .changing
        await engine.stop(within: patience)
        state = .stopped
    }

    /// Stops as a kill would: sockets end without a word, what was not committed is lost, and
    /// the database is left as it is. For tests.
    public func kill() async {
        guard case .running(let engine) = state else { return }
        state = .changing
        await engine.kill()
        state = .stopped
    }

    // MARK: Administration

    /// Creates a room, or renames it and makes its people exactly `members`. Who is no longer
    /// a member loses the subscription at once.
    ///
    /// - Throws: ``ReferenceServerError``: `invalid_argument` for a name that cannot stand in
    ///   a path or header, `wrong_state` where the server does not run, `storage`.
    public func createRoom(_ room: RoomID, name: String, members: [Member])
        async throws(ReferenceServerError)
    {
        try await running().createRoom(room, name: name, members: members)
    }

    /// Creates a room of people who are called as their IDs are.
    ///
    /// - Throws: As ``createRoom(_:name:members:)`` does.
    public func createRoom(_ room: RoomID, name: String? = nil, users: [UserID])
        async throws(ReferenceServerError)
    {
        try await createRoom(
            room, name: name ?? room.rawValue,
            members: users.map { Member(id: $0, name: $0.rawValue) })
    }

    /// Performs a call as a person, without a token and without a socket: what REST would answer.
    /// With late commits, a message is committed when this returns.
    ///
    /// - Throws: ``BackendFailure`` as REST would answer; `unreachable` where the server does not
    ///   run.
    @discardableResult
    public func perform(_ call: BackendCall, as user: UserID) async throws(BackendFailure)
        -> BackendAnswer
    {
        guard case .running(let engine) = state else {
            throw BackendFailure(.unreachable, "the server does not run")
        }
        return try await engine.perform(call, as: user)
    }

    /// Posts messages as a member, one commit each, and tells whoever listens.
    ///
    /// - Returns: The messages as stored.
    /// - Throws: ``BackendFailure`` as the REST call would answer, or
    ///   ``ReferenceServerError``.
    @discardableResult
    public func post(_ drafts: [MessageDraft], as user: UserID, in room: RoomID)
        async throws -> [Message]
    {
        try await running().post(drafts, as: user, in: room)
    }

    /// Every message that the room holds, tombstones included, ascending: what a test compares
    /// a client with.
    ///
    /// - Throws: ``ReferenceServerError``: `unknown_room`, `wrong_state`, `storage`.
    public func messages(in room: RoomID) async throws(ReferenceServerError) -> [Message] {
        try await running().messages(in: room)
    }

    /// How far a member has read.
    ///
    /// - Throws: ``ReferenceServerError``: `unknown_room` for an unknown room or member,
    ///   `wrong_state`, `storage`.
    public func readMark(of user: UserID, in room: RoomID)
        async throws(ReferenceServerError) -> ReadMark
    {
        try await running().readMark(of: user, in: room)
    }

    /// Makes `horizon` the oldest message that is still served.
    ///
    /// - Throws: ``ReferenceServerError``: `unknown_room`, `wrong_state`, `storage`.
    public func trimHistory(of room: RoomID, before horizon: MessageID)
        async throws(ReferenceServerError)
    {
        try await running().trim(room, before: horizon, through: nil)
    }

    /// Forgets the change feed up to `revision`, so that asking after an earlier one is
    /// answered by 410.
    ///
    /// - Throws: ``ReferenceServerError``: `unknown_room`, `wrong_state`, `storage`.
    public func trimChanges(of room: RoomID, through revision: Revision)
        async throws(ReferenceServerError)
    {
        try await running().trim(room, before: nil, through: revision)
    }

    /// A token for a person.
    public nonisolated func token(for user: UserID, lifetime: Duration = .seconds(3_600))
        -> String
    {
        TokenSigner(secret: configuration.secret)
            .token(for: user, expiring: SystemTime().wallNow.advanced(by: lifetime))
    }

    // MARK: Parts

    private func running() throws(ReferenceServerError) -> ServerEngine {
        guard case .running(let engine) = state else {
            throw ReferenceServerError(.wrongState, "the server does not run")
        }
        return engine
    }

    private nonisolated func openStore() throws(ReferenceServerError) -> sending ChatStore {
        let directory = configuration.directory
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true)
        } catch {
            // Foundation does not always say why; the system does when it is asked again.
            let code = mkdir(directory, 0o755) == 0 ? 0 : errno
            throw ReferenceServerError(
                .badDirectory,
                "the data directory '\(directory)' cannot be created: "
                    + String(cString: strerror(code)))
        }
        do throws(SQLiteError) {
            return try ChatStore(
                path: directory + "/rejoin.sqlite",
                survivesPowerLoss: configuration.survivesPowerLoss)
        } catch {
            let hint =
                error.isBusy ? "another server uses it" : "it cannot be opened (\(error))"
            throw ReferenceServerError(
                .badDirectory, "the database in '\(directory)' cannot be used: \(hint)")
        }
    }
}
#endif
