import RejoinFlags
import RejoinJSON

/// `rollout`: what `flags-rollout` runs.
enum RolloutCommand {
    static let help = """
        usage: swift package flags-rollout --flag K [--VARIANT PERCENT]… [--end VARIANT]…
               swift package flags-rollout --flag K --rollback [--VARIANT PERCENT]…
               swift package flags-rollout --flag K --lift

        Ramps a flag of a flags file (flagd's format), or takes it back. Only the weights of its
        'fractional' rule change: order and seed stay, so that nobody who has a growing variant
        loses it, and a rollback gives exactly those of before. The share of the default variant
        pays.

          --flag K        the flag's key, for example message-pipeline
          --VARIANT P     what a variant is to have, for example --refactored 25 or --refactored 0.5
          --rollback      let shares shrink: to what is named, or else to 0. The next ramp raises
                          metadata.generation, so that guards which took the flag back try again.
          --end V         the work of variant V is done, such as a shadow's: its share becomes 0
          --lift          raise metadata.generation now, for guards that took it back by themselves
          --target T      look only in the flags files (*.flagd.json) of this target
          --file F        look only in this file
          --context JSON  attributes of the sample's users, for example '{"product":"messenger"}'
          --dry-run       show what would change, and write nothing
          --json          one JSON object for machines

        It shows what changes for a thousand users that are always the same. Writing needs your
        permission:
          swift package --allow-writing-to-package-directory flags-rollout …
        Exit status: 0 when done, 1 where it cannot be done (path:line:column: error: …) or for
        wrong usage.
        """

    static func run(
        _ arguments: inout ToolArguments, _ world: ToolWorld, _ result: inout ToolResult
    ) throws(UsageError) {
        let paths = try arguments.options("--file")
        let isDry = arguments.flag("--dry-run")
        let asJSON = arguments.flag("--json")
        var attributes = FlagObject()
        if let text = try arguments.option("--context") {
            let json = try? JSONDocument(ContiguousArray(text.utf8)).root
            guard let object = json?.object, let read = FlagObject(object) else {
                throw UsageError(message: "--context must be a JSON object, not '\(text)'")
            }
            attributes = read
        }
        let request = try self.request(&arguments)
        try arguments.finish()
        guard !paths.isEmpty else {
            throw UsageError(
                message: "there is no flags file; name one with --file, or add a *.flagd.json to a "
                    + "target")
        }
        let report = RolloutReport(asJSON: asJSON, isDry: isDry, flag: request.flag)
        let source: FlagSource
        switch find(request.flag, in: paths, world) {
        case .failure(let finding):
            report.refuse(finding.findings, &result)
            return
        case .success(let found): source = found
        }
        do throws(RolloutRefusal) {
            let plan = try RolloutPlan(
                request, in: source, attributes: attributes, timestamp: world.now)
            let isChanged = plan.bytes != source.bytes
            report.tell(plan, in: source.path, isChanged: isChanged, &result)
            guard isChanged, !isDry else { return }
            result.files = [
                ToolResult.File(
                    path: source.path, bytes: plan.bytes, replaced: source.bytes,
                    isRetried: request.isRollback)
            ]
        } catch {
            report.refuse([FileFinding(error.diagnostic, in: source.path)], &result)
        }
    }

    private static func request(
        _ arguments: inout ToolArguments
    ) throws(UsageError) -> RolloutRequest {
        var request = RolloutRequest(flag: try arguments.required("--flag"))
        request.ended = try arguments.options("--end")
        request.isRollback = arguments.flag("--rollback")
        request.lifts = arguments.flag("--lift")
        for (variant, text) in try arguments.remainingOptions() {
            guard let share = Percentage(text) else {
                throw UsageError(
                    message: "--\(variant) must be a percentage from 0 to 100 with at most four "
                        + "decimals, not '\(text)'")
            }
            request.shares.append((variant, share))
        }
        for ended in request.ended where request.shares.contains(where: { $0.variant == ended }) {
            throw UsageError(
                message: "--end \(ended) makes its share 0, and --\(ended) says another; give one")
        }
        let isSomething =
            request.isRollback || request.lifts || !request.shares.isEmpty || !request.ended.isEmpty
        guard isSomething else {
            throw UsageError(
                message: "say what the flag is to become, for example --refactored 25 or --rollback"
            )
        }
        guard !request.isRollback || !(request.lifts || !request.ended.isEmpty) else {
            throw UsageError(message: "--rollback goes with neither --lift nor --end")
        }
        return request
    }

    /// What is wrong with the files instead.
    private struct NotFound: Error {
        let findings: [FileFinding]
    }

    /// The one file that has the flag.
    private static func find(_ flag: String, in paths: [String], _ world: ToolWorld)
        -> Result<FlagSource, NotFound>
    {
        var found: [FlagSource] = []
        var complaints: [FileFinding] = []
        for path in paths {
            switch FlagsTool.load(path, world) {
            case .failure(let complaint): complaints.append(complaint.finding)
            case .success(let source): if source.flag(flag) != nil { found.append(source) }
            }
        }
        if found.count == 1 { return .success(found[0]) }
        if found.isEmpty, !complaints.isEmpty { return .failure(NotFound(findings: complaints)) }
        let message =
            found.isEmpty
            ? "no flag '\(flag)' in \(paths.joined(separator: ", "))"
            : "several files have the flag; name one with --file"
        let places = found.isEmpty ? [paths[0]] : found.map(\.path)
        return .failure(
            NotFound(
                findings: places.map {
                    FileFinding(
                        path: $0, severity: .error, code: "refused", flag: nil, message: message,
                        location: nil)
                }))
    }
}
