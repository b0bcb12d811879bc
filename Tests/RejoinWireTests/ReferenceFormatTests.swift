import Foundation
import RejoinModel
import RejoinTime
import RejoinWire
import Testing

@Suite("The reference format on the wire (section 9)")
struct ReferenceFormatTests {
    private let format = ReferenceFormat()

    private func bytes(_ text: String) -> ContiguousArray<UInt8> { ContiguousArray(text.utf8) }
    private func text(_ bytes: ContiguousArray<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    private let clientID = ClientMessageID(
        UUID(uuidString: "6F1E7A0C-1B2D-4C3E-8F90-A1B2C3D4E5F6") ?? UUID())

    @Test("the requests are those of the table, rooms and emoji escaped")
    func requests() {
        let room = RoomID("a/방")
        let path = "/v1/rooms/a%2F%EB%B0%A9"
        func line(_ call: BackendCall) -> String {
            let request = format.encode(call)
            return "\(request.method) \(request.target)"
        }
        #expect(line(.capabilities) == "GET /v1/capabilities")
        #expect(line(.rooms) == "GET /v1/rooms")
        #expect(line(.room(room)) == "GET \(path)")
        #expect(line(.history(room, .newest, limit: 50)) == "GET \(path)/messages?limit=50")
        #expect(
            line(.history(room, .after(MessageID(7)), limit: 50))
                == "GET \(path)/messages?after=7&limit=50")
        #expect(
            line(.history(room, .after(nil), limit: 50))
                == "GET \(path)/messages?after=beginning&limit=50")
        #expect(
            line(.changes(room, after: Revision(9), limit: 5))
                == "GET \(path)/changes?after=9&limit=5")
        #expect(
            line(.react(room, MessageID(7), emoji: "👍", true))
                == "PUT \(path)/messages/7/reactions/%F0%9F%91%8D")
        #expect(line(.delete(room, MessageID(7))) == "DELETE \(path)/messages/7")
        let send = format.encode(
            .send(room, MessageDraft(clientID: clientID, content: [.text("hi \"you\"")])))
        #expect("\(send.method) \(send.target)" == "POST \(path)/messages")
        #expect(send.headers["content-type"] == "application/json")
        #expect(
            text(send.body)
                == #"{"clientID":"6f1e7a0c-1b2d-4c3e-8f90-a1b2c3d4e5f6","#
                + #""content":[{"type":"text","text":"hi \"you\""}]}"#)
    }

    @Test("a page as it stands on the wire")
    func page() throws {
        let page = HistoryPage(
            messages: [
                Message(
                    id: MessageID(1 << 64), author: UserID("ann"), clientID: clientID,
                    sentAt: WallTime(milliseconds: 1_700_000_000_000), content: [.text("hi")],
                    revision: Revision(4), editedAt: nil, isDeleted: false,
                    reactions: [Reaction(emoji: "👍", users: [UserID("bob")])])
            ], members: [Member(id: UserID("ann"), name: "Ann")], from: nil,
            through: MessageID(1 << 64), hasBefore: false, hasAfter: true, tip: MessageID(1 << 65),
            revision: Revision(9))
        let call = BackendCall.history(RoomID("r"), .newest, limit: 1)
        let response = format.encode(.history(page), to: call)
        #expect(response.status == 200)
        #expect(
            text(response.body)
                == #"{"messages":[{"id":"18446744073709551616","author":"ann","#
                + #""clientID":"6f1e7a0c-1b2d-4c3e-8f90-a1b2c3d4e5f6","sentAt":1700000000000,"#
                + #""content":[{"type":"text","text":"hi"}],"revision":4,"#
                + #""reactions":[{"emoji":"👍","users":["bob"]}]}],"#
                + #""members":[{"id":"ann","name":"Ann"}],"through":"18446744073709551616","#
                + #""hasBefore":false,"hasAfter":true,"tip":"36893488147419103232","revision":9}"#)
        #expect(try format.decode(response, answering: call) == .history(page))
    }

    @Test("message IDs are taken as strings and as integers, and nothing else")
    func messageIDs() throws {
        func read(_ id: String) throws -> BackendAnswer {
            let body = #"{"id":\#(id),"author":"a","sentAt":0,"content":[]}"#
            return try format.decode(
                HTTPResponse(status: 200, body: bytes(body)),
                answering: .message(RoomID("r"), MessageID(1)))
        }
        func message(_ id: UInt128) -> BackendAnswer {
            .message(
                Message(
                    id: MessageID(id), author: UserID("a"), sentAt: WallTime(milliseconds: 0),
                    content: []))
        }
        #expect(try read("7") == message(7))
        #expect(try read(#""7""#) == message(7))
        #expect(try read("340282366920938463463374607431768211455") == message(.max))
        for wrong in ["\"\"", "\"07\"", "\"+7\"", "-7", "7.0", "7e0", "\"x\"", "null", "[]"] {
            let failure = #expect(throws: BackendFailure.self) { try read(wrong) }
            #expect(failure?.code == .malformedAnswer, "\(wrong)")
        }
    }

    @Test("one malformed message refuses the page and names its place (P1)")
    func placeOfFault() {
        let body = #"{"messages":[{"id":1,"author":"a","sentAt":0,"content":[]},{"id":true,"#
        let failure = #expect(throws: BackendFailure.self) {
            try format.decode(
                HTTPResponse(status: 200, body: bytes(body)),
                answering: .history(RoomID("r"), .newest, limit: 2))
        }
        #expect(failure?.code == .malformedAnswer)
        #expect(failure?.message.contains("at messages[1].id, byte 65") == true)
    }

    @Test("content of an unknown type is kept as it came and written back so")
    func customContent() throws {
        let block = #"{ "options" : ["é", 1.0],  "type":"poll" }"#
        let body = #"{"clientID":"\#(clientID)","content":[\#(block)]}"#
        let request = HTTPRequest(.post, "/v1/rooms/r/messages", body: bytes(body))
        let call = try format.decode(request)
        #expect(
            call
                == .send(
                    RoomID("r"),
                    MessageDraft(
                        clientID: clientID, content: [.custom(type: "poll", payload: block)])
                ))
        #expect(text(format.encode(call).body).contains(block))
        // What a host puts in comes back too, even if it is no JSON.
        for (payload, expected) in [
            ("[1]", "[1]"), (#"{"a":1}"#, #"{"a":1}"#), ("no json", #""no json""#),
        ] {
            let draft = MessageDraft(
                clientID: clientID, content: [.custom(type: "x", payload: payload)])
            #expect(
                try format.decode(format.encode(.send(RoomID("r"), draft)))
                    == .send(
                        RoomID("r"),
                        MessageDraft(
                            clientID: clientID, content: [.custom(type: "x", payload: expected)])))
        }
    }

    @Test("the status table, both ways")
    func statuses() {
        let table: [(BackendFailure.Code, Int)] = [
            (.tokenExpired, 401), (.tokenInvalid, 401), (.forbidden, 403), (.notFound, 404),
            (.methodNotAllowed, 405), (.conflict, 409), (.gone, 410), (.tooLarge, 413),
            (.rateLimited, 429), (.serverError, 500), (.methodNotImplemented, 501),
            (.rejected, 400),
        ]
        for (code, status) in table {
            let response = format.encode(
                BackendFailure(code, "why", retryAfter: .milliseconds(1_500)))
            #expect(response.status == status)
            #expect(response.headers["Retry-After"] == "2")
        }
        func failure(_ status: Int, _ body: String, _ headers: HTTPHeaders = [:])
            -> BackendFailure?
        {
            do throws(BackendFailure) {
                _ = try format.decode(
                    HTTPResponse(status: status, headers: headers, body: bytes(body)),
                    answering: .rooms)
                return nil
            } catch {
                return error
            }
        }
        // Gateways answer with pages for people: the status alone decides.
        let page = "<html>"
        #expect(failure(401, page)?.code == .tokenExpired)
        #expect(failure(401, #"{"code":"token_invalid","message":""}"#)?.code == .tokenInvalid)
        #expect(failure(403, #"{"code":"not_found"}"#)?.code == .forbidden)
        #expect(failure(503, page)?.code == .rateLimited)
        #expect(failure(502, page)?.code == .serverError)
        #expect(failure(408, page)?.code == .serverError)
        #expect(failure(418, page)?.code == .rejected)
        #expect(failure(302, page)?.code == .rejected)
        #expect(failure(500, page)?.message == "the server answered with HTTP status 500")
        #expect(failure(400, #"{"code":"x","message":"a\nb"}"#)?.message == "a b")
        let long = String(repeating: "x", count: 5_000)
        #expect(failure(400, #"{"message":"\#(long)"}"#)?.message.count == 300)
        #expect(failure(204, "")?.code == .malformedAnswer)
    }

    @Test("Retry-After in seconds and in the three forms of a date (RFC 9110 5.6.7, 10.2.3)")
    func retryAfter() {
        func wait(_ value: String, date: String? = "Sun, 06 Nov 1994 08:49:37 GMT") -> Duration? {
            var headers: HTTPHeaders = ["retry-after": value]
            headers["Date"] = date
            do throws(BackendFailure) {
                _ = try format.decode(
                    HTTPResponse(status: 503, headers: headers), answering: .rooms)
                return nil
            } catch {
                return error.retryAfter
            }
        }
        #expect(wait("120") == .seconds(120))
        #expect(wait(" 0 ") == .zero)
        #expect(wait("99999999999999999999") == .seconds(31_536_000))
        #expect(wait("Sun, 06 Nov 1994 08:50:07 GMT") == .seconds(30))
        #expect(wait("Sunday, 06-Nov-94 08:50:07 GMT") == .seconds(30))
        #expect(wait("Sun Nov  6 08:50:07 1994") == .seconds(30))
        #expect(
            wait("Tue, 01 Mar 2044 00:00:00 GMT", date: "Mon, 29 Feb 2044 23:59:59 GMT")
                == .seconds(1))
        #expect(wait("Sun, 06 Nov 1994 08:00:00 GMT") == .zero)
        #expect(wait("Sun, 06 Nov 1994 08:50:07 GMT", date: nil) == nil)
        for wrong in ["", "-1", "1.5", "soon", "Sun, 06 Xyz 1994 08:49:37 GMT", "a b c d e"] {
            #expect(wait(wrong) == nil, "\(wrong)")
        }
    }

    @Test("a server refuses what is malformed, with the reason and the place")
    func refusals() {
        func code(_ method: HTTPMethod, _ target: String, _ body: String = "") -> String? {
            do {
                _ = try format.decode(HTTPRequest(method, target: target, body: bytes(body)))
                return nil
            } catch let failure as BackendFailure {
                return failure.code.rawValue
            } catch {
                return "\(error)"
            }
        }
        #expect(code(.get, "/v1/rooms") == nil)
        for path in [
            "/", "/v1", "/v1/", "/v2/rooms", "/v1/rooms/", "/v1/rooms//messages", "/v1/rooms/r/x",
            "/v1/rooms/%zz", "/v1/rooms/%ff", "/v1/rooms/r/messages/1/reactions",
            "/v1/rooms/r/messages/x", "/v1/rooms/r/messages/1/2/3/4", "/v1roomy/rooms",
        ] {
            #expect(code(.get, path) == "not_found", "\(path)")
        }
        #expect(code(.post, "/v1/rooms") == "method_not_allowed")
        #expect(code(HTTPMethod("get"), "/v1/rooms") == "method_not_allowed")
        for query in [
            "limit=0", "limit=-1", "limit=", "limit=x", "limit=5&limit=5",
            "limit=5&after=1&before=2",
            "limit=5&after=x", "limit=5&around=", "limit=99999999999999999999",
        ] {
            #expect(code(.get, "/v1/rooms/r/messages?\(query)") == "rejected", "\(query)")
        }
        #expect(code(.get, "/v1/rooms/r/changes?limit=5") == "rejected")
        #expect(code(.get, "/v1/rooms/r/messages") == nil, "a page has a usual size")
        for body in ["", "{}", "[]", #"{"clientID":"x","content":[]}"#, #"{"content":[{}]}"#] {
            #expect(code(.post, "/v1/rooms/r/messages", body) == "rejected", "\(body)")
        }
    }

    @Test("events: unknown types are kept, foreign rooms refused, places named")
    func events() throws {
        let destination = format.destination(of: RoomID("r"))
        func event(_ body: String, at place: String? = nil) throws(WireError) -> RoomEvent {
            try format.decodeEvent(bytes(body), at: place ?? destination)
        }
        #expect(
            try event(#"{"type":"later","room":"r","message":7,"read":[],"revision":3}"#)
                == RoomEvent(
                    room: RoomID("r"), kind: .unknown(type: "later"), revision: Revision(3)))
        #expect(
            try event(#"{"typing":{"user":"ann"},"type":"typing"}"#)
                == RoomEvent(room: RoomID("r"), kind: .typing(UserID("ann"))))
        let foreign = #expect(throws: WireError.self) {
            try event(#"{"type":"typing","room":"s","typing":{"user":"ann"}}"#)
        }
        #expect(foreign?.code == .unexpected)
        let roomless = #expect(throws: WireError.self) {
            try event(#"{"type":"typing","typing":{"user":"a"}}"#, at: format.roomsDestination)
        }
        #expect(roomless?.message == "the member 'room' is missing")
        let broken = #expect(throws: WireError.self) {
            try event(#"{"type":"created","room":"r","message":{"id":"7","author":7}}"#)
        }
        #expect(broken?.path == "message.author")
        #expect(broken?.offset == 58)
        let cut = #expect(throws: WireError.self) { try event(#"{"type":"created","room":"#) }
        #expect(cut?.code == .malformed)
        #expect(
            try event(
                #"{"type":"rejected","room":"r","clientID":"\#(clientID)","error":{"code":"rate_limited","message":"slow down","retryMilliseconds":1500}}"#
            )
                == RoomEvent(
                    room: RoomID("r"),
                    kind: .rejected(
                        clientID,
                        BackendFailure(
                            .rateLimited, "slow down", retryAfter: .milliseconds(1_500)))))
    }

    @Test("commands go where the table says; unknown destinations are refused")
    func commands() throws {
        let send = try #require(
            format.encode(
                RoomCommand(
                    room: RoomID("r"),
                    kind: .send(MessageDraft(clientID: clientID, content: [.text("a")])))))
        #expect(send.destination == "/pub/chat/message")
        #expect(send.contentType == "application/json")
        #expect(
            text(send.body)
                == #"{"room":"r","clientID":"6f1e7a0c-1b2d-4c3e-8f90-a1b2c3d4e5f6","#
                + #""content":[{"type":"text","text":"a"}]}"#)
        let unknown = #expect(throws: WireError.self) {
            try format.decodeCommand(WireSend(destination: "/pub/chat/other", body: send.body))
        }
        #expect(unknown?.code == .unknownDestination)
        let missing = #expect(throws: WireError.self) {
            try format.decodeCommand(
                WireSend(destination: "/pub/chat/message", body: bytes(#"{"room":"r"}"#)))
        }
        #expect(missing?.message == "the member 'clientID' is missing")
    }

    @Test("destinations are escaped and inverted")
    func destinations() {
        #expect(format.destination(of: RoomID("42")) == "/sub/chat/room/42")
        #expect(format.destination(of: RoomID("a/b c")) == "/sub/chat/room/a%2Fb%20c")
        #expect(format.room(at: "/sub/chat/room/a%2Fb%20c") == RoomID("a/b c"))
        for none in [
            "/sub/chat/room/", "/sub/chat/room/%2", "/sub/chat/room/a/b", "/sub/chat/rooms",
        ] {
            #expect(format.room(at: none) == nil, "\(none)")
        }
    }
}
