import Foundation
import RejoinPipeline
import RejoinSimulation

extension Command {
    /// `rejoin simulate`.
    static let simulate = Command(
        name: "simulate", summary: "the cores in a simulated world where everything goes wrong",
        help: """
            usage: rejoin simulate [--seeds N] [--seed FIRST] [--pipeline NAME] [--json]
                   rejoin simulate --seed S --trace [--pipeline NAME] [--flip-at N]
                   rejoin simulate --every-step [--seeds N] [--seed FIRST] [--json]
                   rejoin simulate --ill NAME [--seeds N] [--seed FIRST] [--json | --trace]

            Runs the real cores of several devices against a simulated server, network, clock,
            store and people, in virtual time, while faults strike; then everything must come to
            rest, alive and complete. All of a run is drawn from its seed, so that a failure
            replays from the seed alone.

              --seeds N         how many seeds to run (default 100)
              --seed FIRST      the first of them (default 1)
              --pipeline NAME   refactored (default), legacy, shadow (legacy serves, and refactored
                                runs beside it and is compared), or flipped: the flag that chooses
                                goes back and forth between the two, and ends on refactored
              --ill NAME        the refactored pipeline suffers from divergence (it loses, doubles
                                or misorders messages; the shadow must see it), recoveries, sends
                                (every second one fails) or crashes, and the rollout guard must
                                find out and take it back
              --every-step      runs short seeds, each once for each of its first 500 steps, and at
                                that step the flag goes from refactored to legacy, or from legacy
                                to refactored, and soon back; an uneven step begins on legacy
              --flip-at N       tells the story of one of these runs
              --json            prints one line {"pipeline":…,"seeds":…,…,"failedSeeds":[…],…}: the
                                figures of the text
              --trace           tells the story of one seed, line by line

            "missing": on the server, not held, and in no gap that is shown. "lost sends":
            accepted, and neither stored nor shown as failed or unconfirmed. "misjudged": the
            rollout guard took a healthy pipeline back, or left an ill one to people. "losses in
            legacy intervals" ("legacyLosses"): what was lost, doubled or misordered while legacy
            served in a shadow, flipped or ill run. It is the cost of that design, and counts here
            alone: "missing", "duplicated" and "misordered" count what was promised and not kept.

            Standard error tells how far a run of many seeds has come. Control-C ends it after the
            seed that is running, and what was run until then is reported. A release build runs
            some hundred seeds a second, a debug build a few.

            Exit status: 0 if nothing was violated (the legacy pipeline loses messages by design, so
            that it always ends with 0, and of shadow and ill runs only sends, read positions and
            the guard's verdicts count); 1 if something was; 2 for wrong usage; 130
            if it was interrupted.
            """
    ) { arguments in
        var arguments = arguments
        let isJSON = try arguments.flag("--json")
        let isTraced = try arguments.flag("--trace")
        let first = try arguments.integer("--seed", in: UInt64.min...lastSeed)
        let count = try arguments.integer("--seeds", in: UInt64(1)...10_000_000)
        let isEveryStep = try arguments.flag("--every-step")
        let step = try arguments.integer("--flip-at", in: 1...SimulationOptions.shortSteps)
        let isShort = isEveryStep || step != nil
        let illness = try arguments.option("--ill").map { name in
            guard let illness = Illness(rawValue: name) else {
                let names = Illness.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandError.usage("--ill must be one of \(names), not '\(name)'")
            }
            return illness
        }
        let name = try arguments.option("--pipeline")
        try arguments.finish()
        let usual = illness?.pipeline ?? (isShort ? .flipped : .refactored)
        let pipeline = name.map { PipelineVariant($0) } ?? usual
        guard [.refactored, .legacy, .shadow, .flipped].contains(pipeline) else {
            throw CommandError.usage(
                "--pipeline must be refactored, legacy, shadow or flipped, not '\(pipeline)'")
        }
        guard illness == nil || pipeline == usual && !isShort else {
            throw CommandError.usage("--ill chooses the pipeline itself")
        }
        guard step == nil || isTraced else {
            throw CommandError.usage(
                "--flip-at tells the story of one run: say --seed S --trace --flip-at N")
        }
        guard !isShort || pipeline == .flipped else {
            throw CommandError.usage(
                "--every-step and --flip-at are about the pipeline flipped, not \(pipeline)")
        }
        guard !isTraced else {
            guard let first, count == nil, !isJSON, !isEveryStep else {
                throw CommandError.usage(
                    "--trace tells the story of one seed: it needs --seed S, and goes with neither "
                        + "--seeds, --json nor --every-step")
            }
            let options =
                step.map { SimulationOptions.flipping(seed: first, at: $0) }
                ?? options(seed: first, illness)
            return try tell(options, pipeline)
        }
        let seeds = try seeds(from: first ?? 1, count: count ?? (isEveryStep ? 1 : 100))
        guard isEveryStep else {
            return try simulate(
                seeds.lazy.map { options(seed: $0, illness) }, count: seeds.count, pipeline,
                isJSON: isJSON)
        }
        let steps = 1...SimulationOptions.shortSteps
        return try simulate(
            seeds.lazy.flatMap { seed in
                steps.lazy.map { SimulationOptions.flipping(seed: seed, at: $0) }
            }, count: seeds.count * steps.count, pipeline, isJSON: isJSON)
    }

    /// The greatest seed: JSON readers that know no greater whole number can tell it.
    private static let lastSeed = UInt64(Int64.max)

