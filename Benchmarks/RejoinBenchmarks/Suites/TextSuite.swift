#if canImport(CPango)
import Foundation
import RejoinLayout
import RejoinTypography

extension Suite {
    /// Measuring texts against `PangoLayout`.
    static let text = Suite(
        name: "text",
        summary: "texts prepared and wrapped, against PangoLayout with the same fonts"
    ) { report in
        try TextBenchmark(report).run()
    }
}

private struct TextBenchmark {
    private let report: Report

    private static let size: Int32 = 16
    private static let width: Int32 = 260
    private static let batch = 200

    init(_ report: Report) {
        self.report = report
    }

    func run() throws {
        for language in TextCorpus.Language.allCases {
            let isPromised = language == .english || language == .korean
            for length in isPromised ? [36, 195] : [36] {
                try compareNew(language, length, promised: isPromised ? 2.5 : nil)
                try compareSeen(language, length, promised: isPromised ? 10 : nil)
            }
        }
        for language in [TextCorpus.Language.english, .korean] { try compareWidths(language) }
        try compareTall()
        try measureHostile()
        try measureThreads()
    }

    // MARK: Preparing

    private static func style(_ language: TextCorpus.Language, _ shaper: any TextShaper)
        -> TextStyle
    {
        let font = FontRequest(size: Advance(pixels: size))
        return TextStyle(
            font: font, metrics: shaper.metrics(of: font), language: language.tag,
            direction: language.isRightToLeft ? .rightToLeft : .leftToRight)
    }

    /// Messages whose words were never seen.
    private func compareNew(_ language: TextCorpus.Language, _ length: Int, promised: Double?)
        throws
    {
        let shaper = try PangoShaper()
        let peer = try PangoPeer(
            language: language.tag, isRightToLeft: language.isRightToLeft, size: Self.size)
        let style = Self.style(language, shaper)
        var corpus = TextCorpus(language, seed: 1)
        let times = try Measure.medians([
            {
                // New words for each round, and none of them in the cache.
                let texts = corpus.messages(Self.batch, codePoints: length, seen: 0)
                let preparer = TextPreparer(shaper: shaper, cache: WordCache())
                return Measure.processorNanoseconds {
                    for text in texts {
                        keep(
                            preparer.prepare(RichText(text), style: style).layout(width: Self.width)
                        )
                    }
                }
            },
            {
                let texts = corpus.messages(Self.batch, codePoints: length, seen: 0)
                return Measure.processorNanoseconds {
                    for text in texts { keep(peer.layOut(text, width: Self.width)) }
                }
            },
        ])
        add("prepare new, \(language.rawValue) \(length)", times, promised: promised)
    }

    /// Messages of which nine words in ten were seen before.
    private func compareSeen(
        _ language: TextCorpus.Language, _ length: Int, promised: Double?
    ) throws {
        let shaper = try PangoShaper()
        let peer = try PangoPeer(
            language: language.tag, isRightToLeft: language.isRightToLeft, size: Self.size)
        let style = Self.style(language, shaper)
        var corpus = TextCorpus(language, seed: 2)
        let preparer = TextPreparer(shaper: shaper, cache: WordCache())
        keep(preparer.prepare(RichText(corpus.everyWord), style: style))
        let times = try Measure.medians([
            {
                let texts = corpus.messages(Self.batch, codePoints: length, seen: 90)
                return Measure.processorNanoseconds {
                    for text in texts {
                        keep(
                            preparer.prepare(RichText(text), style: style).layout(width: Self.width)
                        )
                    }
                }
            },
            {
                let texts = corpus.messages(Self.batch, codePoints: length, seen: 90)
                return Measure.processorNanoseconds {
                    for text in texts { keep(peer.layOut(text, width: Self.width)) }
                }
            },
        ])
        add("prepare seen, \(language.rawValue) \(length)", times, promised: promised)
    }

    private func add(_ name: String, _ times: [Double?], promised: Double?) {
        guard let own = times[0], let other = times[1] else { return }
        let count = Double(Self.batch) * 1_000
        report.add(
            .cost(
                name, own / count, "us/message",
                peers: [("PangoLayout", other / count, promised)]))
    }

    // MARK: Wrapping

    /// Ten thousand known messages at another width.
    private func compareWidths(_ language: TextCorpus.Language) throws {
        let shaper = try PangoShaper()
        let peer = try PangoPeer(
            language: language.tag, isRightToLeft: language.isRightToLeft, size: Self.size)
        let style = Self.style(language, shaper)
        var corpus = TextCorpus(language, seed: 3)
        let texts = corpus.messages(10_000, codePoints: 36, seen: 90)
        let preparer = TextPreparer(shaper: shaper, cache: WordCache())
        let prepared = texts.map { preparer.prepare(RichText($0), style: style) }
        let bytes = prepared.reduce(0) { $0 + $1.byteCount }
        report.add(
            Figure(
                name: "memory, \(language.rawValue) 36", value: Double(bytes) / 10_000,
                unit: "bytes/message"))
        var width = Self.width
        let times = try Measure.medians(
            rounds: 5,
            [
                {
                    width = width == Self.width ? Self.width - 40 : Self.width
                    return Measure.processorNanoseconds {
                        for text in prepared { keep(text.layout(width: width)) }
                    }
                },
                {
                    Measure.processorNanoseconds {
                        for text in texts.prefix(1_000) {
                            keep(peer.layOut(text, width: Self.width))
                        }
                    } * 10
                },
            ])
        guard let own = times[0], let other = times[1] else { return }
        report.add(
            .cost(
                "re-wrap 10,000, \(language.rawValue)", own / 1e6, "ms",
                peers: [("PangoLayout", other / 1e6, 100)]))
    }

