/// One thing that every implementation of a seam must keep.
///
/// A plain value without a test framework, so that Swift Testing, XCTest and the command line can
/// run it alike.
public struct ContractCheck: Sendable {
    /// A stable name, such as `history.bounds-are-exclusive`.
    public let id: String
    /// The promise or section that it serves, such as `P1`.
    public let promise: String
    /// Throws ``ContractFailure`` where the implementation does not keep it.
    public let body: @Sendable () async throws -> Void

    /// Creates a check.
    public init(
        _ id: String, promise: String, body: @escaping @Sendable () async throws -> Void
    ) {
        self.id = id
        self.promise = promise
        self.body = body
    }

    /// Runs the check.
    ///
    /// - Throws: ``ContractFailure``, or what the implementation itself throws.
    public func run() async throws {
        try await body()
    }
}

/// A broken contract, told the way a colleague would in a review.
public struct ContractFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The check's name.
    public let check: String
    /// What the contract asks for.
    public let expected: String
    /// What the implementation did.
    public let got: String
    /// Who is hurt by it, and how.
    public let whoIsHurt: String

    /// Creates a failure.
    public init(check: String, expected: String, got: String, whoIsHurt: String) {
        self.check = check
        self.expected = expected
        self.got = got
        self.whoIsHurt = whoIsHurt
    }

    public var description: String {
        "\(check): expected \(expected); got \(got). Who is hurt: \(whoIsHurt)"
    }
}

/// Throws a ``ContractFailure`` unless `actual` equals `expected`.
public func require<Value: Equatable & Sendable>(
    _ actual: Value, equals expected: Value, _ check: String, whoIsHurt: String
) throws(ContractFailure) {
    guard actual != expected else { return }
    throw ContractFailure(
        check: check, expected: "\(expected)", got: "\(actual)", whoIsHurt: whoIsHurt)
}

/// Throws a ``ContractFailure`` unless `condition` holds.
public func require(
    _ condition: Bool, _ check: String, expected: String, got: @autoclosure () -> String,
    whoIsHurt: String
) throws(ContractFailure) {
    guard !condition else { return }
    throw ContractFailure(check: check, expected: expected, got: got(), whoIsHurt: whoIsHurt)
}
