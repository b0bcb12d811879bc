#if os(Linux)
import Foundation
import Testing

/// Wrong flags, ports, tokens and files give one clear line and a non-zero exit; help is help.
@Suite("rejoin")
struct ProgramTests {
    @Test("--help shows every subcommand, and each has its own --help")
    func help() throws {
        let overview = try Program.run(["--help"])
        #expect(overview.status == 0)
        for name in ["serve", "token", "demo", "conformance", "stomp", "measure", "render"] {
            #expect(overview.text.contains("  \(name)"))
            let help = try Program.run([name, "--help"])
            #expect(help.status == 0)
            #expect(help.text.hasPrefix("usage: rejoin \(name)"))
        }
    }

    @Test("help NAME is NAME --help, and --version names the release")
    func otherWays() throws {
        let help = try Program.run(["help", "token"])
        #expect(help.status == 0)
        #expect(help.text == (try Program.run(["token", "--help"]).text))
        #expect(try Program.run(["--version"]).lines == ["rejoin unreleased"])
    }

    @Test(
        "What is wrong is told in one line on standard error",
        arguments: [
            (["nonsense"], "unknown subcommand 'nonsense'"),
            (["demo", "--sed", "1"], "unknown argument '--sed'"),
            (["demo", "--seed", "x"], "--seed must be a whole number"),
            (["demo", "--seed"], "--seed needs a value"),
            (["demo", "--json", "--json"], "--json is given twice"),
            (["demo", "--flip=1"], "--flip takes no value"),
            (["simulate", "--json=yes"], "--json takes no value"),
            (["simulate", "--flip-at", "5"], "say --seed S --trace --flip-at N"),
            (["simulate", "--trace"], "it needs --seed S"),
            (["simulate", "--every-step", "--pipeline", "legacy"], "not legacy"),
            (["simulate", "--seed", "9223372036854775808"], "--seed must be a whole number"),
            (
                ["simulate", "--seed", "9223372036854775807", "--seeds", "2"],
                "begin at 9223372036854775806 or before"
            ),
            (
                ["simulate", "--seed", "9223372036854775800"],
                "100 seeds from 9223372036854775800 on run past the last one, 9223372036854775807"
            ),
            (
                ["simulate", "--every-step", "--seed=9223372036854775807", "--seeds=10000000"],
                "run past the last one"
            ),
            (["serve", "--port", "70000"], "--port must be a whole number"),
            (["serve", "--rooms", "den:ann"], "unknown argument '--rooms'"),
            (["token"], "--user NAME"),
            (["token", "--user", "--secret", "file"], "--user needs a value"),
            (
                ["token", "--user", "ann", "--secret", "/no/such/file"],
                "'/no/such/file' cannot be read: No such file or directory"
            ),
            (["token", "--user", "ann", "--secret", "/dev/zero"], "longer than 65536 bytes"),
            (["token", "--user", "ann", "--expires", "soon"], "--expires must be"),
            (["stomp"], "decode"),
            (["stomp", "decode", "--split", "9,5"], "--split"),
            (["stomp", "decode", "--version", "2.0"], "--version"),
            (["stomp", "decode", "--role", "broker"], "--role"),
            (["measure"], "--width W"),
            (["measure", "--width", "0"], "--width must be a whole number"),
            (["measure", "--width", "9", "--font", "Sans"], "--font must end with a size"),
            (["measure", "--width", "9", "--font", "No Such 12"], "No Such"),
            (["measure", "--width", "9", "--font", "dejavu SANS 12"], "is DejaVu Sans meant?"),
            (["measure", "--breaks", "--hangul", "letter"], "--hangul must be"),
            (["demo", "--picture", "room.jpg"], "--picture must be"),
            (["demo", "--picture", "/no/such/room.png"], "No such file or directory"),
            (["render"], "--room says which room"),
            (
                ["render", "--room", "/no/such/file"],
                "'/no/such/file' cannot be read: No such file or directory"
            ),
            (["render", "--room", "/proc"], "'/proc' cannot be read: Is a directory"),
            (["render", "--room", "/dev/zero"], "longer than 16777216 bytes"),
            (["render", "--room", "r", "--rtl=1"], "--rtl takes no value"),
            (["render", "--room", "r", "--pictures", "0"], "--pictures must be a whole number"),
            (["render", "--room", "r", "--theme", "blue"], "--theme must be"),
            (["render", "--room", "r", "--output", "r.gif"], "--output must be"),
            (["render", "--room", "r", "--server", "ftp://a"], "--server must be"),
        ])
    func wrongUsage(_ arguments: [String], _ expected: String) throws {
        let result = try Program.run(arguments)
        #expect(result.status != 0)
        #expect(result.output.isEmpty)
        #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
        #expect(result.errors.hasPrefix("rejoin: "))
        #expect(result.errors.contains(expected), "\(result.errors)")
    }
}

