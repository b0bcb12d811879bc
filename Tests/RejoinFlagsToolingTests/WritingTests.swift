import Foundation
import RejoinFlags
import RejoinFlagsTooling
import Synchronization
import Testing

/// What `rollout` writes, into files on the disk: two people may ramp at once, one may be killed,
/// and nobody's change may be lost in silence (P6: a rollback above all).
@Suite("Writing flags files")
struct WritingTests {
    /// A folder with a file of some flags that buckets each of its own.
    private final class Folder: Sendable {
        let url: URL
        var file: URL { url.appending(path: "chat.flagd.json") }

        init(flags: Int = 2) throws {
            url = FileManager.default.temporaryDirectory
                .appending(path: "rejoin-writing-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            let flags = (0..<flags).map { number in
                #""f\#(number)":{"state":"ENABLED","variants":{"on":true,"off":false},"#
                    + #""defaultVariant":"off","targeting":{"fractional":["#
                    + #"{"cat":["f\#(number):",{"var":"targetingKey"}]},["on",0],["off",100]]}}"#
            }
            try write(#"{"flags":{\#(flags.joined(separator: ","))}}"#)
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        func write(_ text: String) throws { try Data(text.utf8).write(to: file) }
        func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
        }

        /// The weight of `on` in each flag.
        func weights() throws -> [Int] {
            try text().components(separatedBy: #"["on","#).dropFirst().compactMap {
                Int($0.prefix { $0.isNumber })
            }
        }

        /// The world of the disk, in which something happens after each reading.
        func world(afterReading happens: @escaping @Sendable () -> Void = {}) -> ToolWorld {
            ToolWorld(today: nil, now: 0) { path in
                defer { happens() }
                return FlagFile.read(path, maximumBytes: 1 << 20)
            }
        }
    }

    private static func ramp(_ flag: Int, to share: Int, in file: URL) -> [String] {
        ["rollout", "--file", file.path, "--flag", "f\(flag)", "--on", "\(share)"]
    }

    @Test("A change that came between reading and writing is kept, and the ramp says so")
    func changed() throws {
        let folder = try Folder()
        let file = folder.file
        let other = try folder.text().replacing(#"["on",0]"#, with: #"["on",7]"#)
        let result = FlagsTool.perform(
            Self.ramp(0, to: 50, in: file),
            in: folder.world { try? Data(other.utf8).write(to: file) })
        #expect(result.status == 1 && result.output.isEmpty && result.files.isEmpty)
        #expect(result.complaints.contains("somebody else has changed the file meanwhile"))
        #expect(try folder.text() == other)
        #expect(try folder.names() == ["chat.flagd.json"])
    }

    @Test("A rollback is decided anew on what stands there by then")
    func rollback() throws {
        let folder = try Folder()
        #expect(
            FlagsTool.perform(Self.ramp(0, to: 10, in: folder.file), in: folder.world()).status == 0
        )
        let reads = Mutex(0)
        let file = folder.file
        let ramps = folder.world()
        let result = FlagsTool.perform(
            ["rollout", "--file", file.path, "--flag", "f0", "--rollback"],
            in: folder.world {
                // Somebody ramps while the rollback makes up its mind, once.
                guard
                    reads.withLock({ count in
                        defer { count += 1 }
                        return count
                    }) == 0
                else { return }
                _ = FlagsTool.perform(Self.ramp(0, to: 30, in: file), in: ramps)
            })
        #expect(result.status == 0, "\(result.complaints)")
        #expect(result.output.contains("30 % -> 0 %"), "\(result.output)")
        #expect(try folder.weights() == [0, 0])
    }

    @Test("Of many who write at once, exactly those who said so have written")
    func together() throws {
        let count = 12
        let folder = try Folder(flags: count)
        let (file, world) = (folder.file, folder.world())
        let told = Mutex([Bool](repeating: false, count: count))
        DispatchQueue.concurrentPerform(iterations: count) { number in
            let result = FlagsTool.perform(Self.ramp(number, to: 50, in: file), in: world)
            told.withLock { $0[number] = result.status == 0 }
        }
        #expect(try folder.weights().map { $0 > 0 } == told.withLock(\.self))
        #expect(told.withLock { $0.contains(true) })
        #expect(try folder.names() == ["chat.flagd.json"])
    }

    /// What others do at each swap of names in turn; then the names are swapped.
    private static func replace(
        _ folder: Folder, instead: [@Sendable (URL) throws -> Void]
    ) throws -> SourceFile.Failure? {
        var rest = instead[...]
        let old = ContiguousArray(try folder.text().utf8)
        do throws(SourceFile.Failure) {
            try SourceFile.replace(folder.file.path, old, by: ContiguousArray("ours".utf8)) {
                if let action = rest.popFirst() { try? action(folder.file) }
                return NameExchange.perform($0, $1)
            }
            return nil
        } catch {
            return error
        }
    }

