#if os(Linux)
import RejoinChat
import RejoinJSON

/// What came of a run, as a table for people and as a line for machines.
struct DemoResult: Sendable {
    /// What the reader is called whose flags file changes.
    static let flippedName = "flipped"

    let seed: UInt64
    let rows: [Row]
    /// The room as the reader on the refactored pipeline sees it in the end.
    let room: RoomSnapshot?

    /// How one pipeline did.
    struct Row: Sendable {
        let name: String
        /// Handovers between pipelines; `nil` where nobody's flags change.
        let handovers: Int?
        let sent: Int
        let held: Int
        /// On the server, and not held.
        let missing: Int
        /// Held more than once.
        let duplicated: Int
        /// Shown after a message that stands behind them in the server's order.
        let misordered: Int
        /// Whether this device and the server have the same read position, at the last message.
        let readAgreed: Bool
        let recoveries: Int
        /// The longest that a message, of those held, took from the server's store to the reader.
        let longestStale: Duration

        init(
            name: String, handovers: Int?, stored: [MessageID], held: [MessageID],
            readHere: MessageID?,
            readThere: MessageID?, recoveries: Int, longestStale: Duration
        ) {
            self.name = name
            self.handovers = handovers
            sent = stored.count
            let distinct = Set(held)
            self.held = distinct.count
            missing = stored.count { !distinct.contains($0) }
            duplicated = held.count - distinct.count
            misordered = zip(held, held.dropFirst()).count { $0 > $1 }
            readAgreed = readHere == readThere && readHere == stored.last
            self.recoveries = recoveries
            self.longestStale = longestStale
        }
    }

    /// Whether the refactored pipeline kept its promises, also where it came and went.
    var isKept: Bool {
        let keepers = rows.filter { $0.name != PipelineVariant.legacy.rawValue }
        return !keepers.isEmpty
            && keepers.allSatisfy { $0.missing == 0 && $0.duplicated == 0 && $0.misordered == 0 }
    }

    /// The table.
    var table: String {
        let flips = rows.contains { $0.handovers != nil }
        let columns =
            [
                "pipeline", "sent", "held", "missing", "duplicated", "misordered", "read agreed",
                "recoveries", "longest stale",
            ] + (flips ? ["handovers"] : [])
        let cells = rows.map { row in
            [
                row.name, "\(row.sent)", "\(row.held)", "\(row.missing)", "\(row.duplicated)",
                "\(row.misordered)", row.readAgreed ? "yes" : "no", "\(row.recoveries)",
                "\(row.longestStale.wholeMilliseconds) ms",
            ] + (row.handovers.map { ["\($0)"] } ?? [])
        }
        let widths = columns.indices.map { column in
            ([columns] + cells).map { $0[column].count }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            zip(cells, widths).enumerated().map { index, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }
        let rule = widths.map { String(repeating: "─", count: $0) }.joined(separator: "  ")
        return ([line(columns), rule] + cells.map(line)).joined(separator: "\n")
    }

    /// The line.
    var json: String {
        var line = JSONWriter()
        line.beginObject()
        line.member("seed", seed)
        line.key("pipelines")
        line.beginArray()
        for row in rows {
            line.beginObject()
            line.member("name", row.name)
            line.member("sent", row.sent)
            line.member("held", row.held)
            line.member("missing", row.missing)
            line.member("duplicated", row.duplicated)
            line.member("misordered", row.misordered)
            line.member("readAgreed", row.readAgreed)
            line.member("recoveries", row.recoveries)
            line.member("longestStaleMilliseconds", row.longestStale.wholeMilliseconds)
            if let handovers = row.handovers { line.member("handovers", handovers) }
            line.endObject()
        }
        line.endArray()
        line.endObject()
        return String(decoding: line.bytes, as: UTF8.self)
    }
}
#endif
