#if os(Linux)
import Foundation
import RejoinLayout
import RejoinModel
import RejoinTypography

extension Command {
    /// `rejoin demo`.
    static let demo = Command(
        name: "demo", summary: "one conversation through both pipelines, while it breaks",
        help: """
            usage: rejoin demo [--seed N] [--flip] [--picture OUT.png] [--json]

            Starts the reference backend and two fault proxies on free loopback ports. A writer
            sends a few hundred messages while two readers, one on the legacy pipeline and one
            on the refactored pipeline, go through the same troubles: resets, cut frames,
            half-open sockets, outages, the background, a server restart. Then it compares what
            each of them holds with what the server stored.

              --seed N   draws the troubles (default 1)
              --flip     a third reader takes part whose flags file changes on disk, from legacy
                         to refactored and back, while messages flow; it ends on refactored
              --picture OUT.png
                         draws the room as the reader on the refactored pipeline sees it in the
                         end, as rejoin render does: a high room becomes OUT-1.png, OUT-2.png and
                         so on
              --json     prints one line {"seed":…,"pipelines":[…]}

            "read agreed": reader and server have the same read position, at the last message.
            "longest stale": the longest that a message took from the server's store to the reader,
            outages and background included. What never came is missing and does not count here.

            Exit status: 0 if the refactored pipeline holds every message, once, in order,
            and so does the reader whose flags changed;
            1 if it does not, or if something could not be started; 2 for wrong usage;
            130 if it was interrupted.
            """
    ) { arguments in
        var arguments = arguments
        let isJSON = try arguments.flag("--json")
        let flips = try arguments.flag("--flip")
        let seed = try arguments.integer("--seed", in: UInt64.min...UInt64.max) ?? 1
        let picture = try arguments.option("--picture")
        try arguments.finish()
        if let picture {
            try RenderOptions.requirePNG(picture, "--picture")
            try PictureFiles.requireFolder(of: picture)
        }
        let plan = DemoPlan(seed: seed)
        let run = DemoRun(plan: plan, flips: flips, progress: Self.note)
        guard let result = try await StopSignal.unlessStopped(run.run) else {
            return StopRequest.exitStatus
        }
        if isJSON {
            try StandardStreams.say(result.json)
        } else {
            try StandardStreams.say(
                "\nseed \(seed): \(plan.messageCount) messages, \(plan.steps.count) troubles\n\n"
                    + result.table)
        }
        if let picture, let room = result.room { try Self.draw(room, to: picture) }
        return result.isKept ? 0 : 1
    }

    private static func draw(_ room: RoomSnapshot, to output: String) throws(CommandError) {
        let environment = LayoutEnvironment(
            scale: 2, width: 780, locale: Locale(identifier: "en_GB"),
            today: Calendar(identifier: .gregorian).startOfDay(for: Date()))
        let picture = try RoomPicture(room, me: nil, environment: environment, theme: .light)
        let files = try picture.write(to: output, option: "--picture", progress: note)
        if files.count == 1 { note("drew \(output)") }
    }

    private static func note(_ text: String) {
        StandardStreams.note("demo: \(text)")
    }
}
#endif
