#if os(Linux)
import Foundation
import RejoinModel
import RejoinServer
import RejoinWire
import Testing

/// Section 8: text layout from the command line.
@Suite("rejoin measure")
struct MeasureProgramTests {
    private func run(_ input: String, _ arguments: String...) throws -> Program.Result {
        try Program.run(["measure"] + arguments, input: Array(input.utf8))
    }

    @Test("Each JSON string gives the lines of its text; an end leaves out the terminator")
    func lines() throws {
        let result = try run(#""Hello  world\nx""# + "\n\"\"", "--width", "60")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.count == 2)
        #expect(result.lines[0].contains(#"{"start":0,"end":7,"#))
        #expect(result.lines[0].contains(#"{"start":7,"end":12,"#))
        #expect(result.lines[0].contains(#"{"start":13,"end":14,"#))
        #expect(result.lines[1].hasPrefix(#"{"lines":[{"start":0,"end":0,"width":0}],"height":"#))
    }

    @Test("Korean is broken at spaces, or between syllables where asked")
    func hangul() throws {
        let text = #""안녕하세요 반갑습니다""#
        let words = try run(text, "--width", "100")
        let syllables = try run(text, "--width", "100", "--hangul", "syllable")
        #expect(words.lines[0].contains(#"{"start":0,"end":16,"#))
        #expect(!syllables.lines[0].contains(#"{"start":0,"end":16,"#))
    }

    @Test("--breaks prints what UAX #14 allows and forces, without start and end")
    func breaks() throws {
        let result = try run(#""Hello world\nfoo-bar\n""#, "--breaks")
        #expect(result.lines == [#"{"allowed":[6,16],"mandatory":[12]}"#])
    }

    @Test(
        "A line that is no JSON string is told with its number",
        arguments: ["{}", "\"a", "12", "\"\\ud800\""])
    func wrongLine(_ line: String) throws {
        let result = try run("\"ok\"\n\(line)\n\"never\"\n", "--width", "100")
        #expect(result.status == 1)
        #expect(result.lines.count == 1)
        #expect(result.errors.hasPrefix("rejoin: line 2 must be a JSON string"))
    }

    @Test("A blank line is skipped, and counted")
    func blank() throws {
        let result = try run("\n\"a b\"\n \t\r\n\n\"c d\"\nno\n", "--breaks")
        #expect(result.lines.count == 2)
        #expect(result.errors.contains("line 6"), "\(result.errors)")
    }

    @Test("The longest text is answered, however its bytes are written")
    func longText() throws {
        let result = try run(
            "\"" + String(repeating: #"\u0061"#, count: 1 << 20) + "\"\n", "--breaks")
        #expect(result.status == 0 && result.lines.count == 1, "\(result.errors)")
    }

    @Test("A line that no text can need is refused before memory is taken for all of it")
    func longLine() throws {
        let result = try run(String(repeating: " ", count: (8 << 20) + 1), "--breaks")
        #expect(result.status == 1)
        #expect(result.errors.contains("line 1 is longer than 8388608 octets"))
    }
}

/// A room as a picture.
@Suite("rejoin render")
struct RenderProgramTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "rejoin-render-\(UUID().uuidString)")

    private func room(_ count: Int) -> String {
        let messages = (1...count).map { id in
            #"{"id":\#(id),"author":"ann","sentAt":\#(id * 60_000),"content":"#
                + #"[{"type":"text","text":"Message \#(id)"}]}"#
        }.joined(separator: ",")
        return #"{"messages":[\#(messages)],"hasBefore":false,"hasAfter":false}"#
    }

    private func render(_ json: String, _ arguments: [String] = []) throws -> Program.Result {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "room.json")
        try Data(json.utf8).write(to: file)
        return try Program.run(
            ["render", "--room", file.path, "--output", folder.appending(path: "out.png").path]
                + arguments)
    }

    private func size(_ name: String) throws -> [UInt8] {
        let data = try Data(contentsOf: folder.appending(path: name))
        #expect(data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        return Array(data[16..<24])
    }

    @Test("A room becomes a picture of the width and scale")
    func picture() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try render(room(3), ["--width", "300", "--scale", "3", "--json"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.lines.first?.contains(#""width":900,"#) ?? false)
        #expect(try size("out.png").prefix(4) == [0, 0, 3, 132])
    }

    @Test("A long room becomes tiles")
    func tiles() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try render(room(400), ["--scale", "1"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try size("out-1.png").suffix(4) == [0, 0, 0x20, 0])
        #expect(try !size("out-2.png").isEmpty)
    }

    @Test(
        "A file that is no page says so, with line and column, in words",
        arguments: [
            ("[]", "line 1, column 1: "), ("", "the text is empty"),
            ("{\n \"messages\":", "line 2, "),
            (
                "{\"messages\":[\n{\"id\":-1}]}",
                "line 2, column 7: the number must be from 0 to 340282366920938463463374607431768211455"
            ),
            ("{\"messages\":[{\"id\":1e3}]}", "a whole number was expected"),
            ("{\"messages\":[{\"id\":\"x\"}]}", "(at messages[0].id)"),
            (
                "{\"messages\":[{\"id\":1,\"sentAt\":9223372036854775808}]}",
                "the number must be from -9223372036854775808 to 9223372036854775807"
            ),
        ])
    func noPage(_ json: String, _ expected: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try render(json)
        #expect(result.status == 1)
        #expect(result.errors.contains("is no page of history"))
        #expect(result.errors.contains(expected), "\(result.errors)")
        // No reader of the text knows Swift, or counts bytes.
        #expect(!result.errors.contains("Int"))
        #expect(!result.errors.contains("byte"))
    }

    @Test("--limit takes the newest messages of a file, and shows that there are others")
    func limit() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let whole = try render(room(9), ["--json"])
        let part = try render(room(9), ["--json", "--limit", "4"])
        // The day, and where something was left out the gap.
        #expect(whole.lines.first?.contains(#""rows":10}"#) == true, "\(whole.text)")
        #expect(part.lines.first?.contains(#""rows":6}"#) == true, "\(part.text)")
    }

    @Test("A room that takes more pictures than allowed is refused before one is drawn")
    func pictures() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let refused = try render(room(400), ["--scale", "1", "--pictures", "1"])
        #expect(refused.status == 1)
        #expect(refused.errors.contains("takes 2 pictures, and at most 1 are drawn"))
        #expect(refused.errors.contains("--limit"))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names == ["room.json"])
        let drawn = try render(room(400), ["--scale", "1", "--pictures", "2"])
        #expect(drawn.status == 0)
        #expect(drawn.errors.contains("out-2.png, 2 of 2"))
    }

    @Test("Pictures of an earlier run that would seem to belong to the new ones are an error")
    func leftovers() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(try render(room(400), ["--scale", "1"]).status == 0)
        #expect(try render(room(400), ["--scale", "1"]).status == 0, "the same names are replaced")
        let short = try render(room(2))
        #expect(short.status == 1)
        #expect(short.errors.contains("out-1.png' and 1 more of an earlier run"), "\(short.errors)")
        for name in ["out-1.png", "out-2.png"] {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        // Names that are merely alike are nobody's business.
        for name in ["out-x.png", "out-.png", "out-01.png", "out-1.jpg", "about-1.png"] {
            try Data().write(to: folder.appending(path: name))
        }
        #expect(try render(room(2)).status == 0)
        let long = try render(room(400), ["--scale", "1"])
        #expect(long.status == 1)
        #expect(long.errors.contains("out.png' of an earlier run"), "\(long.errors)")
    }

    @Test("A picture that cannot be written says why")
    func unwritable() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try render(room(1))
        let file = folder.appending(path: "room.json").path
        let result = try Program.run(
            ["render", "--room", file, "--output", folder.appending(path: "no/out.png").path])
        #expect(result.status == 1)
        #expect(result.errors.contains("No such file or directory"), "\(result.errors)")
    }

