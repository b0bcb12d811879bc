import Foundation
import RejoinFlagsTooling
import Testing

/// The program that the plugins run, from its arguments to what it says and writes.
@Suite("The plugins' program")
struct CommandTests {
    private static let sound = oneFlag(
        #""targeting":{"fractional":[{"cat":["f:",{"var":"targetingKey"}]},["a",10],["b",90]]}"#)

    @Test("Each command has its help, and wrong usage says what is wrong, with status 2")
    func usage() {
        for command in ["generate", "lint", "rollout"] {
            let help = FlagsTool.run([command, "--help"], in: world([:]))
            #expect(help.status == 0 && help.output.hasPrefix("usage: "))
            let wrong = FlagsTool.run([command, "word"], in: world([:]))
            #expect(wrong.status == 2 && wrong.complaints.hasPrefix("error: "), "\(command)")
        }
        for words in [
            [], ["paint"], ["lint"], ["lint", "--file"], ["lint", "--file", "a", "--today", "x"],
            ["lint", "--file", "a", "--file", "b", "--baseline", "c"],
            ["rollout", "--file", "a", "--flag", "f"],
            ["rollout", "--file", "a", "--flag", "f", "--a", "many"],
            ["rollout", "--file", "a", "--flag", "f", "--rollback", "--lift"],
            ["rollout", "--file", "a", "--flag", "f", "--a", "1", "--context", "[]"],
            ["rollout", "--flag", "f", "--a", "1"],
        ] {
            let result = FlagsTool.run(words, in: world([:]))
            #expect(result.status == 2, "\(words)")
            #expect(result.complaints.split(separator: "\n").count == 1, "\(words)")
            #expect(result.files.isEmpty)
        }
    }

    @Test("generate writes a file, or tells of the mistake as compilers do and writes none")
    func generate() {
        let files = ["/p/chat.flagd.json": Self.sound, "/p/bad.flagd.json": "{\n \"flags\": [] }"]
        let good = FlagsTool.run(
            ["generate", "--input", "/p/chat.flagd.json", "--output", "/o.swift"], in: world(files))
        #expect(good.status == 0 && good.files.map(\.path) == ["/o.swift"])
        let bad = FlagsTool.run(
            ["generate", "--input", "/p/bad.flagd.json", "--output", "/o.swift"], in: world(files))
        #expect(bad.status == 1 && bad.files.isEmpty)
        #expect(
            bad.complaints.hasPrefix("/p/bad.flagd.json:2:11: error: 'flags' must be an object"))
        let missing = FlagsTool.run(
            ["generate", "--input", "/p/no.flagd.json", "--output", "/o.swift"], in: world(files))
        #expect(missing.complaints.hasPrefix("/p/no.flagd.json:1:1: error: there is no such file"))
    }

    @Test("lint counts, and --strict fails on warnings too")
    func lint() throws {
        let files = [
            "good": Self.sound, "warns": oneFlag(#""colour":1"#),
            "fails": oneFlag(#""targeting":{"if":[true,"c"]}"#),
        ]
        let good = FlagsTool.run(["lint", "--file", "good", "--strict"], in: world(files))
        #expect(good.status == 0 && good.output == "0 errors, 0 warnings in 1 file\n")
        #expect(FlagsTool.run(["lint", "--file", "warns"], in: world(files)).status == 0)
        #expect(
            FlagsTool.run(["lint", "--file", "warns", "--strict"], in: world(files)).status == 1)
        let all = FlagsTool.run(
            ["lint", "--file", "warns", "--file=fails", "--file", "gone", "--json"],
            in: world(files))
        #expect(all.status == 1)
        let json = try JSONSerialization.jsonObject(with: Data(all.output.utf8)) as? [String: Any]
        #expect(json?["errors"] as? Int == 2 && json?["warnings"] as? Int == 1)
        let findings = try #require(json?["findings"] as? [[String: Any]])
        #expect(findings.map { $0["file"] as? String } == ["warns", "fails", "gone"])
        #expect(findings.map { $0["column"] as? Int } == [84, 108, nil])
    }

    @Test("A baseline that cannot be read is an error, not an empty one")
    func baseline() {
        let result = FlagsTool.run(
            ["lint", "--file", "good", "--baseline", "gone"], in: world(["good": Self.sound]))
        #expect(result.status == 1 && result.output.hasPrefix("gone:1:1: error: "))
    }

    @Test("rollout writes the one file that has the flag, and a dry run writes none")
    func rollout() throws {
        let files = ["one": Self.sound, "two": #"{"flags":{}}"#]
        let words = ["rollout", "--file", "two", "--file", "one", "--flag", "f", "--a", "25"]
        let done = FlagsTool.run(words, in: world(files))
        #expect(done.status == 0 && done.files.map(\.path) == ["one"])
        #expect(done.files[0].replaced == ContiguousArray(Self.sound.utf8))
        #expect(done.output.contains("'a'  10 % -> 25 %") && done.output.hasSuffix("written\n"))
        let dry = FlagsTool.run(words + ["--dry-run"], in: world(files))
        #expect(dry.files.isEmpty && dry.output.hasSuffix("dry run: nothing was written\n"))
        let same = FlagsTool.run(words.dropLast() + ["10"], in: world(files))
        #expect(same.status == 0 && same.files.isEmpty)
        #expect(same.output.hasSuffix("nothing to change\n"))
        let json = FlagsTool.run(words + ["--json"], in: world(files))
        let object =
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["written"] as? Bool == true)
    }

    @Test("rollout tells where it cannot, also to machines")
    func refusal() throws {
        let files = ["one": Self.sound, "same": Self.sound]
        let words = ["rollout", "--flag", "f", "--a", "5", "--file", "one"]
        let refused = FlagsTool.run(words, in: world(files))
        #expect(refused.status == 1 && refused.files.isEmpty)
        #expect(refused.complaints.hasPrefix("one:1:149: error: flag 'f': 'a' has 10 %"))
        let json = FlagsTool.run(words + ["--json"], in: world(files))
        #expect(json.status == 1 && json.complaints.isEmpty)
        #expect(json.output.contains(#""written":false"#) && json.output.contains(#""column":149"#))
        let both = FlagsTool.run(words + ["--file", "same"], in: world(files))
        #expect(both.status == 1 && both.complaints.contains("several files have the flag"))
        let none = FlagsTool.run(
            ["rollout", "--flag", "g", "--a", "5", "--file", "one"], in: world(files))
        #expect(none.status == 1 && none.complaints.contains("no flag 'g' in one"))
    }

    @Test("A rule that several flags share is ramped for all of them, and that is said")
    func sharedRule() {
        let flag =
            #"{"state":"ENABLED","variants":{"a":"a","b":"b"},"defaultVariant":"b","#
            + #""targeting":{"$ref":"r"}}"#
        let text =
            #"{"$evaluators":{"r":{"fractional":[{"var":"targetingKey"},["a",1],["b",9]]}},"#
            + #""flags":{"f":\#(flag),"g":\#(flag)}}"#
        let result = FlagsTool.run(
            ["rollout", "--flag", "f", "--a", "50", "--file", "x"], in: world(["x": text]))
        #expect(result.status == 0)
        #expect(result.output.contains("also changed, because it shares the rule: flag 'g'"))
    }
}