    /// An editor that writes a new file and gives it the name.
    private static func rename(_ text: String) -> @Sendable (URL) throws -> Void {
        { try Data(text.utf8).write(to: $0, options: .atomic) }
    }

    /// An editor that writes into the file that is there.
    private static func overwrite(_ text: String) -> @Sendable (URL) throws -> Void {
        { try Data(text.utf8).write(to: $0) }
    }

    @Test("A save between the last look at the file and the swap is put back")
    func savedAtTheLastMoment() throws {
        for save in [Self.rename, Self.overwrite] {
            let folder = try Folder()
            #expect(try Self.replace(folder, instead: [save("theirs")]) == .changed)
            #expect(try folder.text() == "theirs")
            #expect(try folder.names() == ["chat.flagd.json"])
        }
        let folder = try Folder()
        #expect(try Self.replace(folder, instead: []) == nil)
        #expect(try folder.text() == "ours")
        #expect(try folder.names() == ["chat.flagd.json"])
    }

    @Test("Of several saves around the swap the last one stands, however it is written")
    func savedTwice() throws {
        for saves in 2...5 {
            for save in [Self.rename, Self.overwrite] {
                let folder = try Folder()
                let actions = (1...saves).map { save("save \($0)") }
                #expect(try Self.replace(folder, instead: actions) == .changed)
                #expect(try folder.text() == "save \(saves)")
                #expect(try folder.names() == ["chat.flagd.json"])
            }
        }
    }

    @Test("Where others save without end the swaps have one, and nothing is thrown away")
    func savedForEver() throws {
        let folder = try Folder()
        let saves = 30
        let failure = try Self.replace(
            folder, instead: (1...saves).map { Self.rename("save \($0)") })
        guard case .displaced(let refuge) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        let last = try folder.text()
        #expect(last.hasPrefix("save "))
        #expect(try String(contentsOfFile: refuge, encoding: .utf8).hasPrefix("save "))
        #expect(
            try folder.names() == [
                "chat.flagd.json", URL(filePath: refuge).lastPathComponent,
            ])
    }

    @Test("A file that an editor has moved away for its own new one is left alone")
    func movedAway() throws {
        let folder = try Folder()
        let failure = try Self.replace(
            folder,
            instead: [
                { try FileManager.default.moveItem(at: $0, to: $0.appendingPathExtension("old")) }
            ])
        #expect(failure == .changed)
        #expect(try folder.names() == ["chat.flagd.json.old"])
    }

    #if os(Linux)
    @Test("A file that a program has open for writing is left to it")
    func openForWriting() throws {
        let folder = try Folder()
        let before = try folder.text()
        let editor = try FileHandle(forUpdating: folder.file)
        let result = FlagsTool.perform(Self.ramp(0, to: 50, in: folder.file), in: folder.world())
        #expect(result.status == 1 && result.output.isEmpty)
        #expect(result.complaints.contains("open for writing"), "\(result.complaints)")
        #expect(try folder.text() == before)
        try editor.close()
        #expect(
            FlagsTool.perform(Self.ramp(0, to: 50, in: folder.file), in: folder.world()).status == 0
        )

