#if os(Linux)
import Foundation
import Testing

@Suite("rejoin demo (section 10)")
struct DemoTests {
    /// A folder of the test for what the demonstration writes.
    private func makeDirectory() throws -> String {
        let directory = NSTemporaryDirectory() + "rejoin-demo-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        return directory
    }

    @Test("an interrupted demonstration leaves nothing behind")
    func interrupted() async throws {
        let directory = try makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let demo = try RunningProgram(["demo"], environment: ["TMPDIR": directory])
        // The first word of progress tells that the backend runs and its directory is there.
        let left = await demo.afterErrorLine {
            defer { demo.signal(SIGINT) }
            return try? FileManager.default.contentsOfDirectory(atPath: directory).count
        }
        #expect(left == 1)
        let outcome = try await demo.outcome()
        #expect(outcome.status == 130)
        #expect(outcome.output == "")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
    }

    @Test("--flip whose folder is taken away ends with the path, the reason and what to do")
    func flagsFolderRemoved() async throws {
        let directory = try makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let demo = try RunningProgram(["demo", "--flip"], environment: ["TMPDIR": directory])
        // The first word of progress comes after the first flip; many others follow.
        let isRemoved = await demo.afterErrorLine { () -> Bool in
            let names = try? FileManager.default.contentsOfDirectory(atPath: directory)
            guard let name = names?.first else { return false }
            let flags = "\(directory)/\(name)/flags"
            return (try? FileManager.default.removeItem(atPath: flags)) != nil
        }
        #expect(isRemoved)
        let outcome = try await demo.outcome()
        #expect(outcome.status == 1)
        #expect(outcome.output == "")
        let last = outcome.errors.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("rejoin: the flags file '\(directory)/"), "\(outcome.errors)")
        #expect(
            last.hasSuffix(
                "/flags/chat.flagd.json' of the demonstration cannot be replaced: No such file or "
                    + "directory; leave it alone while the demonstration runs"), "\(last)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory).isEmpty)
    }

    @Test("--picture draws the room as the refactored reader has it in the end")
    func picture() async throws {
        let directory = try makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let picture = "\(directory)/room.png"
        // The shortest of the first dozen seeds.
        let outcome = try await RunningProgram.run(
            "demo", "--seed", "6", "--picture", picture, "--json",
            environment: ["TMPDIR": directory, "PATH": "/usr/bin:/bin"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix(#"{"seed":6,"pipelines":["#))
        let names = try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
        #expect(names.first == "room-1.png" && names.count > 1, "a room of hundreds of messages")
        for name in names {
            let file = try Data(contentsOf: URL(filePath: "\(directory)/\(name)"))
            #expect(file.starts(with: [0x89, 0x50, 0x4E, 0x47]), "\(name)")
            // The last one may hold a strip only.
            let isLast = name == "room-\(names.count).png"
            #expect(isLast || file.count > 10_000, "\(name) shows something")
            #expect(outcome.errors.contains("drew \(directory)/\(name), "), "\(outcome.errors)")
        }
    }

    @Test("a picture that cannot be drawn is told of before anything is started")
    func pictureRefused() async throws {
        let directory = try makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await RunningProgram.run("demo", "--picture", "\(directory)/room.jpg")
            .expectFailure(2, ".png")
        try await RunningProgram.run("demo", "--picture", "\(directory)/none/room.png")
            .expectFailure(1, "No such file or directory")
    }

    @Test("a TMPDIR that does not exist is told of, and is not made")
    func noTemporaryDirectory() async throws {
        let missing = NSTemporaryDirectory() + "rejoin-demo-test-\(UUID().uuidString)"
        let outcome = try await RunningProgram.run("demo", environment: ["TMPDIR": missing])
        outcome.expectFailure(1, "cannot make its folder '\(missing)/rejoin-demo-")
        outcome.expectFailure(1, "No such file or directory; let TMPDIR name a folder that exists")
        #expect(!FileManager.default.fileExists(atPath: missing))
    }
}
#endif
