import RejoinFlags
import RejoinJSON

/// `lint`: what `flags-lint` runs.
enum LintCommand {
    static let help = """
        usage: swift package flags-lint [--target T]… [--file F]… [--baseline B] [--today D]
                                        [--strict] [--json]

        Finds mistakes in flags files (flagd's format): what the schema forbids, variants that do
        not exist, weights that do not count, equal keys, days that have passed, seeds that two
        flags share, members that mean nothing.

          --target T     only the flags files (*.flagd.json) of this target; without --target and
                         --file those of all targets
          --file F       this file
          --baseline B   an earlier version of the one file, to which ramps must be true: same seed,
                         same order, and whoever has a growing variant keeps it. For example:
                           git show origin/main:Sources/App/app.flagd.json > .build/baseline.json
                           swift package flags-lint --baseline .build/baseline.json
          --today D      the day for 'expires', as YYYY-MM-DD, in place of the clock's (UTC)
          --strict       fail also on warnings
          --json         one JSON object for machines

        Findings are lines of the form path:line:column: severity: message [code]. Exit status: 0
        without errors, 1 with errors or for wrong usage.
        """

    static func run(
        _ arguments: inout ToolArguments, _ world: ToolWorld, _ result: inout ToolResult
    ) throws(UsageError) {
        let paths = try arguments.options("--file")
        let baselinePath = try arguments.option("--baseline")
        var today = world.today
        if let text = try arguments.option("--today") {
            today = CalendarDay(text)
            guard today != nil else {
                throw UsageError(message: "--today must be a day such as 2027-03-31, not '\(text)'")
            }
        }
        let isStrict = arguments.flag("--strict")
        let asJSON = arguments.flag("--json")
        try arguments.finish()
        guard !paths.isEmpty else {
            throw UsageError(
                message: "there is no flags file; name one with --file, or add a *.flagd.json to a "
                    + "target")
        }
        guard baselinePath == nil || paths.count == 1 else {
            throw UsageError(
                message: "--baseline is compared with one file, and there are "
                    + "\(paths.count); name one with --file")
        }
        var baseline: FlagSource?
        var findings: [FileFinding] = []
        if let baselinePath {
            switch FlagsTool.load(baselinePath, world) {
            case .success(let source): baseline = source
            case .failure(let complaint): findings.append(complaint.finding)
            }
        }
        for path in paths {
            switch FlagsTool.load(path, world) {
            case .failure(let complaint): findings.append(complaint.finding)
            case .success(let source):
                findings += FlagLint.findings(in: source, baseline: baseline, today: today)
                    .map { FileFinding($0, in: path) }
            }
        }
        report(findings, files: paths.count, asJSON: asJSON, &result)
        let errors = findings.count { $0.severity == .error }
        result.status = errors > 0 || (isStrict && !findings.isEmpty) ? 1 : 0
    }

    private static func report(
        _ findings: [FileFinding], files: Int, asJSON: Bool, _ result: inout ToolResult
    ) {
        let errors = findings.count { $0.severity == .error }
        let warnings = findings.count - errors
        guard !asJSON else {
            var json = JSONWriter()
            json.beginObject()
            json.member("files", files)
            json.member("errors", errors)
            json.member("warnings", warnings)
            json.key("findings")
            json.value(findings)
            json.endObject()
            result.say(json.text)
            return
        }
        for finding in findings { result.say(finding.line) }
        result.say(
            "\(counted(errors, "error")), \(counted(warnings, "warning")) in "
                + counted(files, "file"))
    }

    private static func counted(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