        // It may open the file after the last look, and write after the swap.
        let late = Mutex<FileHandle?>(nil)
        let failure = try Self.replace(
            folder,
            instead: [
                { file in
                    let editor = try FileHandle(forUpdating: file)
                    late.withLock { $0 = editor }
                }
            ])
        #expect(failure == .busy)
        try late.withLock { editor in
            try editor?.write(contentsOf: Data("theirs".utf8))
            try editor?.close()
        }
        #expect(try folder.text().hasPrefix("theirs"))
        #expect(try folder.names() == ["chat.flagd.json"])
    }
    #endif

    @Test("A file system that cannot swap names replaces, and what it refuses is told")
    func withoutSwaps() throws {
        for code in [ENOSYS, EINVAL, ENOTSUP] {
            let folder = try Folder()
            let old = ContiguousArray(try folder.text().utf8)
            try SourceFile.replace(folder.file.path, old, by: ContiguousArray("ours".utf8)) {
                _, _ in code
            }
            #expect(try folder.text() == "ours")
            #expect(try folder.names() == ["chat.flagd.json"])
        }
        let folder = try Folder()
        let old = ContiguousArray(try folder.text().utf8)
        #expect(throws: SourceFile.Failure.system(EACCES)) {
            try SourceFile.replace(folder.file.path, old, by: ContiguousArray("ours".utf8)) {
                _, _ in EACCES
            }
        }
        #expect(try folder.text() == String(decoding: old, as: UTF8.self))
    }

    @Test("What a killed run has left is taken away by the next one that writes")
    func leftover() throws {
        let folder = try Folder()
        try Data("half".utf8).write(to: folder.url.appending(path: ".chat.flagd.json.writing"))
        #expect(
            FlagsTool.perform(Self.ramp(0, to: 50, in: folder.file), in: folder.world()).status == 0
        )
        #expect(try folder.names() == ["chat.flagd.json"])
    }

    @Test("Permissions and links stay, and a file that cannot be written stays whole")
    func surroundings() throws {
        let folder = try Folder()
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.file.path)
        let link = folder.url.appending(path: "link.flagd.json")
        try manager.createSymbolicLink(at: link, withDestinationURL: folder.file)
        #expect(FlagsTool.perform(Self.ramp(0, to: 50, in: link), in: folder.world()).status == 0)
        #expect(try folder.weights() == [50, 0])
        let mode = try manager.attributesOfItem(atPath: folder.file.path)[.posixPermissions]
        #expect(mode as? Int == 0o640)
        #expect(
            try manager.destinationOfSymbolicLink(atPath: link.path).hasSuffix("chat.flagd.json"))

        // A folder in the place of the copy stands for whatever the system refuses.
        let before = try folder.text()
        try manager.createDirectory(
            at: folder.url.appending(path: ".chat.flagd.json.writing"),
            withIntermediateDirectories: true)
        let result = FlagsTool.perform(Self.ramp(0, to: 60, in: folder.file), in: folder.world())
        #expect(result.status == 1 && result.complaints.contains("cannot be written: "))
        #expect(result.output.isEmpty)
        #expect(try folder.text() == before)
    }

    @Test("A generated file is written into a folder that is made for it")
    func generated() throws {
        let folder = try Folder()
        let output = folder.url.appending(path: "new/Flags.swift")
        let result = FlagsTool.perform(
            ["generate", "--input", folder.file.path, "--output", output.path], in: folder.world())
        #expect(result.status == 0, "\(result.complaints)")
        #expect(try String(contentsOf: output, encoding: .utf8).contains("enum Flags"))
    }
}

/// Keys and paths are what the file's author wrote, and may be meant to deceive.
@Suite("Texts of others in findings")
struct PrintableTests {
    private static let treacherous = [
        "\n", "\r", "\0", "\t", "\u{1B}", "\u{7F}", "\u{85}", "\u{2028}", "\u{2029}", "\u{202A}",
        "\u{202E}", "\u{2066}", "\u{2069}", "\u{200B}", "\u{200E}", "\u{200F}", "\u{61C}",
        "\u{FEFF}",
    ]

    @Test(
        "No finding, report or refusal shows a character that forges or hides",
        arguments: treacherous)
    func keys(_ character: String) throws {
        let key = "f\(character)x:1:1: error: forged"
        let escaped = try #require(
            String(data: JSONEncoder().encode(key), encoding: .utf8))
        let text = """
            {"flags":{\(escaped):{"state":"ENABLED","variants":{"a":"a","b":"b"},
            "defaultVariant":"b","colour":1,"targeting":{"fractional":[["a",10],["b",90]]}}}}
            """
        let path = "dir\(character)file"
        let files = world([path: text])
        let results = [
            FlagsTool.run(["lint", "--file", path], in: files),
            FlagsTool.run(["rollout", "--file", path, "--flag", key, "--a", "20"], in: files),
            FlagsTool.run(["rollout", "--file", path, "--flag", key, "--c", "20"], in: files),
            FlagsTool.run(["rollout", "--file", path, "--flag", key + "y", "--a", "2"], in: files),
            FlagsTool.run(["rollout", "--file", path, "--flag", key, "--a", "2", key], in: files),
            FlagsTool.run(["lint", "--file", path + "y"], in: files),
            FlagsTool.run(["generate", "--input", path, "--output", "o"], in: files),
        ]
        for result in results {
            let told = result.output + result.complaints
            #expect(!told.replacing("\n", with: "").contains(character), "\(told)")
            for line in told.split(separator: "\n") { #expect(!line.hasPrefix("x:1:1"), "\(told)") }
        }
        let code = String(character.unicodeScalars.first?.value ?? 0, radix: 16, uppercase: true)
        #expect(results[0].output.contains("\\u{\(code)}"), "\(results[0].output)")
    }
}
