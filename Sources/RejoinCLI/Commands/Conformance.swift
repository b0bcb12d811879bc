import Foundation
import RejoinContracts

extension Command {
    /// `rejoin conformance`.
    static let conformance = Command(
        name: "conformance", summary: "check that a backend keeps what it declares",
        help: """
            usage: rejoin conformance --server URL --token TOKEN [options]

            Checks that a backend keeps its half of the promises, as far as it declares them in its
            capabilities: total order, exclusive bounds, what pages state about themselves, complete
            pages and events while others write, idempotent client IDs, receipts, the change feed,
            versioned read state, access. The checks write some hundreds of short messages: name a
            room in which nobody else writes meanwhile.

              --server URL             where the API is, such as https://chat.example.com or
                                       what rejoin serve prints
              --token TOKEN            the token of a member of the room; better given by the
                                       environment variable REJOIN_TOKEN, because arguments are
                                       seen by everybody on the machine
              --second-token TOKEN     the token of another member (REJOIN_SECOND_TOKEN): for what
                                       concerns two people
              --outsider-token TOKEN   the token of somebody who is not in the room
                                       (REJOIN_OUTSIDER_TOKEN): for access
              --expired-token TOKEN    a token that was good once (REJOIN_EXPIRED_TOKEN)
              --room NAME              the room (default: the first that the server lists)
              --socket PATH            the path of the WebSocket (default /ws)
              --patience SECONDS       how long an event may take (default 5)
              --only TEXT              only checks whose name contains TEXT
              --json                   one JSON object instead of text

            A check passes, fails (expected, got, who is hurt), or is skipped and says why. Behind
            its name stands the promise that it serves (P1 to P8, as the README lists them). The
            progress stands on standard error, also where the backend asks to come back later. If it
            does not answer any more, no further check is run.

            Exit status: 0 if every check passed or was skipped; 1 if one failed, or if the backend
            could not be reached to the end; 2 for wrong usage.
            """
    ) { arguments in
        var arguments = arguments
        let isJSON = try arguments.flag("--json")
        let options = try ConformanceOptions(&arguments)
        let run = try await ConformanceRun(options, progress: Self.note)
        var report = ConformanceReport(server: options.server, room: run.room)
        let checks = run.checks
        for (number, check) in checks.enumerated() {
            Self.note("\(number + 1) of \(checks.count): \(check.id)")
            report.results.append(await check.result())
            guard report.results.last?.failure != nil, let why = await run.silence() else {
                continue
            }
            report.notRun = checks.count - number - 1
            Self.note("the backend does not answer any more, and no further check is run: \(why)")
            break
        }
        try StandardStreams.say(isJSON ? report.json : report.text)
        return report.isKept ? 0 : 1
    }

    private static func note(_ text: String) {
        StandardStreams.note("conformance: \(text)")
    }
}
