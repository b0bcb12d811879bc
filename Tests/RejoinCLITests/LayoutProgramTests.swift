#if os(Linux)
import Foundation
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
        arguments: ["{}", "", "\"a", "12", "\"\\ud800\""])
    func wrongLine(_ line: String) throws {
        let result = try run("\"ok\"\n\(line)\n\"never\"\n", "--width", "100")
        #expect(result.status == 1)
        #expect(result.lines.count == 1)
        #expect(result.errors.hasPrefix("rejoin: line 2 must be a JSON string"))
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

    @Test("A file that is no page says so")
    func noPage() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try render("[]")
        #expect(result.status == 1)
        #expect(result.errors.contains("is no page of history"))
    }
}
#endif
