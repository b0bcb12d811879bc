import RejoinJSON

/// One thing that every implementation of a seam must keep.
///
/// A plain value without a test framework, so that Swift Testing, XCTest and the command line can
/// run it alike. A contract is a function that takes your implementation (or a factory of fresh
/// ones) and returns a list of checks. In Swift Testing each check becomes a test case of its own:
///
/// ```swift
/// private let checks = RoomStoreContract.checks { MyStore() }
///
/// @Test("MyStore keeps the store contract", arguments: checks)
/// func myStore(_ check: ContractCheck) async throws { try await check.run() }
/// ```
///
/// and in XCTest they run one after the other, each failure with its own text:
///
/// ```swift
/// final class MyStoreTests: XCTestCase {
///     func testKeepsTheStoreContract() async {
///         for check in RoomStoreContract.checks({ MyStore() }) {
///             let result = await check.result()
///             XCTAssertNil(result.failure, "\(result)")
///         }
///     }
/// }
/// ```
public struct ContractCheck: Sendable, CustomStringConvertible {
    /// A stable name, such as `history.bounds-are-exclusive`.
    public let id: String
    /// The promise or section that it serves, such as `P1`.
    public let promise: String
    /// Throws ``ContractFailure`` where the implementation does not keep it, ``ContractSkip`` where
    /// it is not asked for.
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
    /// - Returns: whether it was kept, or was not asked for.
    /// - Throws: ``ContractFailure``, or what the implementation itself throws.
    @discardableResult
    public func run() async throws -> ContractOutcome {
        do {
            try await body()
            return .kept
        } catch let skip as ContractSkip {
            return .skipped(why: skip.reason)
        }
    }

    /// Runs the check and tells how it went, for reports.
    public func result() async -> ContractResult {
        let outcome: Result<ContractOutcome, ContractFailure>
        do {
            outcome = .success(try await run())
        } catch let failure as ContractFailure {
            outcome = .failure(failure)
        } catch {
            outcome = .failure(
                ContractFailure(
                    check: id, expected: "an answer", got: "the error \(inWords(error))",
                    whoIsHurt: "whoever relies on \(promise): nothing could be checked"))
        }
        return ContractResult(id: id, promise: promise, outcome: outcome)
    }

    public var description: String { id }
}

/// How a check ended that found nothing wrong.
public enum ContractOutcome: Hashable, Sendable {
    /// The implementation keeps it.
    case kept
    /// It was not asked for, because the implementation does not claim it, or because what the
    /// check needs was not given.
    case skipped(why: String)
}

/// How one check went.
public struct ContractResult: Sendable, CustomStringConvertible {
    /// The check's name.
    public let id: String
    /// The promise or section that it serves.
    public let promise: String
    /// Kept, skipped, or what is wrong.
    public let outcome: Result<ContractOutcome, ContractFailure>

    /// Creates a result.
    public init(
        id: String, promise: String, outcome: Result<ContractOutcome, ContractFailure>
    ) {
        self.id = id
        self.promise = promise
        self.outcome = outcome
    }

    /// What is wrong; `nil` where the check passed or was skipped.
    public var failure: ContractFailure? {
        if case .failure(let failure) = outcome { failure } else { nil }
    }

    public var description: String {
        switch outcome {
        case .success(.kept): "\(id): passed"
        case .success(.skipped(let why)): "\(id): skipped, because \(why)"
        case .failure(let failure): failure.description
        }
    }
}

/// Thrown by a check that is not asked for.
public struct ContractSkip: Error, Hashable, Sendable {
    /// Why, as it goes on after "because".
    public let reason: String

    /// Skips a check.
    public init(_ reason: String) { self.reason = reason }
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

    /// Creates a failure. Of texts from outside, whatever would break a line or hide what follows
    /// is escaped.
    public init(check: String, expected: String, got: String, whoIsHurt: String) {
        self.check = check
        self.expected = expected.printable
        self.got = got.printable
        self.whoIsHurt = whoIsHurt.printable
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
        check: check, expected: inWords(expected), got: inWords(actual, unlike: expected),
        whoIsHurt: whoIsHurt)
}

/// Throws a ``ContractFailure`` unless `condition` holds.
public func require(
    _ condition: Bool, _ check: String, expected: String, got: @autoclosure () -> String,
    whoIsHurt: String
) throws(ContractFailure) {
    guard !condition else { return }
    throw ContractFailure(check: check, expected: expected, got: got(), whoIsHurt: whoIsHurt)
}
