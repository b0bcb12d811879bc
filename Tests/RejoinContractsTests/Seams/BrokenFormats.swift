import RejoinContracts
import RejoinModel
import RejoinWire

extension BrokenFake {
    static let formats: [BrokenFake] = [
        format("asks for pages of its own size", foundBy: "wire.calls", .asksForOtherPages),
        format("does not say what precedes a page", foundBy: "wire.answers", .losesHasBefore),
        format("does not hear when to come back", foundBy: "wire.failures", .losesRetryAfter),
        format(
            "takes what is below a room for the room", foundBy: "wire.destinations",
            .takesLongerDestinations),
        format("reads every command as a note of typing", foundBy: "wire.commands", .losesCommands),
        format("loses the revisions of events", foundBy: "wire.events", .losesRevisions),
        format("takes a cut page for an empty one", foundBy: "wire.truncated", .acceptsCutPages),
        format(
            "does not say where a fault is", foundBy: "wire.hostile", .losesPlaces),
    ]

    private static func format(
        _ name: String, foundBy check: String, _ fault: BrokenFormat.Fault
    ) -> BrokenFake {
        BrokenFake(name, foundBy: check) { wireFormatChecks(BrokenFormat(fault: fault)) }
    }
}

/// The reference format with one rule broken.
private struct BrokenFormat: ServerWireFormat {
    enum Fault {
        case asksForOtherPages, losesHasBefore, losesRetryAfter, takesLongerDestinations
        case losesCommands, losesRevisions, acceptsCutPages, losesPlaces
    }

    let fault: Fault
    private let base = ReferenceFormat()

    init(fault: Fault) { self.fault = fault }

    func encode(_ call: BackendCall) -> HTTPRequest {
        guard fault == .asksForOtherPages, case .history(let room, let anchor, _) = call else {
            return base.encode(call)
        }
        return base.encode(.history(room, anchor, limit: 50))
    }

    func decode(_ response: HTTPResponse, answering call: BackendCall) throws(BackendFailure)
        -> BackendAnswer
    {
        do throws(BackendFailure) {
            let answer = try base.decode(response, answering: call)
            guard fault == .losesHasBefore, case .history(var page) = answer else { return answer }
            page.hasBefore = false
            return .history(page)
        } catch {
            if fault == .losesRetryAfter { throw BackendFailure(error.code, error.message) }
            guard fault == .acceptsCutPages, error.code == .malformedAnswer else { throw error }
            return .history(
                HistoryPage(
                    messages: [], from: nil, through: nil, hasBefore: false, hasAfter: false,
                    tip: nil))
        }
    }

    func room(at destination: String) -> RoomID? {
        guard fault == .takesLongerDestinations, destination.hasSuffix("/x") else {
            return base.room(at: destination)
        }
        return base.room(at: String(destination.dropLast(2)))
    }

    func decodeCommand(_ send: WireSend) throws(WireError) -> RoomCommand {
        do throws(WireError) {
            var command = try base.decodeCommand(send)
            if fault == .losesCommands { command.kind = .typing }
            return command
        } catch {
            throw fault == .losesPlaces ? WireError(error.code, error.message) : error
        }
    }

    func decodeEvent(_ body: ContiguousArray<UInt8>, at destination: String) throws(WireError)
        -> RoomEvent
    {
        do throws(WireError) {
            var event = try base.decodeEvent(body, at: destination)
            if fault == .losesRevisions { event.revision = nil }
            return event
        } catch {
            throw fault == .losesPlaces ? WireError(error.code, error.message) : error
        }
    }
}
