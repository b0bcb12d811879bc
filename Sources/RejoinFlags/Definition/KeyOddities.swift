import RejoinJSON

/// Keys that stand twice, or that only look the same, sorted by whom they concern: an odd key in
/// one flag is no reason to lose the others.
struct KeyOddities {
    /// About the file's own members, evaluators and pairs of flags.
    private(set) var fileNotes: [FlagNote] = []
    private var notesOfFlag: [Int: [FlagNote]] = [:]
    private var repetitions: Set<Int> = []
    /// Where keys stand that are odd outside of flags; those of evaluators that stand twice among
    /// them.
    private(set) var oddOffsets: Set<Int> = []

    init(_ issues: [JSONDocument.Issue], file: JSONObject, flags: JSONObject) {
        let flagOffsets = Dictionary(
            uniqueKeysWithValues: flags.members.map { ($0.keyOffset, $0.key) })
        let starts = flags.members.map(\.keyOffset)
        // Whatever stands between the key 'flags' and the file's next key stands in 'flags'.
        let first = file.members.firstIndex { $0.key.hasSameBytes(as: "flags") } ?? 0
        let start = file.members[first].keyOffset
        let end = first + 1 < file.members.count ? file.members[first + 1].keyOffset : Int.max
        for issue in issues {
            let note = Self.note(issue)
            if flagOffsets[issue.secondOffset] != nil {
                switch issue.kind {
                case .duplicate:
                    // Two definitions of one flag: nobody can say which is meant.
                    repetitions.insert(issue.secondOffset)
                    notesOfFlag[issue.firstOffset, default: []].append(note)
                case .lookAlike:
                    fileNotes.append(note)
                }
            } else if issue.secondOffset > start, issue.secondOffset < end,
                let flag = Self.last(of: starts, before: issue.secondOffset)
            {
                notesOfFlag[flag, default: []].append(note)
            } else {
                oddOffsets.insert(issue.secondOffset)
                fileNotes.append(note)
            }
        }
    }

    private static func note(_ issue: JSONDocument.Issue) -> FlagNote {
        switch issue.kind {
        case .duplicate:
            FlagNote(
                .error, .duplicateKey,
                "the key '\(issue.key)' stands twice in one object; remove one",
                at: issue.secondOffset)
        case .lookAlike:
            FlagNote(
                .warning, .lookAlikeKeys,
                "the key '\(issue.key)' looks like another key of its object and is not the same "
                    + "(canonical equivalence); write both in one normal form or rename one",
                at: issue.secondOffset)
        }
    }

    /// The last of ascending offsets that lies before another, by bisection.
    private static func last(of starts: [Int], before offset: Int) -> Int? {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? starts[low - 1] : nil
    }

    /// Whether a member of `flags` repeats an earlier one.
    func isRepetition(_ member: JSONObject.Member) -> Bool {
        repetitions.contains(member.keyOffset)
    }

    /// What is odd about the keys of a flag.
    func notes(of flag: JSONObject.Member) -> [FlagNote] {
        notesOfFlag[flag.keyOffset] ?? []
    }
}
