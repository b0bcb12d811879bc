import RejoinJSON
import Testing

@Suite("JSONReader: typed reading, limits and places (RFC 8259)")
struct JSONReaderTests {
    private enum Field: String, JSONField {
        case id, name, durationMilliseconds
        static let table = JSONFieldTable<Self>()
    }

    private struct Item: Equatable {
        var id: Int?
        var name: String?
        var duration: Int64?
        var hasUnknown = false
    }

    private func item(_ text: String) throws(JSONError) -> Item {
        try JSONReader.read(ContiguousArray(text.utf8)) { (reader) throws(JSONError) in
            var item = Item()
            var fields = JSONFields<Field>()
            try reader.beginObject()
            while let field = try reader.nextField(&fields) {
                switch field {
                case .id: item.id = try reader.integer()
                case .name: item.name = try reader.string()
                case .durationMilliseconds: item.duration = try reader.integer()
                }
            }
            item.hasUnknown = fields.hasUnknown
            return item
        }
    }

    private func error<Value>(
        _ text: String, limits: JSONLimits = JSONLimits(),
        _ body: (inout JSONReader) throws(JSONError) -> Value
    ) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONReader.read(ContiguousArray(text.utf8), limits: limits, body)
            return nil
        } catch {
            return error
        }
    }

    @Test("members are found in any order, escaped keys too, and unknown ones are passed over")
    func members() throws {
        #expect(
            try item(#"{"id":1,"name":"a","durationMilliseconds":2}"#)
                == Item(id: 1, name: "a", duration: 2))
        #expect(
            try item(#"{"durationMilliseconds":2,"x":[{"id":9}],"na\u006de":"a","id":1}"#)
                == Item(id: 1, name: "a", duration: 2, hasUnknown: true))
        #expect(
            try item(#"{"durationMillisecondz":2,"i":1,"idx":2,"":3}"#) == Item(hasUnknown: true))
        #expect(try item("{}") == Item())
    }

    @Test("a known key that stands twice is refused, however it is spelled")
    func duplicates() {
        #expect(throws: JSONError.self) { try item(#"{"id":1,"id":1}"#) }
        let found = #expect(throws: JSONError.self) { try item(#"{"id":1,"\u0069d":2}"#) }
        #expect(found?.code == .duplicateKey)
        #expect(found?.offset == 8)
    }

    @Test("whole numbers are read exactly or not at all")
    func integers() throws {
        func read<Integer: FixedWidthInteger>(_ text: String, _: Integer.Type) -> Integer? {
            do throws(JSONError) {
                return try JSONReader.read(ContiguousArray(text.utf8)) {
                    (reader) throws(JSONError) -> Integer in try reader.integer()
                }
            } catch {
                return nil
            }
        }
        #expect(read("9223372036854775807", Int64.self) == .max)
        #expect(read("9223372036854775808", Int64.self) == nil)
        #expect(read("-9223372036854775808", Int64.self) == .min)
        #expect(read("-9223372036854775809", Int64.self) == nil)
        #expect(read("18446744073709551615", UInt64.self) == .max)
        #expect(read("340282366920938463463374607431768211455", UInt128.self) == .max)
        #expect(read("340282366920938463463374607431768211456", UInt128.self) == nil)
        #expect(read("-0", Int.self) == 0)
        #expect(read("-1", UInt64.self) == nil)
        #expect(read("255", UInt8.self) == 255)
        #expect(read("256", UInt8.self) == nil)
        for text in ["1.0", "1e0", "1E2", "01", "-", "-a", "\"1\"", "true", ""] {
            #expect(read(text, Int.self) == nil, "\(text)")
        }
    }

    @Test("quoted digits and UUIDs are taken whole or left alone")
    func quoted() throws {
        func digits(_ text: String) throws -> UInt128? {
            try JSONReader.read(ContiguousArray(text.utf8)) {
                (reader) throws(JSONError) -> UInt128? in
                let digits = try reader.takeQuotedDigits()
                if digits == nil { try reader.skip() }
                return digits
            }
        }
        #expect(try digits(#""0""#) == 0)
        #expect(try digits(#""340282366920938463463374607431768211455""#) == .max)
        for text in [
            #""""#, #""01""#, #""-1""#, #""1a""#, #""1 ""#, "1",
            #""340282366920938463463374607431768211456""#,
        ] {
            #expect(try digits(text) == nil, "\(text)")
        }
        func uuid(_ text: String) throws -> UInt128? {
            try JSONReader.read(ContiguousArray(text.utf8)) {
                (reader) throws(JSONError) -> UInt128? in
                let bits = try reader.takeQuotedUUID()
                if bits == nil { try reader.skip() }
                return bits
            }
        }
        let bits: UInt128 = 0x0123_4567_89AB_CDEF_0123_4567_89AB_CDEF
        #expect(try uuid(#""01234567-89ab-cdef-0123-456789abcdef""#) == bits)
        #expect(try uuid(#""01234567-89AB-CDEF-0123-456789ABCDEF""#) == bits)
        #expect(try uuid(#""01234567089ab-cdef-0123-456789abcdef""#) == nil)
        #expect(try uuid(#""01234567-89ab-cdef-0123-456789abcdeg""#) == nil)
        #expect(try uuid(#""01234567-89ab-cdef-0123-456789abcde""#) == nil)
        // Each byte that is no digit, at each place; a wrong one must not pass for its neighbour.
        let digits = Array("01234567-89ab-cdef-0123-456789abcdef".utf8)
        let hexadecimal = Set("0123456789abcdefABCDEF".utf8)
        for index in digits.indices {
            for byte in UInt8(0x20)..<0x7F where byte != 0x22 && byte != 0x5C {
                var changed = digits
                changed[index] = byte
                let isHyphen = [8, 13, 18, 23].contains(index)
                let isValid = isHyphen ? byte == 0x2D : hexadecimal.contains(byte)
                let text = "\"\(String(decoding: changed, as: UTF8.self))\""
                #expect(try (uuid(text) != nil) == isValid, "\(text)")
            }
        }
    }

    @Test("errors carry byte, line, column and path")
    func places() throws {
        let text = "{\"messages\": [\n  {\"id\": 1},\n  {\"né\": \"é\", \"id\": x}]}"
        let found = try #require(error(text) { (reader) throws(JSONError) in try reader.skip() })
        #expect(found.code == .unexpectedByte)
        #expect(found.location == JSONLocation(offset: 50, line: 3, column: 21))
        #expect(found.path == "messages[1].id")
        #expect(
            found.description
                == "3:21: unexpected_byte at messages[1].id (byte 50): a value was expected")
    }

    @Test("keys that are no plain names are not shown in paths")
    func secretKeys() throws {
        let text = #"{"token abc": [nope]}"#
        let found = try #require(error(text) { (reader) throws(JSONError) in try reader.skip() })
        #expect(found.path == "…[0]")
        #expect(!found.description.contains("abc"))
    }

    @Test("a missing member and a wrong type name their object and value")
    func meanings() throws {
        let missing = try #require(
            error(#"[{"a":1},{"b":2}]"#) { (reader) throws(JSONError) in
                try reader.beginArray()
                while try reader.nextElement() {
                    var fields = JSONFields<Field>()
                    try reader.beginObject()
                    while try reader.nextField(&fields) != nil { try reader.skip() }
                    if fields.hasUnknown { throw reader.missing("id") }
                }
            })
        #expect(missing.code == .missingMember)
        #expect(missing.path == "[0]")
        let wrong = try #require(
            error(#"{"id": "1"}"#) { (reader) throws(JSONError) in
                var fields = JSONFields<Field>()
                try reader.beginObject()
                while try reader.nextField(&fields) != nil { _ = try reader.integer(Int.self) }
            })
        #expect(wrong.code == .wrongType)
        #expect(wrong.path == "id")
        #expect(wrong.message == "a number was expected, a string was found")
    }

    @Test("limits are checked: length, depth, strings, values (P7)")
    func limits() {
        let skip = { (reader: inout JSONReader) throws(JSONError) in try reader.skip() }
        #expect(error("[1]", limits: JSONLimits(maximumBytes: 2), skip)?.code == .limitExceeded)
        #expect(error("[1]", limits: JSONLimits(maximumBytes: 3), skip) == nil)
        let deep = String(repeating: "[", count: 3) + String(repeating: "]", count: 3)
        #expect(error(deep, limits: JSONLimits(maximumDepth: 2), skip)?.code == .limitExceeded)
        #expect(error(deep, limits: JSONLimits(maximumDepth: 3), skip) == nil)
        let string = "\"\(String(repeating: "a", count: 20))\""
        let short = JSONLimits(maximumStringBytes: 19)
        #expect(error(string, limits: short, skip)?.code == .limitExceeded)
        #expect(error(string, limits: JSONLimits(maximumStringBytes: 20), skip) == nil)
        #expect(
            error("[1,[2],3]", limits: JSONLimits(maximumValues: 3), skip)?.code == .limitExceeded)
        #expect(error("[1,[2],3]", limits: JSONLimits(maximumValues: 4), skip) == nil)
        #expect(JSONLimits(maximumDepth: 100_000).maximumDepth == 512)
    }

    @Test("a hundred thousand open brackets end in an error, not in a stack overflow")
    func depthBomb() {
        let bomb = String(repeating: "[", count: 100_000)
        let found = error(bomb, limits: JSONLimits(maximumDepth: 512)) {
            (reader) throws(JSONError) in try reader.skip()
        }
        #expect(found?.code == .limitExceeded)
        #expect(found?.offset == 512)
    }

    @Test("raw JSON comes back byte by byte, and reading ahead takes nothing")
    func rawAndAhead() throws {
        let text = #"[ {"a" : [1, "é\n"]} , 2]"#
        let (raw, ahead, two) = try JSONReader.read(ContiguousArray(text.utf8)) {
            (reader) throws(JSONError) -> (String, String, Int) in
            try reader.beginArray()
            _ = try reader.nextElement()
            let ahead = try reader.lookingAhead { (reader) throws(JSONError) in
                try reader.rawJSON()
            }
            let raw = try reader.rawJSON()
            _ = try reader.nextElement()
            let two: Int = try reader.integer()
            _ = try reader.nextElement()
            return (raw, ahead, two)
        }
        #expect(raw == #"{"a" : [1, "é\n"]}"#)
        #expect(ahead == raw)
        #expect(two == 2)
    }
}
