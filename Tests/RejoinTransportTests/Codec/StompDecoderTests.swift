import RejoinTransport
import Testing

@Suite("STOMP decoding: the decoder as a part of a session")
struct StompDecoderTests {
    @Test("After an error decoding stops for good, whatever comes")
    func sticky() throws {
        var decoder = StompDecoder(role: .client)
        decoder.append(Array("\nFOO\n\n\0".utf8))
        #expect(try decoder.next() == .heartBeat)
        let first = #expect(throws: StompError.self) { try decoder.next() }
        #expect(first?.offset == 1)
        decoder.append(Array("MESSAGE\n\n\0".utf8))
        let second = #expect(throws: StompError.self) { try decoder.next() }
        #expect(second == first)
        #expect(!decoder.needsMore)
    }

    @Test("The version may change between frames, and holds from the next frame on")
    func versionChange() throws {
        var decoder = StompDecoder(role: .client)
        decoder.append(Array("CONNECTED\nversion:1.1\n\n\0MESSAGE\na:\\r\n\n\0".utf8))
        _ = try decoder.next()
        decoder.version = .v11
        let error = #expect(throws: StompError.self) { try decoder.next() }
        #expect(error?.code == .undefinedEscape)
    }

    @Test("A large piece that is taken over instead of copied means the same")
    func adoption() throws {
        let body = String(repeating: "x", count: 100_000)
        let stream = ContiguousArray("MESSAGE\n\n\(body)\0MESSAGE\n\n1\0".utf8)
        var decoder = StompDecoder(role: .client)
        decoder.append(ContiguousArray(stream.dropLast(3)))
        #expect(try decoder.next() == .frame(StompFrame(.message, text: body)))
        #expect(try decoder.next() == nil)
        #expect(decoder.needsMore)
        decoder.append(ContiguousArray(stream.suffix(3)))
        #expect(try decoder.next() == .frame(StompFrame(.message, text: "1")))
        #expect(decoder.decodedOctets == stream.count)
    }

    @Test("Error texts tell no header values and no bodies")
    func errorTexts() {
        let streams = [
            "MESSAGE\npasscode:secret\\x\n\n\0", "MESSAGE\nsecret\n\n\0", "secret\n\n\0",
            "MESSAGE\ncontent-length:secret\n\n\0", "RECEIPT\n\nsecret\0",
        ]
        for stream in streams {
            var decoder = StompDecoder(role: .client)
            decoder.append(Array(stream.utf8))
            let error = #expect(throws: StompError.self) { try decoder.next() }
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test("Limits are kept within what the decoder can hold")
    func limits() {
        let limits = StompLimits(
            headers: -1, lineOctets: 0, headerSectionOctets: .max, bodyOctets: .max)
        #expect(limits.headers == 0)
        #expect(limits.lineOctets == 1)
        #expect(limits.headerSectionOctets == 1 << 30)
        #expect(limits.bodyOctets == 1 << 30)
    }
}

@Suite("STOMP frames: text or binary (RFC 6455 section 5.6)")
struct StompFrameTests {
    @Test("A frame is text where its body is UTF-8")
    func utf8() {
        #expect(StompFrame(.send, headers: ["é": "日本"], text: "🚂 goes").isUTF8)
        #expect(StompFrame(.send).isUTF8)
        #expect(!StompFrame(.send, body: [0x61, 0xFF]).isUTF8)
        #expect(StompFrame(.send, body: [0x61, 0xFF]).bodyText == nil)
        #expect(StompFrame(.send, text: "hi").bodyText == "hi")
    }

    @Test("Well-formedness is what the standard library says, at every place in a word")
    func wellFormed() {
        let leads: [UInt8] = [
            0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
            0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ]
        let trails: [UInt8] = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0]
        for lead in leads {
            for second in trails {
                for third in trails {
                    for padding in [0, 5, 7, 8] {
                        let bytes =
                            ContiguousArray(repeating: UInt8(ascii: "a"), count: padding)
                            + [lead, second, third, 0x80, 0x41]
                        let expected = String(validating: bytes, as: UTF8.self) != nil
                        if StompFrame(.send, body: bytes).isUTF8 != expected {
                            Issue.record("\(Array(bytes)) should be \(expected)")
                        }
                    }
                }
            }
        }
    }
}
