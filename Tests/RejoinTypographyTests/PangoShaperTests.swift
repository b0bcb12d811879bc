#if canImport(CPango)
import RejoinLayout
import RejoinTypography
import Testing

@Suite("PangoShaper: advances, clusters, cuts")
struct PangoShaperTests {
    private let shaper: PangoShaper

    init() throws { shaper = try PangoShaper() }

    private func shape(
        _ text: String, _ range: Range<Int>? = nil, direction: TextDirection = .leftToRight,
        language: String = "en", isIsolated: Bool = false
    ) -> ShapedRun {
        let bytes = [UInt8](text.utf8)
        return shaper.shape(
            ShapingRequest(
                paragraph: bytes, range: range ?? 0..<bytes.count,
                font: FontRequest(size: Advance(pixels: 16)), direction: direction,
                language: language, isIsolated: isIsolated))
    }

    private func families(_ language: String) -> String {
        PinnedFonts.standard.families(for: .text, language: language).joined(separator: ",")
    }

    private func width(_ run: ShapedRun) -> Double {
        run.clusters.reduce(Advance.zero) { $0 + $1.advance }.pixels
    }

    @Test("Metrics are DejaVu's, unhinted")
    func metrics() {
        let metrics = shaper.metrics(of: FontRequest(size: Advance(pixels: 2048)))
        #expect(metrics.ascent.rounded == 1901)
        #expect(metrics.descent.rounded == 483)
    }

    @Test("Twice the size is twice as wide: nothing is hinted or rounded to pixels")
    func scales() {
        let bytes = [UInt8]("Hamburgefonts 안녕".utf8)
        func width(_ size: Int32) -> Double {
            self.width(
                shaper.shape(
                    ShapingRequest(
                        paragraph: bytes, range: 0..<bytes.count,
                        font: FontRequest(size: Advance(pixels: size)), direction: .leftToRight,
                        language: "en")))
        }
        #expect(abs(width(34) - 2 * width(17)) < 0.5)
    }