    /// One message of many lines.
    private func compareTall() throws {
        let shaper = try PangoShaper()
        let peer = try PangoPeer(language: "en", isRightToLeft: false, size: Self.size)
        let style = Self.style(.english, shaper)
        var corpus = TextCorpus(.english, seed: 4)
        for (count, promised) in [(1_000, 3.0), (5_000, 20.0)] {
            let text = corpus.messages(count, codePoints: 12, seen: 90).joined(separator: "\n")
            let times = try Measure.medians(
                rounds: 3,
                [
                    {
                        let preparer = TextPreparer(shaper: shaper, cache: WordCache())
                        return Measure.processorNanoseconds {
                            keep(
                                preparer.prepare(RichText(text), style: style).layout(
                                    width: Self.width))
                        }
                    },
                    { Measure.processorNanoseconds { keep(peer.layOut(text, width: Self.width)) } },
                ])
            guard let own = times[0], let other = times[1] else { continue }
            report.add(
                .cost(
                    "\(count) lines", own / 1e6, "ms",
                    peers: [("PangoLayout", other / 1e6, promised)]))
        }
    }

    // MARK: Hostile texts

    private func measureHostile() throws {
        let shaper = try PangoShaper()
        let style = Self.style(.english, shaper)
        let marks = String(repeating: "\u{301}", count: 20)
        let texts: [(String, (Int) -> String)] = [
            ("unbroken word", { String(repeating: "a", count: $0) }),
            ("unbroken Hangul", { String(repeating: "가", count: $0) }),
            ("lines", { String(repeating: "a\n", count: $0 / 2) }),
            ("marks", { String(repeating: "a" + marks, count: $0 / 21) }),
            ("marks on one letter", { "a" + String(repeating: "\u{301}", count: $0) }),
            ("stacked Khmer", { String(repeating: "ក\u{17D2}", count: $0 / 2) }),
            ("alternating directions", { String(repeating: "aא", count: $0 / 2) }),
            ("isolates", { String(repeating: "\u{2067}a", count: $0 / 2) }),
            ("brackets", { String(repeating: "(א", count: $0 / 2) }),
            ("emoji", { String(repeating: "👨‍👩‍👧", count: $0 / 5) }),
            ("spaces", { String(repeating: " ", count: $0) }),
            ("Thai", { String(repeating: "กรุงเทพ", count: $0 / 7) }),
            ("Arabic", { String(repeating: "سلام", count: $0 / 4) }),
        ]
        for (name, make) in texts {
            var last: Double = 0
            let ratios = [25_000, 50_000, 100_000].map { count -> Double in
                let text = make(count)
                let times = (0..<9).map { _ in
                    let preparer = TextPreparer(shaper: shaper, cache: WordCache())
                    return Measure.processorNanoseconds {
                        keep(
                            preparer.prepare(RichText(text), style: style).layout(width: Self.width)
                        )
                    }
                }
                let ratio = last > 0 ? (times.min() ?? 0) / last : 0
                last = times.min() ?? 0
                return ratio
            }
            report.add(
                Figure(
                    name: "100,000: \(name)", value: last / 1e6, unit: "ms"))
            report.add(
                Figure(
                    name: "100,000 / 50,000: \(name)", value: ratios[2], unit: "times",
                    bound: .atMost(2.3)))
        }
    }

    // MARK: Threads

    private static func prepare(_ texts: [String], _ shaper: any TextShaper) {
        let style = style(.english, shaper)
        let preparer = TextPreparer(shaper: shaper, cache: WordCache())
        for text in texts {
            keep(preparer.prepare(RichText(text), style: style).layout(width: width))
        }
    }

    private func measureThreads() throws {
        let factory = try PangoShaperFactory()
        var speeds: [Double] = []
        for _ in 0..<5 {
            var one: Double = 0
            for threads in [1, 2] {
                let ready = DispatchSemaphore(value: 0)
                let start = DispatchSemaphore(value: 0)
                let done = DispatchSemaphore(value: 0)
                for thread in 0..<threads {
                    Thread.detachNewThread {
                        let shaper = factory.makeShaper()
                        // Texts of its own: two threads counting references to the same
                        // strings would wait for each other.
                        var corpus = TextCorpus(.english, seed: UInt64(5 + thread))
                        let texts = corpus.messages(4_000, codePoints: 36, seen: 0)
                        Self.prepare(Array(texts.prefix(100)), shaper)
                        ready.signal()
                        start.wait()
                        Self.prepare(texts, shaper)
                        done.signal()
                    }
                }
                for _ in 0..<threads { ready.wait() }
                let time = Measure.nanoseconds {
                    for _ in 0..<threads { start.signal() }
                    for _ in 0..<threads { done.wait() }
                }
                if threads == 1 { one = time } else { speeds.append(2 * one / time) }
            }
        }
        guard let speed = Measure.median(speeds) else { return }
        report.add(
            Figure(
                name: "two threads against one", value: speed, unit: "times", bound: .atLeast(1.6)))
    }
}
#endif
