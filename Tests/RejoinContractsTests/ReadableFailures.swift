import Foundation
import RejoinContracts
import RejoinModel
import RejoinPipeline
import RejoinStore
import RejoinSync
import RejoinTime
import Testing

extension ContractFailure {
    /// Reports are for people: no dump of Swift's, and nothing that breaks a line.
    func expectReadable(source: SourceLocation = #_sourceLocation) {
        for dump in ["Optional(", "rawValue", "ContentBlock", "clientID:", "__C."] {
            #expect(!description.contains(dump), "\(description)", sourceLocation: source)
        }
        let modules = description.matches(of: /\bRejoin[A-Z][A-Za-z]*\.[A-Z]/)
        #expect(modules.isEmpty, "\(description)", sourceLocation: source)
        let control = description.unicodeScalars.filter {
            $0.properties.generalCategory == .control
        }
        #expect(control.isEmpty, "\(description)", sourceLocation: source)
    }
}

/// What a failure shows of the values that differ.
@Suite("Failures are told in words")
struct ReadableFailureTests {
    private static let secret = "between you and me"

    private static func message(
        _ id: UInt128 = 2_823, by author: String = "eve", _ text: String = secret
    ) -> Message {
        Message(
            id: MessageID(id), author: UserID(author), clientID: ClientMessageID(UUID()),
            sentAt: WallTime(milliseconds: 7), content: [.text(text)])
    }

    private static func failure<Value: Equatable & Sendable>(
        _ actual: Value, not expected: Value
    ) -> ContractFailure? {
        do throws(ContractFailure) {
            try require(actual, equals: expected, "seam.rule", whoIsHurt: "the reader")
            return nil
        } catch {
            return error
        }
    }

    @Test("Messages are told by ID and author, never by what they say")
    func messages() throws {
        let failure = try #require(Self.failure([Self.message(by: "eve\0\u{202E}")], not: []))
        #expect(failure.got == #"[message 2823 by eve\u{0}\u{202E}]"#)
        #expect(failure.expected == "[]")
        failure.expectReadable()
    }

    @Test("Values that read alike are told apart by where they differ")
    func differences() throws {
        let failure = try #require(
            Self.failure([Self.message(1), Self.message(2, "x")], not: [Self.message(1)]))
        #expect(failure.got == "[message 1 by eve, message 2 by eve]")
        let id = ClientMessageID(UUID())
        func edited(_ text: String) -> Message {
            Message(
                id: MessageID(1), author: UserID("eve"), clientID: id,
                sentAt: WallTime(milliseconds: 7), content: [.text(text)])
        }
        let alike = try #require(Self.failure(edited("one"), not: edited("two")))
        #expect(alike.got == "message 1 by eve, which differs in text of element 1 of content")
        let missing: Message? = nil
        #expect(Self.failure(missing, not: Self.message())?.got == "nothing")
    }

    @Test("Codes, stores' rows and bounds are told without the names of types' members")
    func others() throws {
        let code: BackendFailure.Code? = .tokenExpired
        #expect(Self.failure(nil, not: code)?.expected == "token_expired")
        #expect(Self.failure(HistoryAnchor.after(nil), not: .newest)?.got == "after nothing")
        let item = OutboxItem(
            id: ClientMessageID(UUID()), sequence: 3, work: .send([.text(Self.secret)]),
            queuedAt: WallTime(milliseconds: 5))
        var checkpoint = RoomCheckpoint()
        checkpoint.timeline.messages = [Self.message()]
        for failure in [
            Self.failure([item], not: []), Self.failure(checkpoint, not: RoomCheckpoint()),
            Self.failure(checkpoint, not: nil), Self.failure([1: item], not: [:]),
            Self.failure(Set(["a\n"]), not: []),
            Self.failure(Array(repeating: Self.message(), count: 5_000), not: []),
        ] {
            let failure = try #require(failure)
            failure.expectReadable()
            #expect(!failure.description.contains(Self.secret))
            #expect(failure.description.count < 1_000)
        }
    }

    @Test("An error of an implementation is told in its own words, on one line")
    func errors() async {
        struct Strange: Error { var line = "a\nb" }
        for error in [BackendFailure(.rejected, "no\0") as any Error, Strange()] {
            let result = await ContractCheck("seam.rule", promise: "P1") { throw error }.result()
            result.failure?.expectReadable()
            #expect(result.failure?.got.hasPrefix("the error ") == true)
        }
    }
}
