import Foundation
import RejoinChat
import RejoinContracts
import RejoinJSON

/// What `conformance` prints.
struct ConformanceReport {
    let server: URL
    let room: RoomID
    var results: [ContractResult] = []
    /// Checks that did not come to their turn, because the backend had gone.
    var notRun = 0

    var isKept: Bool { results.allSatisfy { $0.failure == nil } }

    private var counts: (passed: Int, failed: Int, skipped: Int) {
        let failed = results.count { $0.failure != nil }
        let passed = results.count { (try? $0.outcome.get()) == .kept }
        return (passed, failed, results.count - failed - passed)
    }

    var text: String {
        let width = results.map(\.id.count).max() ?? 0
        var lines = ["\(server.absoluteString), room \(room)".printable, ""]
        for result in results {
            let name = result.id.padding(toLength: width, withPad: " ", startingAt: 0)
            switch result.outcome {
            case .success(.kept):
                lines.append("passed   \(name)  \(result.promise)")
            case .success(.skipped(let why)):
                lines.append("skipped  \(name)  \(result.promise): \(why)")
            case .failure(let failure):
                lines.append("FAILED   \(name)  \(result.promise)")
                lines.append("           expected: \(failure.expected)")
                lines.append("           got: \(failure.got)")
                lines.append("           who is hurt: \(failure.whoIsHurt)")
            }
        }
        let counts = counts
        let rest = notRun == 0 ? "" : ", \(notRun) not run: the backend does not answer any more"
        lines += [
            "",
            "\(counts.passed) passed, \(counts.failed) failed, \(counts.skipped) skipped\(rest)",
        ]
        return lines.joined(separator: "\n")
    }

    var json: String {
        let counts = counts
        var line = JSONWriter()
        line.beginObject()
        line.member("server", server.absoluteString)
        line.member("room", room.rawValue)
        line.member("passed", counts.passed)
        line.member("failed", counts.failed)
        line.member("skipped", counts.skipped)
        line.member("notRun", notRun)
        line.key("checks")
        line.beginArray()
        for result in results {
            line.beginObject()
            line.member("id", result.id)
            line.member("promise", result.promise)
            switch result.outcome {
            case .success(.kept):
                line.member("outcome", "passed")
            case .success(.skipped(let why)):
                line.member("outcome", "skipped")
                line.member("why", why)
            case .failure(let failure):
                line.member("outcome", "failed")
                line.member("expected", failure.expected)
                line.member("got", failure.got)
                line.member("whoIsHurt", failure.whoIsHurt)
            }
            line.endObject()
        }
        line.endArray()
        line.endObject()
        return String(decoding: line.bytes, as: UTF8.self)
    }
}
