#if os(Linux)
import Foundation
import RejoinModel
import RejoinServer
import Testing

@Suite("rejoin conformance (sections 9 and 10)", .serialized)
struct ConformanceTests {
    private let environment = ["REJOIN_SECRET": "a secret of more than 16 bytes"]

    @Test("the reference backend keeps everything; the report is for people and for machines")
    func reference() async throws {
        try await serving { server in
            let tokens = try await [
                "--token": token("ann"), "--second-token": token("bob"),
                "--outsider-token": token("eve"),
            ].flatMap { [$0.key, $0.value] }
            let machine = try await RunningProgram.runAll(
                ["conformance", "--server", server, "--room", "den", "--json"] + tokens)
            #expect(machine.status == 0, "\(machine.output)")
            let report = try JSONDecoder().decode(Report.self, from: Data(machine.output.utf8))
            #expect(report.failed == 0)
            #expect(report.passed + report.skipped == report.checks.count)
            let skipped = report.checks.filter { $0.outcome == "skipped" }.map(\.id)
            #expect(
                skipped == [
                    "backend.history-empty-room", "backend.settles-in-time",
                    "backend.token-expired", "backend.deferrals-say-when",
                ])
            #expect(report.checks.allSatisfy { $0.outcome != "skipped" || $0.why != nil })
            #expect(machine.errors.contains("conformance: 1 of \(report.checks.count): backend."))
        }
    }

    @Test(
        "commits out of order, trims, drops, doubles: each is found out with its own message",
        arguments: [
            (LyingFormat.Lie.commitsOutOfOrder, "commits-in-order", "below the reader's cursor"),
            (.trims, "history-horizon", "trimmed in silence"),
            (.dropsMessage, "history-pages-cover", "catches up forwards in pages of 5"),
            (.dropsEvent, "subscription-is-complete", "an event for each of 12 messages"),
            (.doubles, "send-idempotent", "the message is doubled"),
            (.movesReadMarksBack, "read-folds", "the room becomes unread again"),
        ])
    func lying(_ lie: LyingFormat.Lie, _ check: String, _ message: String) async throws {
        let directory = NSTemporaryDirectory() + "rejoin-conformance-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = ReferenceServer(
            ServerConfiguration(
                directory: directory, secret: .random(), format: LyingFormat(lie)))
        let port = try await server.start()
        try await server.createRoom(RoomID("den"), users: [UserID("ann"), UserID("bob")])
        let outcome = try await RunningProgram.runAll([
            "conformance", "--server", "http://127.0.0.1:\(port)", "--only", check,
            "--patience", "1", "--token", server.token(for: UserID("ann")),
            "--second-token", server.token(for: UserID("bob")),
        ])
        await server.stop()
        #expect(outcome.status == 1)
        #expect(outcome.output.contains("FAILED   backend.\(check)"), "\(outcome.output)")
        #expect(outcome.output.contains(message), "\(outcome.output)")
        for part in ["expected: ", "got: ", "who is hurt: "] {
            #expect(outcome.output.contains(part))
        }
        #expect(outcome.output.hasSuffix(" passed, 1 failed, 0 skipped\n"))
    }

    @Test("a backend that answers nobody any more ends the run: what was not checked is counted")
    func earlyStop() async throws {
        for isJSON in [false, true] {
            let directory = NSTemporaryDirectory() + "rejoin-conformance-\(UUID().uuidString)"
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let server = ReferenceServer(
                ServerConfiguration(
                    directory: directory, secret: .random(), format: LyingFormat(.goesSilent)))
            let port = try await server.start()
            try await server.createRoom(RoomID("den"), users: [UserID("ann")])
            let outcome = try await RunningProgram.runAll(
                [
                    "conformance", "--server", "http://127.0.0.1:\(port)", "--only", "history",
                    "--patience", "1", "--token", server.token(for: UserID("ann")),
                ] + (isJSON ? ["--json"] : []))
            await server.stop()
            #expect(outcome.status == 1)
            let progress = outcome.errors.split(separator: "\n")
            let last = try #require(progress.last)
            #expect(
                last.hasPrefix(
                    "conformance: the backend does not answer any more, and no further check is "
                        + "run: rate_limited"), "\(outcome.errors)")
            // "conformance: 2 of 9: backend.history…" is the check that found it out.
            let begun = progress.compactMap { line -> (Int, Int)? in
                let words = line.split(separator: " ")
                guard words.count == 5, words[2] == "of" else { return nil }
                return Int(words[1]).flatMap { one in
                    Int(words[3].dropLast()).map { (one, $0) }
                }
            }
            let (number, count) = try #require(begun.last)
            #expect(number < count)
            if isJSON {
                let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
                #expect(report.failed == 1 && report.checks.count == number)
                #expect(report.checks.last?.outcome == "failed")
                #expect(report.notRun == count - number)
            } else {
                #expect(
                    outcome.output.hasSuffix(
                        "skipped, \(count - number) not run: the backend does not answer any "
                            + "more\n"), "\(outcome.output)")
            }
        }
    }

    @Test("one person and no named room: the rest is checked, and the report says what is not")
    func alone() async throws {
        try await serving { server in
            let person = try await RunningProgram.runAll(
                ["conformance", "--server", server + "/v1/", "--only", "unread"],
                environment: ["REJOIN_TOKEN": token("ann")])
            #expect(person.status == 0, "\(person.output)")
            #expect(person.output.contains("room den"))
            #expect(person.output.contains("passed   backend.unread-is-versioned  P4"))
            #expect(
                person.output.contains(
                    "skipped  backend.unread-count         P4: it takes a second member"))
            #expect(person.output.hasSuffix("1 passed, 0 failed, 1 skipped\n"))
        }
    }

    @Test("wrong usage and a backend that cannot be used: one clear line each")
    func failures() async throws {
        try await RunningProgram.run("conformance").expectFailure(2, "--server URL")
        try await RunningProgram.run("conformance", "--server", "chat.example.com")
            .expectFailure(2, "http: or https:")
        for address in ["http://ann:pa55@127.0.0.1:1", "https://ann@127.0.0.1:1"] {
            let outcome = try await RunningProgram.run("conformance", "--server", address)
            outcome.expectFailure(2, "must not hold a user or a password")
            #expect(!outcome.errors.contains("pa55"))
        }
        try await RunningProgram.run("conformance", "--server", "http://127.0.0.1:1")
            .expectFailure(2, "no token")
        try await RunningProgram.run(
            "conformance", "--server", "http://127.0.0.1:1", "--token", "t"
        ).expectFailure(1, "the backend cannot be used: unreachable")
        try await serving { server in
            let refused = try await RunningProgram.run(
                "conformance", "--server", server, "--token", "s3cret-made-up")
            refused.expectFailure(1, "cannot be used with --token: token_invalid")
            #expect(!refused.errors.contains("s3cret"))
            try await RunningProgram.run(
                "conformance", "--server", server, environment: ["REJOIN_TOKEN": "s3cret-made-up"]
            ).expectFailure(1, "cannot be used with REJOIN_TOKEN: token_invalid")
            let token = try await token("ann")
            try await RunningProgram.run(
                "conformance", "--server", server, "--token", token, "--second-token", token
            ).expectFailure(1, "the same person")
            try await RunningProgram.run(
                "conformance", "--server", server, "--token", token, "--only", "nonsense"
            ).expectFailure(2, "no check's name contains 'nonsense'")
        }
    }

    /// Runs `rejoin serve` with the room den of ann and bob.
    private func serving(_ body: (_ server: String) async throws -> Void) async throws {
        let directory = NSTemporaryDirectory() + "rejoin-conformance-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = try RunningProgram(
            ["serve", "--port=0", "--data", directory, "--room", "den:ann,bob", "--json"],
            environment: environment)
        let line = try #require(await server.line())
        let port = try JSONDecoder().decode(Listening.self, from: Data(line.utf8)).port
        try await body("http://127.0.0.1:\(port)")
        server.signal(SIGTERM)
        #expect(try await server.outcome().status == 0)
    }

    private func token(_ user: String) async throws -> String {
        let outcome = try await RunningProgram.run(
            "token", "--user", user, environment: environment)
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    private struct Listening: Decodable {
        var port: Int
    }

    private struct Report: Decodable {
        struct Check: Decodable {
            var id: String
            var outcome: String
            var why: String?
        }

        var passed: Int
        var failed: Int
        var skipped: Int
        var notRun: Int
        var checks: [Check]
    }
}
#endif
