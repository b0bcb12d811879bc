import Foundation
import RejoinContracts
import RejoinJSON
import Testing

@Suite("JSONDocument, JSONNumber and JSONWriter")
struct JSONTreeTests {
    private func document(
        _ text: String, _ duplicates: JSONDocument.DuplicateKeys = .refuse
    ) throws(JSONError) -> JSONDocument {
        try JSONDocument(ContiguousArray(text.utf8), duplicateKeys: duplicates)
    }

    @Test("values know their place, members their order")
    func offsets() throws {
        let root = try document(" {\"b\": [1, true], \"a\": null}").root
        #expect(root.offset == 1)
        guard case .object(let object) = root.kind else {
            Issue.record("no object")
            return
        }
        #expect(object.members.map(\.key) == ["b", "a"])
        #expect(object.members.map(\.keyOffset) == [2, 18])
        #expect(object["a"]?.offset == 23)
        guard case .array(let values)? = object["b"]?.kind else {
            Issue.record("no array")
            return
        }
        #expect(values.map(\.offset) == [8, 11])
    }

    @Test("equal keys are refused or listed with both places")
    func duplicateKeys() throws {
        let text = #"{"a":1,"b":{"x":0,"x":1},"\u0061":2}"#
        let found = #expect(throws: JSONError.self) { try document(text) }
        #expect(found?.code == .duplicateKey)
        #expect(found?.path == "b")
        let listed = try document(text, .list)
        #expect(listed.issues.map(\.kind) == [.duplicate, .duplicate])
        #expect(listed.issues.map(\.key) == ["x", "a"])
        #expect(listed.issues.map(\.firstOffset) == [12, 1])
        #expect(listed.issues.map(\.secondOffset) == [18, 25])
    }

    @Test("keys that only look the same are listed, and each keeps its value")
    func lookAlikes() throws {
        let text = "{\"e\u{301}\":1,\"\u{E9}\":2,\"\u{212A}\":3,\"K\":4}"
        let document = try document(text)
        #expect(document.issues.map(\.kind) == [.lookAlike, .lookAlike])
        guard case .object(let object) = document.root.kind else { return }
        #expect(object["\u{E9}"] == JSONValue(.number(JSONNumber(2))))
        #expect(object["K"] == JSONValue(.number(JSONNumber(4))))
    }

    @Test("ten thousand equal keys cost linear time")
    func manyDuplicates() throws {
        let text = "{\(Array(repeating: "\"k\":0", count: 10_000).joined(separator: ","))}"
        #expect(try document(text, .list).issues.count == 9_999)
    }

    @Test("numbers keep their text and never round in silence")
    func numbers() throws {
        func number(_ text: String) throws -> JSONNumber {
            guard case .number(let number) = try document(text).root.kind else {
                throw JSONError(
                    .wrongType, "no number", at: JSONLocation(offset: 0, line: 1, column: 1))
            }
            return number
        }
        #expect(try number("1.0").integer(Int.self) == nil)
        #expect(try number("1e2").integer(Int.self) == nil)
        #expect(try number("-12").integer(Int8.self) == -12)
        #expect(try number("128").integer(Int8.self) == nil)
        #expect(try number("1e400").double == nil)
        #expect(try number("0.1").double == 0.1)
        #expect(try number("9007199254740993").exactDouble == nil)
        #expect(try number("9007199254740992").exactDouble == 9_007_199_254_740_992)
        #expect(try number("1.50e1").exactDouble == 15)
        #expect(try number("100e-2").exactDouble == 1)
        #expect(try number("0.1").exactDouble == 0.1)
        #expect(try number("0.1000000000000000055").exactDouble == nil)
        #expect(try number("-0").exactDouble == 0)
        #expect(try number("0e5").exactDouble == 0)
        #expect(try number("1e-400").exactDouble == nil)
        #expect(try number("1e99999999999999999999").exactDouble == nil)
        #expect(JSONNumber(Double.nan) == nil)
        #expect(JSONNumber(-Double.infinity) == nil)
        #expect(JSONNumber(UInt128.max).text == "340282366920938463463374607431768211455")
    }

    @Test("the writer is compact, keeps its order and escapes only what it must")
    func writing() throws {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("z", "a\"\\\u{0}\n\u{1F}/é\u{2028}")
        writer.member("none", String?.none)
        writer.member("big", UInt128.max)
        writer.member("low", Int128.min)
        writer.member("zero", 0)
        writer.member("yes", true)
        writer.key("list")
        writer.beginArray()
        writer.null()
        writer.beginObject()
        writer.endObject()
        writer.quotedInteger(UInt64.max)
        writer.raw("[1]")
        writer.beginArray()
        writer.endArray()
        writer.endArray()
        writer.endObject()
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"z":"a\"\\\u0000\n\u001f/é"# + "\u{2028}"
                + #"","big":340282366920938463463374607431768211455,"#
                + #""low":-170141183460469231731687303715884105728,"zero":0,"yes":true,"#
                + #""list":[null,{},"18446744073709551615",[1],[]]}"#)
    }

    @Test(
        "random trees come back, and Foundation reads the same", arguments: 0..<40 as Range<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<25 {
            let value = JSONValue.random(depth: 5, using: &random)
            var writer = JSONWriter()
            writer.value(value)
            let read = try JSONDocument(writer.bytes).root
            #expect(read == value)
            let oracle = try JSONSerialization.jsonObject(
                with: Data(writer.bytes), options: [.fragmentsAllowed])
            #expect(value.matches(oracle), "seed \(seed)")
            // The other way round: what Foundation writes is read as the same value.
            let written = try JSONSerialization.data(
                withJSONObject: oracle, options: [.fragmentsAllowed])
            #expect(try JSONDocument(ContiguousArray(written)).root.matches(oracle))
        }
    }
}

