import RejoinModel

/// What ``Timeline`` keeps, in stories drawn from seeds.
public func timelineContract(seeds: Range<UInt64> = 0..<25, steps: Int = 150) -> [ContractCheck] {
    [true, false].map { hasRevisions in
        let id = "timeline.tells-no-lie.\(hasRevisions ? "revisions" : "no-revisions")"
        return ContractCheck(id, promise: "P1, P2, P3") {
            for seed in seeds {
                var story = TimelineStory(
                    check: "\(id), seed \(seed)", seed: seed, hasRevisions: hasRevisions)
                try story.run(steps: steps)
            }
        }
    }
}
