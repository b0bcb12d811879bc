public import RejoinLayout

/// What every ``TextShaper`` must keep: the layout cuts texts, caches words and asks for single
/// lines by these rules.
public enum TextShaperContract {
    /// Texts of the scripts and the mishaps that a chat shows. None ends a line inside.
    public static let texts: [String] = [
        "", "a", " ", "   ", "Hello, world", "office fluffy AVATAR To, We.",
        "naïve e\u{301}a\u{308}",
        "안녕하세요 반갑습니다 ㅋㅋㅋ", "日本語の文章です。", "中文，標點。", "مرحبا بالعالم",
        "שלום עולם", "नमस्ते दुनिया क्षत्रिय", "สวัสดีชาวโลก", "👨‍👩‍👧 👍🏽 🇰🇷🇺🇸 1️⃣",
        "a\u{300}\u{301}\u{302}\u{303}\u{304} z",
        "Hello שלום world 123 مرحبا", "code\u{AD}word\u{200B}zero",
        "\u{200E}\u{200F}\u{2066}x\u{2069}",
        "https://example.com/a?b=c&d=e%20f", "1,234.56 € (50 %)", "\u{FFFD}\u{E000}\u{10FFFF}",
        "\u{1F9D1}\u{200D}", "e \u{301}x", "\u{1100}\u{1161}\u{11A8}",
    ]

    /// The checks.
    ///
    /// - Parameters:
    ///   - makeShaper: makes a fresh shaper.
    ///   - size: the em in 26.6 pixels.
    public static func checks(
        size: Advance = Advance(pixels: 16), _ makeShaper: @escaping @Sendable () -> any TextShaper
    ) -> [ContractCheck] {
        let bench = ShaperBench(font: FontRequest(size: size), makeShaper: makeShaper)
        return [
            ContractCheck("shaper.clusters-partition", promise: "layout: partition") {
                try bench.partition()
            },
            ContractCheck("shaper.advances-are-not-negative", promise: "layout: width") {
                try bench.advances()
            },
            ContractCheck("shaper.answers-are-the-same-again", promise: "layout: determinism") {
                try bench.determinism()
            },
            ContractCheck("shaper.safe-cuts-are-safe", promise: "layout: width of a line") {
                try bench.safeCuts()
            },
            ContractCheck("shaper.context-free-is-true", promise: "layout: cache hit is miss") {
                try bench.contextFree()
            },
            ContractCheck("shaper.part-of-a-paragraph", promise: "layout: runs") {
                try bench.parts()
            },
            ContractCheck("shaper.levels-count", promise: "layout: bidi") { try bench.levels() },
            ContractCheck("shaper.dictionary-breaks-inside", promise: "layout: dictionaries") {
                try bench.dictionary()
            },
            ContractCheck("shaper.metrics-are-positive", promise: "layout: line box") {
                try bench.metrics()
            },
            ContractCheck("shaper.takes-hostile-text", promise: "layout: hostile text") {
                try bench.hostile()
            },
        ]
    }
}

/// Runs the checks.
private struct ShaperBench: Sendable {
    let font: FontRequest
    let makeShaper: @Sendable () -> any TextShaper

    private func run(
        _ shaper: any TextShaper, _ bytes: [UInt8], _ range: Range<Int>? = nil,
        _ direction: TextDirection = .leftToRight, alone: Bool = false
    ) -> ShapedRun {
        shaper.shape(
            ShapingRequest(
                paragraph: bytes, range: range ?? 0..<bytes.count, font: font,
                direction: direction, language: "en", isIsolated: alone))
    }

    /// Each text of each direction that it may have.
    private func each(
        _ body: (any TextShaper, String, [UInt8], TextDirection) throws -> Void
    ) rethrows {
        let shaper = makeShaper()
        for text in TextShaperContract.texts where !text.isEmpty {
            for direction in [TextDirection.leftToRight, .rightToLeft] {
                try body(shaper, text, Array(text.utf8), direction)
            }
        }
    }

    func partition() throws {
        try each { shaper, text, bytes, direction in
            let clusters = run(shaper, bytes, nil, direction).clusters
            try require(
                clusters.first?.start == 0, "shaper.clusters-partition",
                expected: "the first cluster of \(text.debugDescription) at 0",
                got: inWords(clusters.first?.start as Any),
                whoIsHurt: "whoever reads the start of the text, which no line holds")
            for (one, next) in zip(clusters, clusters.dropFirst()) {
                try require(
                    one.start < next.start && Int(next.start) < bytes.count
                        && bytes[Int(next.start)] & 0xC0 != 0x80, "shaper.clusters-partition",
                    expected: "starts of code points that ascend in \(text.debugDescription)",
                    got: "\(one.start) before \(next.start)",
                    whoIsHurt: "whoever selects text: offsets point into characters")
            }
        }
    }

