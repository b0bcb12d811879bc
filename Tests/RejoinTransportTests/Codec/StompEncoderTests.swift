import RejoinTransport
import Testing

@Suite("STOMP encoding: STOMP 1.2, \"Value Encoding\", \"Body\", \"Repeated Header Entries\"")
struct StompEncoderTests {
    private func text(_ frame: StompFrame, _ encoder: StompEncoder = StompEncoder()) throws
        -> String
    {
        String(decoding: try encoder.encode(frame), as: UTF8.self)
    }

    private func code(_ frame: StompFrame, _ encoder: StompEncoder = StompEncoder())
        -> StompError.Code?
    {
        do throws(StompError) {
            _ = try encoder.encode(frame)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A frame stands as STOMP asks, with its content-length")
    func plain() throws {
        let frame = StompFrame(.send, headers: ["destination": "/queue/a"], text: "häi")
        #expect(try text(frame) == "SEND\ndestination:/queue/a\ncontent-length:4\n\nhäi\0")
        #expect(try text(StompFrame(.disconnect)) == "DISCONNECT\n\n\0")
        #expect(try text(StompFrame(.send, headers: ["a": "b"])) == "SEND\na:b\n\n\0")
    }

    @Test("Escapes, in names and values alike")
    func escapes() throws {
        let frame = StompFrame(
            .send, headers: [("a", "b:c\nd\re\\f"), ("plain", "x"), ("n:\n", "\\c"), ("z", "\t")])
        #expect(
            try text(frame)
                == "SEND\na:b\\cc\\nd\\re\\\\f\nplain:x\nn\\c\\n:\\\\c\nz:\t\n\n\0")
    }

    @Test("STOMP 1.1 has no escape for CR, 1.0 none at all")
    func versions() throws {
        let old = StompEncoder(version: .v11)
        #expect(try text(StompFrame(.send, headers: ["a": ":\n"]), old) == "SEND\na:\\c\\n\n\n\0")
        #expect(code(StompFrame(.send, headers: ["a": "\r"]), old) == .headerNotRepresentable)
        let older = StompEncoder(version: .v10)
        #expect(try text(StompFrame(.send, headers: ["a": "\\:"]), older) == "SEND\na:\\:\n\n\0")
        #expect(code(StompFrame(.send, headers: ["a": "\n"]), older) == .headerNotRepresentable)
        #expect(code(StompFrame(.send, headers: ["a:b": "c"]), older) == .headerNotRepresentable)
    }

    @Test(
        "CONNECT, STOMP and CONNECTED are raw, and cannot be injected into",
        arguments: [StompCommand.connect, .stomp, .connected])
    func connect(_ command: StompCommand) throws {
        let frame = StompFrame(command, headers: ["passcode": "p:a\\b"])
        #expect(try text(frame) == "\(command.rawValue)\npasscode:p:a\\b\n\n\0")
        for octet in ["\n", "\r", "\0"] {
            let injected = StompFrame(command, headers: ["passcode": "a\(octet)b"])
            #expect(code(injected) == .headerNotRepresentable)
        }
        #expect(
            code(StompFrame(command, headers: ["a:b": "c"])) == .headerNotRepresentable)
    }

    @Test("RabbitMQ's passcode: escaped where asked for")
    func escapedConnect() throws {
        let encoder = StompEncoder(escapesConnect: true)
        let frame = StompFrame(.connect, headers: ["passcode": "p:a\\b"])
        #expect(try text(frame, encoder) == "CONNECT\npasscode:p\\ca\\\\b\n\n\0")
    }

    @Test("A NUL fits into no header, an empty name into no frame")
    func refusals() {
        #expect(code(StompFrame(.send, headers: ["a": "\0"])) == .headerNotRepresentable)
        #expect(code(StompFrame(.send, headers: ["": "v"])) == .emptyHeaderName)
        #expect(code(StompFrame(.send, headers: [("a", ":"), ("", "v")])) == .emptyHeaderName)
        #expect(code(StompFrame(.subscribe, text: "body")) == .bodyNotAllowed)
    }

    @Test("A given content-length stays in its place and must be right")
    func givenLength() throws {
        let right = StompFrame(
            .send, headers: [("content-length", "02"), ("a", "b"), ("content-length", "x")],
            text: "hi")
        #expect(
            try text(right) == "SEND\ncontent-length:02\na:b\ncontent-length:x\n\nhi\0")
        for wrong in ["1", "+2", "", "2 ", "99999999999999999999999"] {
            let frame = StompFrame(.send, headers: ["content-length": wrong], text: "hi")
            #expect(code(frame) == .invalidContentLength)
        }
    }

    @Test("ActiveMQ's text: content-length only where the body cannot do without")
    func lengthIfNeeded() throws {
        let encoder = StompEncoder(contentLength: .onlyIfNeeded)
        #expect(try text(StompFrame(.send, text: "hi"), encoder) == "SEND\n\nhi\0")
        #expect(
            try text(StompFrame(.send, text: "h\0i"), encoder)
                == "SEND\ncontent-length:3\n\nh\0i\0")
    }

    @Test("The heart-beat is one LF")
    func heartBeat() {
        #expect(StompEncoder.heartBeat == [0x0A])
    }

    @Test("accept-version and host go out as they are, without spaces")
    func connectHeaders() throws {
        let frame = StompFrame(
            .connect, headers: ["accept-version": "1.0,1.1,1.2", "host": "/", "heart-beat": "0,0"])
        #expect(
            try text(frame)
                == "CONNECT\naccept-version:1.0,1.1,1.2\nhost:/\nheart-beat:0,0\n\n\0")
    }
}