@Suite("rejoin stomp")
struct StompProgramTests {
    private let frame = "MESSAGE\nsubscription:1\nmessage-id:a\\cb\n\nhi\0\n"

    @Test("decode prints frames with their pairs, heart-beats, and what is unfinished")
    func decode() throws {
        let result = try Program.run(
            ["stomp", "decode"], input: Array("\n\(frame)MESSAGE\n".utf8))
        #expect(result.status == 0)
        #expect(
            result.lines == [
                #"{"heartbeat":true}"#,
                #"{"command":"MESSAGE","headers":[["subscription","1"],["message-id","a:b"]],"#
                    + #""bodyBase64":"aGk="}"#,
                #"{"heartbeat":true}"#,
                #"{"needMore":true}"#,
            ])
    }

    @Test("decode is the same wherever the input is split")
    func split() throws {
        let whole = try Program.run(["stomp", "decode"], input: Array(frame.utf8))
        let cuts = (1..<frame.utf8.count).map(String.init).joined(separator: ",")
        let split = try Program.run(
            ["stomp", "decode", "--split", cuts], input: Array(frame.utf8))
        #expect(whole.text == split.text)
    }

    @Test("An error names the first offending octet, and decoding stops there")
    func error() throws {
        let result = try Program.run(
            ["stomp", "decode"], input: Array("MESSAGE\na:\\t\n\n\0MESSAGE\n\n\0".utf8))
        #expect(result.status == 1)
        #expect(result.lines.count == 1)
        #expect(result.lines.first?.contains(#""offset":10"#) == true, "\(result.text)")
    }

    @Test("encode does the reverse")
    func encode() throws {
        let bytes = Array(frame.utf8)
        let decoded = try Program.run(["stomp", "decode"], input: bytes)
        let encoded = try Program.run(["stomp", "encode"], input: decoded.output)
        #expect(encoded.status == 0)
        let again = try Program.run(["stomp", "decode"], input: encoded.output)
        #expect(again.lines.first == decoded.lines.first)
        // A line that no frame can need is refused before memory is taken for all of it.
        let long = try Program.run(
            ["stomp", "encode"], input: Array(repeating: UInt8(ascii: "["), count: 40 << 20))
        #expect(long.status == 1)
        #expect(long.errors.contains("line 1 is longer than 33554432 octets"))
        let bad = try Program.run(["stomp", "encode"], input: Array("{\"command\":1}\n".utf8))
        #expect(bad.status == 1)
        #expect(bad.errors.contains("line 1"))
    }
}

@Suite("rejoin demo", .serialized)
struct DemoProgramTests {
    private func rows(_ arguments: String...) throws -> [[String: Any]] {
        let result = try Program.run(["demo", "--json"] + arguments)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.count == 1)
        let line = try #require(
            JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
        return try #require(line["pipelines"] as? [[String: Any]])
    }

    private func expectWhole(_ row: [String: Any]?) throws {
        let row = try #require(row)
        for key in ["missing", "duplicated", "misordered"] {
            #expect(row[key] as? Int == 0, "\(key)")
        }
        #expect(row["readAgreed"] as? Bool == true)
        #expect(row["held"] as? Int == row["sent"] as? Int)
    }

    @Test("P1 P2 P3 P4: through every trouble the refactored pipeline ends whole")
    func demo() throws {
        let rows = try rows("--seed", "3")
        #expect(rows.map { $0["name"] as? String } == ["legacy", "refactored"])
        try expectWhole(rows.last)
    }

    @Test("through the same troubles the legacy pipeline does not")
    func legacyLoses() throws {
        let rows = try rows("--seed", "14")
        try expectWhole(rows.last)
        #expect((rows.first?["missing"] as? Int ?? 0) > 0)
    }

    @Test("P6: a reader whose flags file changes on disk is handed over, and ends whole")
    func flip() throws {
        let result = try Program.run(["demo", "--flip"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("flipped: handed over from legacy to refactored"))
        #expect(result.errors.contains("flipped: handed over from refactored to legacy"))
        #expect(result.text.contains("handovers"))
    }
}
#endif