    func advances() throws {
        try each { shaper, text, bytes, direction in
            let least = run(shaper, bytes, nil, direction).clusters.map(\.advance).min() ?? .zero
            try require(
                least >= .zero, "shaper.advances-are-not-negative",
                expected: "no negative advance in \(text.debugDescription)",
                got: "\(least.rawValue)/64",
                whoIsHurt: "lines grow narrower with more text, and wrapping is not monotone")
        }
    }

    func determinism() throws {
        let other = makeShaper()
        for text in TextShaperContract.texts.reversed() where !text.isEmpty {
            _ = run(other, Array(text.utf8))
        }
        try each { shaper, text, bytes, direction in
            let first = run(shaper, bytes, nil, direction)
            try require(
                run(shaper, bytes, nil, direction), equals: first,
                "shaper.answers-are-the-same-again",
                whoIsHurt: "a row that is measured twice jumps (\(text.debugDescription))")
            try require(
                run(other, bytes, nil, direction), equals: first,
                "shaper.answers-are-the-same-again",
                whoIsHurt: "rows differ by the thread that measured them (\(text.debugDescription))"
            )
        }
    }

    func safeCuts() throws {
        try each { shaper, text, bytes, direction in
            let whole = run(shaper, bytes, nil, direction)
            for (number, cluster) in whole.clusters.enumerated().dropFirst()
            where cluster.isSafeToCut {
                let cut = Int(cluster.start)
                guard TextBreaks(of: text).graphemes.contains(cut) else { continue }
                let left = run(shaper, bytes, 0..<cut, direction, alone: true).clusters
                let right = run(shaper, bytes, cut..<bytes.count, direction, alone: true).clusters
                let apart = left.map(\.advance.rawValue) + right.map(\.advance.rawValue)
                try require(
                    apart, equals: whole.clusters.map(\.advance.rawValue),
                    "shaper.safe-cuts-are-safe",
                    whoIsHurt: "a line cut before cluster \(number) of \(text.debugDescription) "
                        + "is not as wide as it was measured")
            }
        }
    }

    func contextFree() throws {
        let shaper = makeShaper()
        var known: [String: [Int32]] = [:]
        let texts = TextShaperContract.texts
        let mixed = texts + zip(texts, texts.dropFirst()).map { "\($0) \($1)" }
        var claims = 0
        for text in mixed where !text.isEmpty {
            let bytes = Array(text.utf8)
            let answer = run(shaper, bytes)
            guard answer.isContextFree else { continue }
            claims += 1
            for word in words(of: bytes, answer) {
                if let space = word.space(font: font, by: shaper) {
                    try require(
                        [space], equals: word.advances, "shaper.context-free-is-true",
                        whoIsHurt: "a space in \(text.debugDescription) is not as wide as the "
                            + "shaper says apart from the text")
                    continue
                }
                let before = known.updateValue(word.advances, forKey: word.text)
                try require(
                    before ?? word.advances, equals: word.advances, "shaper.context-free-is-true",
                    whoIsHurt: "the word \(word.text.debugDescription) changes its width with its "
                        + "neighbours, but the cache has one of them")
            }
        }
        guard claims > 0 else { throw ContractSkip("the shaper calls nothing free of context") }
    }

    /// A word or a space of a text.
    private struct Word {
        let text: String
        let advances: [Int32]
        let before: Unicode.Scalar?
        let letter: Unicode.Scalar?
        let next: Unicode.Scalar?

        /// What the shaper says of the space; nil for a word.
        func space(font: FontRequest, by shaper: any TextShaper) -> Int32? {
            guard text == " " else { return nil }
            return shaper.spaceAdvance(
                after: before, inScriptOf: letter, before: next, font: font,
                direction: .leftToRight, language: "en"
            ).rawValue
        }
    }