    @Test("A text that is cut is told of")
    func longText() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = String(repeating: "a\u{300}", count: 350_000)
        let result = try render(
            #"{"messages":[{"id":7,"author":"ann","sentAt":0,"content":"#
                + #"[{"type":"text","text":"\#(text)"}]}],"hasBefore":false,"hasAfter":false}"#,
            ["--width", "4000", "--scale", "1", "--type-size", "50"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("the text of message 7 is longer than 1048576 bytes"))
    }

    @Test("A room of a server is drawn as its file is, and refusals are told in a line")
    func server() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = ReferenceServer(
            ServerConfiguration(
                directory: folder.appending(path: "data").path, secret: .random(),
                format: ReferenceFormat()))
        let port = try await server.start()
        let (ann, ben, den) = (UserID("ann"), UserID("ben"), RoomID("den"))
        try await server.createRoom(den, users: [ann, ben])
        for (number, user) in [ann, ben, ann].enumerated() {
            // More than one page of history.
            try await server.post(
                (1...50).map {
                    MessageDraft(
                        clientID: ClientMessageID(UUID()), content: [.text("\(number) \($0)")])
                }, as: user, in: den)
        }
        func draw(_ room: String, _ token: String, _ more: String...) async throws
            -> RunningProgram.Outcome
        {
            try await RunningProgram.runAll(
                [
                    "render", "--server", "http://127.0.0.1:\(port)", "--room", room, "--scale",
                    "1",
                    "--output", folder.appending(path: "\(more.count).png").path, "--json",
                ] + more, environment: ["REJOIN_TOKEN": token, "PATH": "/usr/bin:/bin"])
        }
        let token = server.token(for: ann)
        let whole = try await draw("den", token)
        #expect(whole.status == 0, "\(whole.errors)")
        // 150 messages and a day; a day that ends meanwhile brings another.
        #expect(whole.output.contains(#""rows":15"#), "\(whole.output)")
        #expect(try size("0.png").prefix(4) == [0, 0, 1, 134])
        let part = try await draw("den", token, "--limit", "120")
        // The gap stands for the rest.
        #expect(part.output.contains(#""rows":12"#), "\(part.output)")
        try await draw("hall", token).expectFailure(1, "not_found")
        try await draw("den", "1.nonsense").expectFailure(1, "token")
        await server.stop(within: .seconds(1))
        try await draw("den", token).expectFailure(1, "unreachable")
    }
}
#endif
