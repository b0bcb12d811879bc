import RejoinFlags
import RejoinJSON

/// Tells people, or machines, what a rollout changes.
struct RolloutReport {
    let asJSON: Bool
    let isDry: Bool
    let flag: String

    /// It cannot be done.
    func refuse(_ findings: [FileFinding], _ result: inout ToolResult) {
        result.status = 1
        guard asJSON else {
            for finding in findings { result.complain(finding.line) }
            return
        }
        var json = JSONWriter()
        json.beginObject()
        json.member("flag", flag)
        json.member("written", false)
        json.key("findings")
        json.value(findings)
        json.endObject()
        result.say(json.text)
    }

    /// It can.
    func tell(
        _ plan: RolloutPlan, in path: String, isChanged: Bool, _ result: inout ToolResult
    ) {
        if asJSON {
            result.say(json(plan, in: path, isChanged: isChanged))
        } else {
            for line in lines(plan, in: path, isChanged: isChanged) { result.say(line.printable) }
        }
    }

    // MARK: For people

    private func lines(_ plan: RolloutPlan, in path: String, isChanged: Bool) -> [String] {
        var lines = ["\(path):\(plan.location.line): flag '\(flag)'"]
        let width = plan.shares.map { name($0.variant).count }.max() ?? 0
        for share in plan.shares {
            let before = Percentage(weight: share.before.weight, of: share.before.total)
            let after = Percentage(weight: share.after.weight, of: share.after.total)
            let name = padded(name(share.variant), to: width)
            lines.append(
                before == after ? "  \(name)  \(after)" : "  \(name)  \(before) -> \(after)")
        }
        if plan.generation.before != plan.generation.after {
            lines.append(
                "  generation \(plan.generation.before) -> \(plan.generation.after): guards that "
                    + "took the flag back try again")
        }
        lines.append("of \(RolloutSample.users) sample users:")
        for move in plan.sample.moves {
            let way =
                move.from == move.to
                ? "keep \(name(move.to, "the code default"))"
                : "go from \(name(move.from, "the code default")) to "
                    + name(move.to, "the code default")
            lines.append("  \(leftPadded(move.count)) \(way)")
        }
        for other in plan.otherFlags {
            lines.append("also changed, because it shares the rule: flag '\(other)'")
        }
        if plan.isDisabled {
            lines.append("the flag is DISABLED: nobody gets any of it until it is ENABLED")
        }
        lines.append(
            !isChanged
                ? "nothing to change" : isDry ? "dry run: nothing was written" : "written")
        return lines
    }

    private func name(_ variant: String?, _ none: String = "the default variant") -> String {
        variant.map { "'\($0)'" } ?? none
    }

    private func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func leftPadded(_ number: Int) -> String {
        String(repeating: " ", count: max(0, 4 - "\(number)".count)) + "\(number)"
    }

    // MARK: For machines

    private func json(_ plan: RolloutPlan, in path: String, isChanged: Bool) -> String {
        var json = JSONWriter()
        json.beginObject()
        json.member("file", path)
        json.member("line", plan.location.line)
        json.member("flag", flag)
        json.member("written", isChanged && !isDry)
        json.member("changed", isChanged)
        json.member("disabled", plan.isDisabled)
        json.key("shares")
        json.beginArray()
        for share in plan.shares {
            json.beginObject()
            json.key("variant")
            json.value(share.variant.map(FlagValue.string) ?? .null)
            json.member("line", share.location.line)
            json.key("before")
            write(share.before, to: &json)
            json.key("after")
            write(share.after, to: &json)
            json.endObject()
        }
        json.endArray()
        json.key("generation")
        json.beginObject()
        json.member("before", plan.generation.before)
        json.member("after", plan.generation.after)
        json.endObject()
        json.key("otherFlags")
        json.beginArray()
        for other in plan.otherFlags { json.string(other) }
        json.endArray()
        json.key("sample")
        json.beginObject()
        json.member("users", RolloutSample.users)
        json.member("moved", plan.sample.moved)
        json.key("moves")
        json.beginArray()
        for move in plan.sample.moves {
            json.beginObject()
            json.key("from")
            json.value(move.from.map(FlagValue.string) ?? .null)
            json.key("to")
            json.value(move.to.map(FlagValue.string) ?? .null)
            json.member("users", move.count)
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endObject()
        return json.text
    }

    private func write(_ share: (weight: Int64, total: Int64), to json: inout JSONWriter) {
        json.beginObject()
        json.member("weight", share.weight)
        json.member("total", share.total)
        json.endObject()
    }
}