    private static func seeds(from first: UInt64, count: UInt64) throws(CommandError)
        -> Range<UInt64>
    {
        guard count - 1 <= lastSeed - first else {
            throw .usage(
                "\(count) seeds from \(first) on run past the last one, \(lastSeed); begin at "
                    + "\(lastSeed - (count - 1)) or before, or run fewer with --seeds")
        }
        return first..<(first + count)
    }

    private static func options(seed: UInt64, _ illness: Illness?) -> SimulationOptions {
        illness.map { .ill($0, seed: seed) } ?? SimulationOptions(seed: seed)
    }

    private static func tell(_ options: SimulationOptions, _ pipeline: PipelineVariant)
        throws(CommandError)
        -> Int32
    {
        let result = Simulation.run(options, pipeline: pipeline, isTraced: true)
        let statistics = result.statistics
        var lines = ["\(result.options)"] + result.trace.map { "\($0)" } + [""]
        lines += result.violations.map { "\($0)" }
        lines.append(
            "\(result.counts.isClean ? "kept" : "NOT KEPT"): \(Int(result.virtualSeconds)) virtual "
                + "seconds, \(statistics.messages) messages, \(statistics.faults) faults, "
                + "\(statistics.kills) kills, \(statistics.requests) requests, "
                + "\(statistics.commits) commits, \(statistics.recoveries) recoveries, "
                + "\(statistics.rollbacks) rollbacks")
        try StandardStreams.say(lines.joined(separator: "\n"))
        return result.counts.isClean ? 0 : 1
    }

    private static func simulate(
        _ runs: some Sequence<SimulationOptions>, count: Int, _ pipeline: PipelineVariant,
        isJSON: Bool
    ) throws(CommandError) -> Int32 {
        var summary = SimulationSummary(pipeline: pipeline)
        StopRequest.listen()
        let progress = SimulationProgress(count: count)
        for options in runs {
            guard !StopRequest.hasCome else {
                summary.isInterrupted = true
                break
            }
            let result = Simulation.run(options, pipeline: pipeline)
            summary.add(result)
            if !result.counts.isClean, pipeline != .legacy, summary.failedSeeds.count <= 10 {
                progress.clear()
                if let violation = result.violations.first {
                    progress.say("seed \(options.seed): \(violation)")
                }
                progress.say(replay(options, pipeline))
            }
            progress.note(summary)
        }
        progress.clear()
        if summary.isInterrupted {
            progress.say("interrupted after \(summary.seeds) of \(count) runs")
        }
        try StandardStreams.say(isJSON ? summary.json : report(summary, progress.seconds))
        guard !summary.isInterrupted else { return StopRequest.exitStatus }
        return summary.counts.isClean || pipeline == .legacy ? 0 : 1
    }

    private static func replay(_ options: SimulationOptions, _ pipeline: PipelineVariant) -> String
    {
        let choice =
            if let step = options.flipSteps.first {
                " --flip-at \(step)"
            } else if let illness = options.illness {
                " --ill \(illness.rawValue)"
            } else {
                pipeline == .refactored ? "" : " --pipeline \(pipeline)"
            }
        return "replay: rejoin simulate --seed \(options.seed) --trace\(choice)"
    }

    private static func report(_ summary: SimulationSummary, _ seconds: Double) -> String {
        let counts = summary.counts
        let rate = Int(Double(summary.seeds) / max(seconds, 0.001))
        let minutes = Int(summary.virtualSeconds / 60)
        let time = minutes < 120 ? "\(minutes) virtual minutes" : "\(minutes / 60) virtual hours"
        let failed = summary.failedSeeds.prefix(20).map(String.init).joined(separator: " ")
        return """
            \(summary.pipeline): \(summary.seeds) \(summary.seeds == 1 ? "seed" : "seeds"), \
            \(time), \(summary.messages) messages, \(summary.faults) faults, \(rate) seeds/s
              missing \(counts.missing), duplicated \(counts.duplicated), misordered \
            \(counts.misordered), read regressions \(counts.readRegressions)
              lost sends \(counts.lostSends), double sends \(counts.doubleSends), unconverged \
            \(counts.unconverged), bounds exceeded \(counts.boundsExceeded)
              \(summary.flips) flips, \(summary.handovers) handovers, \
            \(summary.legacyLosses) losses in legacy intervals
              rolled back \(summary.rolledBack), misjudged \(counts.misjudged)
              ended with trimmed history \(summary.trimmed), signed out \(summary.unauthorised)
              failed seeds \(summary.failedSeeds.count)\(failed.isEmpty ? "" : ": \(failed)")
            """
    }
}

/// Tells people how far a long run has come: at a terminal in a line that changes about once a
/// second, otherwise in a line at the start and at each tenth.
private final class SimulationProgress {
    private let count: Int
    private let start = Date()
    private var last = Date()
    private var tenths = 0
    private let isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1

    /// Fewer runs are over before anybody wonders.
    private static let fewest = 10

    init(count: Int) {
        self.count = count
        if !isTerminal, count >= Self.fewest { say("0 of \(count) runs") }
    }

    var seconds: Double { Date().timeIntervalSince(start) }

    func say(_ text: String) {
        StandardStreams.note("simulate: \(text)")
    }

    func note(_ summary: SimulationSummary) {
        let text = "\(summary.seeds) of \(count) runs, \(summary.failedSeeds.count) failed"
        if isTerminal, Date().timeIntervalSince(last) > 0.5 {
            last = Date()
            try? FileHandle.standardError.write(contentsOf: Data("\r\(text)".utf8))
        } else if !isTerminal, count >= Self.fewest, summary.seeds * 10 / count > tenths {
            tenths = summary.seeds * 10 / count
            say(text)
        }
    }

    func clear() {
        guard isTerminal else { return }
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K".utf8))
    }
}
