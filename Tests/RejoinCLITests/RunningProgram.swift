#if os(Linux)
import Foundation
import Testing

/// The program `rejoin` with an environment, while it runs: for subcommands that go on until they
/// are told to end.
final class RunningProgram: Sendable {
    /// What came of a run.
    struct Outcome {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Runs to the end. The environment holds nothing but what is given, and
    /// what sanitizers want.
    static func run(_ arguments: String..., environment: [String: String] = [:]) async throws
        -> Outcome
    {
        try await RunningProgram(arguments, environment: environment).outcome()
    }

    /// As ``run(_:environment:)``, for arguments that are put together.
    static func runAll(_ arguments: [String], environment: [String: String] = [:]) async throws
        -> Outcome
    {
        try await RunningProgram(arguments, environment: environment).outcome()
    }

    /// How a sanitizer reports: without it, reports of the program would fill its pipe.
    static let inherited = ProcessInfo.processInfo.environment.filter {
        ["TSAN_OPTIONS", "ASAN_OPTIONS", "SWIFT_BACKTRACE", "LD_PRELOAD"].contains($0.key)
    }

    private let process: Process
    private let input = Pipe()
    private let output = Pipe()
    private let errors = Pipe()

    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        process = Process()
        process.executableURL = Bundle.main.bundleURL.appending(path: "rejoin")
        process.arguments = arguments
        process.environment = environment.merging(Self.inherited) { given, _ in given }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    deinit {
        if process.isRunning { process.terminate() }
    }

    /// Writes to its standard input, at once.
    func send(_ text: String) {
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    }

    /// Closes its standard input.
    func endInput() { try? input.fileHandleForWriting.close() }

    /// Stops reading its output, as `head` does.
    func stopReading() { try? output.fileHandleForReading.close() }

    /// The next line of its output; `nil` at the end.
    func line() async -> String? { await line(of: output) }

    /// Waits for the next line of its errors and does something at once: where other tests keep
    /// the pool busy, a test that went on after it might come late.
    func afterErrorLine<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await onQueue { [errors] in
            _ = Self.nextLine(of: errors)
            return body()
        }
    }

    private func line(of pipe: Pipe) async -> String? {
        await onQueue { Self.nextLine(of: pipe) }
    }

    private static func nextLine(of pipe: Pipe) -> String? {
        var bytes: [UInt8] = []
        while let byte = try? pipe.fileHandleForReading.read(upToCount: 1)?.first {
            if byte == UInt8(ascii: "\n") { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }

    func signal(_ number: Int32) {
        kill(process.processIdentifier, number)
    }

    /// Waits for the end.
    func outcome() async throws -> Outcome {
        await onQueue { [process, output, errors] in
            // A pipe that is not read any more has nothing to tell.
            let told = (try? output.fileHandleForReading.readToEnd()) ?? Data()
            let failed = (try? errors.fileHandleForReading.readToEnd()) ?? Data()
            process.waitUntilExit()
            return Outcome(
                status: process.terminationStatus,
                output: String(decoding: told, as: UTF8.self),
                errors: String(decoding: failed, as: UTF8.self))
        }
    }

    /// Blocking calls run outside of the pool.
    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async
        -> Value
    {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: body()) }
        }
    }
}

extension RunningProgram.Outcome {
    /// A failure that a person can mend: one line, nothing on the output, and this status.
    func expectFailure(
        _ status: Int32, _ text: String, source: SourceLocation = #_sourceLocation
    ) {
        #expect(self.status == status, sourceLocation: source)
        #expect(output.isEmpty, sourceLocation: source)
        #expect(errors.hasPrefix("rejoin: "), sourceLocation: source)
        #expect(errors.contains(text), "\(errors)", sourceLocation: source)
        #expect(errors.filter { $0 == "\n" }.count == 1, sourceLocation: source)
    }
}
#endif