    @Test("An emoji of pictures is scaled to the size of the text")
    func emoji() {
        let run = shape("👨‍👩‍👧🇰🇷1️⃣")
        #expect(run.clusters.map(\.start) == [0, 18, 26])
        for cluster in run.clusters { #expect((15...24).contains(cluster.advance.pixels)) }
    }

    @Test("Clusters of right-to-left text come in logical order")
    func rightToLeft() {
        let run = shape("سلام عليكم", direction: .rightToLeft, language: "ar")
        #expect(run.clusters.first?.start == 0)
        #expect(zip(run.clusters, run.clusters.dropFirst()).allSatisfy { $0.start < $1.start })
        #expect(width(run) > 20)
        // Lam and Alef are one ligature.
        #expect(!run.clusters.contains { $0.start == 4 })
    }

    @Test("Letters join across the ends of the range unless it is isolated")
    func context() {
        let text = "ببب"
        let joined = shape(text, 2..<4, direction: .rightToLeft, language: "ar")
        let alone = shape(
            text, 2..<4, direction: .rightToLeft, language: "ar", isIsolated: true)
        #expect(joined.clusters.map(\.start) == [2])
        #expect(alone.clusters.map(\.start) == [2])
        #expect(joined.clusters[0].advance != alone.clusters[0].advance)
        #expect(!joined.clusters[0].isSafeToCut)
        #expect(!joined.isContextFree)
        #expect(alone.clusters[0].isSafeToCut)
    }

    @Test("Words between spaces do not depend on their neighbours in the pinned fonts")
    func contextFree() {
        for (text, language) in [
            ("office", "en"), ("안녕하세요.", "ko"), ("привет", "ru"),
            ("สวัสดี", "th"), ("1,234.50", "en"),
        ] {
            #expect(shape(text, language: language).isContextFree, "\(text)")
        }
        #expect(shape("שלום", direction: .rightToLeft, language: "he").isContextFree)
    }

    @Test(
        "A space has the font that Pango gives it, whatever part of the text is shaped",
        arguments: [
            ("สวัสดี ครับ", "th"), ("안녕 하세요", "ko"), ("안녕 2시", "ko"), ("안녕 (네)", "ko"),
            ("안녕 hello", "ko"), ("hello 안녕", "ko"), ("です。 OK", "ja"), ("👍 안녕", "ko"),
            ("👍 ok", "en"), ("안녕 👍 ", "ko"), (" 안녕", "ko"), ("안녕  2", "ko"), ("नमस्ते 2", "hi"),
            ("❤️ 안녕", "ko"), ("a b", "en"), ("안녕 ❤️ 안녕", "ko"), ("안녕 ☺ 안녕", "ko"), ("を ☺ メ", "ja"),
            ("a 😀 안녕", "ko"), ("안녕 😀 안녕", "ko"), ("a 「가」 b", "ko"),
            ("コーヒー a", "ja"), ("안녕 ✌️ ま", "ja"), ("お 1️⃣", "ja"), ("가 「a」 b", "ko"),
            ("가 「a」 나", "ko"), ("「a」 나", "ko"), ("a 。 가", "ko"),
        ])
    func spaces(text: String, language: String) throws {
        let bytes = [UInt8](text.utf8)
        let whole = shape(text, language: language)
        let font = FontRequest(size: Advance(pixels: 16))
        let scalars = Array(text.unicodeScalars)
        var offset = 0
        for (index, scalar) in scalars.enumerated() {
            defer { offset += String(scalar).utf8.count }
            guard scalar == " " else { continue }
            let alone = shape(text, offset..<(offset + 1), language: language)
            let inWhole = whole.clusters.first { $0.start == Int32(offset) }?.advance
            #expect(inWhole == alone.clusters[0].advance)
            let known = shaper.spaceAdvance(
                after: scalars[..<index].last { $0 != " " },
                inScriptOf: SpaceScript.letter(before: offset, in: bytes),
                before: SpaceScript.character(from: offset, in: bytes), font: font,
                direction: .leftToRight, language: language)
            #expect(known == inWhole)
        }
        let pango = try OraclePango(
            families: families(language), size: 16, language: language, isRightToLeft: false)
        #expect(abs(pango.width(of: bytes) - width(whole)) < 0.3)
    }

    @Test(
        "Where directions change, a space has the font of its own run, as Pango gives it",
        arguments: [
            // A bracket is read with what it holds (rule N0 of UAX #9), a sign with its number.
            ("don’t, 「了解」 👍🏽 السلام", TextDirection.rightToLeft, "en"),
            ("don’t 「了解」 가 السلام", .rightToLeft, "en"), ("של (了解) אב", .rightToLeft, "en"),
            ("50% שלום", .rightToLeft, "he"), ("שלום 100₪ בלבד", .rightToLeft, "he"),
            ("שלום 50 가", .leftToRight, "ko"), ("שלום 50% 가", .leftToRight, "ko"),
            ("가 שלום 가 ab", .leftToRight, "ko"), ("שלום 가 나 שלום", .rightToLeft, "ko"),
            ("안녕 😀 שלום 가", .rightToLeft, "ko"), ("שלום 😀 가", .leftToRight, "ko"),
            ("مرحبا 12 가 나", .rightToLeft, "ar"), ("ab سلام, 가", .leftToRight, "ko"),
            ("שלום  가", .rightToLeft, "ko"),
        ])
    func spacesBetweenDirections(text: String, direction: TextDirection, language: String) throws {
        let font = FontRequest(size: Advance(pixels: 16))
        let style = TextStyle(
            font: font, metrics: shaper.metrics(of: font), language: language,
            direction: direction)
        // A paragraph has the direction of its first strong character; a mark makes it this one.
        let mark = direction == .rightToLeft ? "\u{200F}" : "\u{200E}"
        let bytes = [UInt8]((mark + text).utf8)
        let pango = try OraclePango(
            families: families(language), size: 16, language: language,
            isRightToLeft: direction == .rightToLeft)
        let preparer = TextPreparer(shaper: shaper)
        for _ in 0..<2 {  // The second time from the cache.
            let layout = preparer.prepare(mark + text, style: style).layout(width: 1 << 20)
            #expect(abs(layout.lastLineWidth.pixels - pango.width(of: bytes)) < 0.3)
        }
    }

    @Test("The tallest font of a run gives its extent")
    func extent() {
        #expect(shape("a").extent == shaper.metrics(of: FontRequest(size: Advance(pixels: 16))))
        #expect(shape("a가").extent.ascent > shape("a").extent.ascent)
    }

    @Test("Han characters take the glyphs of the language")
    func language() {
        // Both languages give one em; only the font differs, which the picture tests see.
        #expect(shape("直", language: "ja").clusters.count == 1)
        #expect(width(shape("直", language: "ja")) == 16)
    }

    @Test("An empty range has no clusters")
    func empty() {
        #expect(shape("abc", 1..<1).clusters.isEmpty)
    }

    @Test("Thai is cut at words of the dictionary")
    func dictionary() {
        let bytes = [UInt8]("aสวัสดีครับ".utf8)
        #expect(shaper.dictionaryBreaks(in: bytes, range: 1..<bytes.count) == [19])
        let khmer = [UInt8]("សួស្តី".utf8)
        #expect(shaper.dictionaryBreaks(in: khmer, range: 0..<khmer.count).isEmpty)
    }

    @Test("Levels of mixed text (UAX #9)")
    func bidi() {
        let text = "ab אב 12 ג"
        let left = shaper.bidiLevels(of: [UInt8](text.utf8), base: .leftToRight)
        #expect(left == [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1])
        let right = shaper.bidiLevels(of: [UInt8](text.utf8), base: .rightToLeft)
        #expect(right == [2, 2, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1])
    }
}

@Suite("Pinned fonts")
struct PinnedFontsTests {
    @Test("A missing font is named, with what to do")
    func missing() throws {
        let fonts = PinnedFonts.standard
            .adding(PinnedFonts.Family("No Such Font", package: "fonts-none"))
        do {
            _ = try PangoShaperFactory(fonts: fonts)
            Issue.record("It was not noticed.")
        } catch {
            #expect(error.code == .fontsMissing)
            #expect(error.missingFamilies == ["No Such Font"])
            #expect(error.description.contains("apt-get install fonts-none"))
        }
        _ = try PangoShaperFactory(fonts: fonts.removing(["No Such Font"]))
    }

    @Test("Where only the case of letters differs, the name that is meant is told")
    func wrongCase() {
        let fonts = PinnedFonts.standard.adding(PinnedFonts.Family("dejavu sans"))
        let error = #expect(throws: TypographyError.self) { try PangoShaperFactory(fonts: fonts) }
        #expect(error?.missingFamilies == ["dejavu sans"])
        #expect(error?.description.contains("is DejaVu Sans meant?") == true)
    }

    @Test("A folder without fonts lacks them all")
    func empty() {
        var fonts = PinnedFonts.standard
        fonts.directories = ["/var/empty"]
        let error = #expect(throws: TypographyError.self) { try PangoShaperFactory(fonts: fonts) }
        #expect(error?.missingFamilies == fonts.all.map(\.name))
    }

    @Test("Names are text, not markup")
    func escaping() {
        let fonts = PinnedFonts.standard.adding(PinnedFonts.Family("A & <B>"))
        let error = #expect(throws: TypographyError.self) { try PangoShaperFactory(fonts: fonts) }
        #expect(error?.missingFamilies == ["A & <B>"])
    }
}
#endif