    /// The words and spaces of a shaped text; a space that carries a mark is left out, and so is
    /// what stands behind it.
    private func words(of bytes: [UInt8], _ run: ShapedRun) -> [Word] {
        var words: [Word] = []
        let text = String(decoding: bytes, as: UTF8.self)
        let graphemes = Set(TextBreaks(of: text).graphemes + [0, bytes.count])
        var start = 0
        while start < bytes.count {
            var end = start + 1
            if bytes[start] != 0x20 {
                while end < bytes.count, bytes[end] != 0x20 { end += 1 }
            }
            let range = start..<end
            start = end
            guard graphemes.contains(range.lowerBound), graphemes.contains(range.upperBound) else {
                continue
            }
            let inside = run.clusters.filter { range.contains(Int($0.start)) }
            func character(_ part: ArraySlice<UInt8>) -> String.UnicodeScalarView {
                String(decoding: part, as: UTF8.self).unicodeScalars
            }
            let before = character(bytes[..<range.lowerBound]).last { $0 != " " }
            let next = SpaceScript.character(from: range.upperBound, in: bytes)
            words.append(
                Word(
                    text: String(decoding: bytes[range], as: UTF8.self),
                    advances: inside.map(\.advance.rawValue), before: before,
                    letter: SpaceScript.letter(before: range.lowerBound, in: bytes), next: next))
        }
        return words
    }

    func parts() throws {
        try each { shaper, text, bytes, direction in
            for cut in TextBreaks(of: text).graphemes {
                let part = run(shaper, bytes, cut..<bytes.count, direction).clusters
                try require(
                    part.first.map { Int($0.start) } ?? cut, equals: cut,
                    "shaper.part-of-a-paragraph",
                    whoIsHurt: "runs of \(text.debugDescription) that begin inside the paragraph "
                        + "have clusters elsewhere")
            }
        }
    }

    func levels() throws {
        let shaper = makeShaper()
        for text in TextShaperContract.texts {
            let bytes = Array(text.utf8)
            for base in [TextDirection.leftToRight, .rightToLeft] {
                let levels = shaper.bidiLevels(of: bytes, base: base)
                try require(
                    levels.count, equals: bytes.count, "shaper.levels-count",
                    whoIsHurt: "the order of \(text.debugDescription) is not known")
                try require(
                    (levels.max() ?? 0) <= 126, "shaper.levels-count",
                    expected: "levels up to 126", got: "\(levels.max() ?? 0)",
                    whoIsHurt: "the reordering of UAX #9 has no such level")
            }
        }
        let hebrew = Array("שלום".utf8)
        try require(
            shaper.bidiLevels(of: hebrew, base: .leftToRight).allSatisfy { $0 % 2 == 1 },
            "shaper.levels-count", expected: "odd levels for Hebrew", got: "an even one",
            whoIsHurt: "who reads Hebrew, written backwards")
    }

    func dictionary() throws {
        let shaper = makeShaper()
        let text = "สวัสดีชาวโลก"
        let bytes = Array("x \(text) y".utf8)
        let range = 2..<(bytes.count - 2)
        let breaks = shaper.dictionaryBreaks(in: bytes, range: range)
        try require(
            breaks == breaks.sorted() && Set(breaks).count == breaks.count
                && breaks.allSatisfy {
                    $0 > range.lowerBound && $0 < range.upperBound && bytes[$0] & 0xC0 != 0x80
                }, "shaper.dictionary-breaks-inside",
            expected: "ascending starts of code points within \(range)", got: inWords(breaks),
            whoIsHurt: "Thai lines break in the middle of a letter")
    }

    func metrics() throws {
        let metrics = makeShaper().metrics(of: font)
        try require(
            metrics.ascent > .zero && metrics.descent >= .zero, "shaper.metrics-are-positive",
            expected: "a positive ascent and a descent that is not negative",
            got: "\(metrics.ascent.rawValue)/64 and \(metrics.descent.rawValue)/64",
            whoIsHurt: "lines have no height")
    }

    func hostile() throws {
        let shaper = makeShaper()
        let texts = [
            String(repeating: "x", count: 20_000),
            String(repeating: "a" + String(repeating: "\u{301}", count: 20), count: 500),
            String(repeating: "aא", count: 5_000), String(repeating: "👨‍👩‍👧", count: 1_000),
            String(repeating: " ", count: 10_000), String(repeating: "\u{301}", count: 5_000),
        ]
        for text in texts {
            let bytes = Array(text.utf8)
            let clusters = run(shaper, bytes).clusters
            try require(
                clusters.first?.start == 0
                    && (clusters.last.map { Int($0.start) } ?? 0) < bytes.count,
                "shaper.takes-hostile-text", expected: "clusters within the text",
                got: "\(clusters.count) clusters", whoIsHurt: "one pasted message breaks the room")
        }
    }
}
