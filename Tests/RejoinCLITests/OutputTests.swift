#if os(Linux)
import Foundation
import Testing

/// One rule for every subcommand: what was asked for arrives, or the exit status is not 0.
@Suite("rejoin and its standard output", .serialized)
struct OutputTests {
    /// A call that answers with at least a line.
    struct Call: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        var input = ""
        var environment: [String: String] = [:]

        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let secret = ["REJOIN_SECRET": "a secret of more than 16 bytes"]
    private static let commands = [
        "serve", "token", "demo", "measure", "render", "conformance", "simulate", "stomp", "flags",
    ]
    /// `FILE` stands for a flags file, `ROOM` for a room, `NEW` for a name in a folder of the test.
    static let calls: [Call] =
        [
            Call(arguments: []), Call(arguments: ["--help"]), Call(arguments: ["--version"]),
            Call(arguments: ["help", "token"]),
            Call(arguments: ["token", "--user", "ann"], environment: secret),
            Call(arguments: ["token", "--user", "ann", "--json"], environment: secret),
            Call(
                arguments: ["serve", "--port", "0", "--data", "NEW", "--room", "den:ann"],
                environment: secret),
            Call(
                arguments: ["serve", "--port", "0", "--data", "NEW", "--json"], environment: secret),
            Call(arguments: ["measure", "--width", "90"], input: "\"a b\"\n"),
            Call(arguments: ["measure", "--breaks"], input: "\"a b\""),
            Call(arguments: ["render", "--room", "ROOM", "--output", "NEW.png"]),
            Call(arguments: ["render", "--room", "ROOM", "--output", "NEW.png", "--json"]),
            Call(arguments: ["simulate", "--seeds", "1"]),
            Call(arguments: ["simulate", "--seeds", "1", "--json"]),
            Call(arguments: ["simulate", "--seed", "1", "--trace"]),
            Call(arguments: ["stomp", "decode"], input: "\n"),
            Call(arguments: ["stomp", "encode"], input: #"{"heartbeat":true}"#),
            Call(
                arguments: [
                    "flags", "evaluate", "--file", "FILE", "--flag", "f", "--type", "integer",
                    "--default", "1",
                ], input: "{}\n"),
            Call(arguments: ["flags", "explain", "--file", "FILE", "--flag", "f"]),
            Call(arguments: ["flags", "explain", "--file", "FILE", "--flag", "f", "--json"]),
        ] + commands.map { Call(arguments: [$0, "--help"]) }

    private func run(_ call: Call, _ sink: Program.Sink) throws -> Program.Result {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-output-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let flags =
            #"{"flags":{"f":{"state":"ENABLED","variants":{"a":2},"defaultVariant":"a"}}}"#
        let room =
            #"{"messages":[{"id":1,"author":"ann","sentAt":0,"content":[]}],"#
            + #""hasBefore":false,"hasAfter":false}"#
        try Data(flags.utf8).write(to: folder.appending(path: "FILE"))
        try Data(room.utf8).write(to: folder.appending(path: "ROOM"))
        let arguments = call.arguments.map { word in
            ["FILE", "ROOM", "NEW", "NEW.png"].contains(word)
                ? folder.appending(path: word).path : word
        }
        return try Program.run(
            arguments, input: Array(call.input.utf8), environment: call.environment, output: sink)
    }

    @Test("a full disk and a closed stream: exit status 1, and why", arguments: calls)
    func unwritable(_ call: Call) throws {
        for (sink, reason) in [
            (Program.Sink.full, "No space left on device"), (.closed, "Bad file descriptor"),
        ] {
            let result = try run(call, sink)
            #expect(result.status == 1, "\(sink)")
            let last = result.errors.split(separator: "\n").last ?? ""
            #expect(
                last.hasPrefix("rejoin: standard output cannot be written to: \(reason)"),
                "\(result.errors)")
        }
    }

    @Test("a reader that has gone: an end without a word, as by SIGPIPE", arguments: calls)
    func readerHasGone(_ call: Call) throws {
        let result = try run(call, .readerless)
        #expect(result.status == 141)
        #expect(result.errors == "")
    }

    @Test("the program that the plugins run keeps the same rule")
    func flagsTool() throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-flags-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(#"{"flags":{}}"#.utf8).write(to: file)
        func lint(_ sink: Program.Sink) throws -> Program.Result {
            try Program.run(
                ["lint", "--json", "--file", file.path], output: sink, of: "RejoinFlagsTool")
        }
        #expect(try lint(.file).status == 0)
        #expect(try !lint(.file).output.isEmpty)
        for sink in [Program.Sink.full, .closed] {
            let result = try lint(sink)
            #expect(result.status == 1)
            #expect(result.errors == "error: standard output cannot be written to\n")
        }
        let readerless = try lint(.readerless)
        #expect(readerless.status != 0)
        #expect(readerless.errors == "")
    }

    @Test("a server whose reader goes after the start does its work to the end")
    func serverGoesOn() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-output-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try RunningProgram(
            ["serve", "--port", "0", "--data", folder.path, "--json"], environment: Self.secret)
        #expect(await server.line()?.contains("listening") == true)
        server.stopReading()
        server.signal(SIGTERM)
        #expect(try await server.outcome().status == 0)
    }

    @Test("nothing is written into files that are opened where standard output was closed")
    func closedOutputIsNotReused() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-output-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try Program.run(
            ["serve", "--port", "0", "--data", folder.appending(path: "data").path],
            environment: Self.secret, output: .closed)
        #expect(result.status == 1)
        for case let name as String in FileManager.default.enumerator(atPath: folder.path)
            ?? .init()
        {
            let bytes = FileManager.default.contents(atPath: folder.appending(path: name).path)
            #expect(bytes?.range(of: Data("listening".utf8)) == nil, "\(name)")
        }
    }

    @Test(
        "each line is answered as soon as it has come", .timeLimit(.minutes(1)),
        arguments: [
            (["measure", "--breaks"], "\"a b\"", #"{"allowed":[2],"mandatory":[]}"#),
            (
                [
                    "flags", "evaluate", "--file", "/dev/null", "--flag", "f", "--type", "integer",
                    "--default", "1",
                ], "{}", ""
            ),
            (["stomp", "encode"], #"{"heartbeat":true}"#, ""),
        ])
    func lineByLine(_ arguments: [String], _ line: String, _ answer: String) async throws {
        var arguments = arguments
        let file = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-flags-\(UUID().uuidString)")
        try Data(#"{"flags":{}}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        if let index = arguments.firstIndex(of: "/dev/null") { arguments[index] = file.path }
        let program = try RunningProgram(arguments)
        for _ in 1...3 {
            // A blank line has no answer, and does no harm.
            program.send(" \r\n\(line)\n")
            let heard = await program.line()
            #expect(heard?.hasPrefix(answer) == true)
        }
        program.endInput()
        #expect(try await program.outcome().status == 0)
    }
}
#endif