extension JSONValue {
    fileprivate static func random(depth: Int, using random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth == 0 ? 5 : 8), using: &random) {
        case 0: return JSONValue(.null)
        case 1: return JSONValue(.bool(Bool.random(using: &random)))
        case 2:
            // Foundation on Linux loses digits of some integers above 2^53.
            let bounds = -9_007_199_254_740_992...9_007_199_254_740_992 as ClosedRange<Int64>
            return JSONValue(.number(JSONNumber(Int64.random(in: bounds, using: &random))))
        case 3:
            let double = Double.random(in: -1e6...1e6, using: &random)
            return JSONValue(JSONNumber(double).map { .number($0) } ?? .null)
        case 4: return JSONValue(.string(randomText(using: &random)))
        case 5, 6:
            let count = Int.random(in: 0..<5, using: &random)
            return JSONValue(
                .array((0..<count).map { _ in .random(depth: depth - 1, using: &random) }))
        default:
            let count = Int.random(in: 0..<5, using: &random)
            return JSONValue(
                .object(
                    JSONObject(
                        (0..<count).map { index in
                            JSONObject.Member(
                                "\(index)\(randomText(using: &random))",
                                .random(depth: depth - 1, using: &random))
                        })))
        }
    }

    private static func randomText(using random: inout SeededGenerator) -> String {
        let pieces = [
            "a", "Z", "0", "\"", "\\", "/", "\n", "\u{1}", "é", "한", "글", "😀", "\u{2028}", " ",
        ]
        let count = Int.random(in: 0..<24, using: &random)
        return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    /// Whether Foundation's tree says the same. Foundation's numbers do not tell `true` from 1 on
    /// every platform, so the type asked for is the one that this tree has.
    fileprivate func matches(_ other: Any) -> Bool {
        switch kind {
        case .null: other is NSNull
        case .bool(let value): other as? Bool == value
        case .number(let number):
            if let integer = number.integer(Int64.self) {
                other as? Int64 == integer
            } else if let double = number.double, let other = other as? Double {
                // Foundation on Linux loses the last digits of some doubles.
                abs(double - other) <= abs(double) * 1e-12
            } else {
                false
            }
        case .string(let text): other as? String == text
        case .array(let values):
            (other as? [Any]).map { others in
                values.count == others.count && zip(values, others).allSatisfy { $0.matches($1) }
            } ?? false
        case .object(let object):
            (other as? [String: Any]).map { others in
                object.members.count == others.count
                    && object.members.allSatisfy { member in
                        others[member.key].map { member.value.matches($0) } ?? false
                    }
            } ?? false
        }
    }
}
