#if os(Linux)
import Foundation
import RejoinJSON
import RejoinLayout
import RejoinTypography

extension Command {
    /// `rejoin measure`.
    static let measure = Command(
        name: "measure", summary: "wrap texts at a width, or find where lines may break",
        help: """
            usage: rejoin measure --width W [--font "DejaVu Sans 16"] [--hangul word|syllable]
                   rejoin measure --breaks

            Reads one JSON string per line from standard input and prints one JSON object per line:
              {"lines":[{"start":…,"end":…,"width":…},…],"height":…}
            Offsets count bytes of UTF-8; end leaves out what ends the line (such as a line feed),
            and width leaves out spaces at the line's end. Widths and heights are pixels at scale 1.

              --width W        the width in pixels, 1 to \(greatestWidth)
              --font FONT      a family, Bold and Italic where wanted, and a size in pixels
                               (default "DejaVu Sans 16")
              --hangul POLICY  word (default) breaks Korean at spaces; syllable breaks it between
                               any two syllables
              --breaks         prints {"allowed":[…],"mandatory":[…]} instead: the offsets before
                               which UAX #14 allows or forces a break, start and end of the text
                               left out; by the rules and data of Unicode 15.0 without tailoring
                               but for the numbers of its LineBreakTest, which takes rule LB25 as
                               the regular expression of UAX #14 section 8.2, example 7

            Each line is answered as soon as it has come; a blank one is skipped. A line that is no
            JSON string, or longer than \(longestLine) bytes, ends the program with its number
            and exit status 1; what stands before it is answered.

            Exit status: 0 when every line was answered; 1 for a wrong line, a missing font, or
            standard output that cannot be written to; 2 for wrong usage.
            """
    ) { arguments in
        var arguments = arguments
        return try MeasureCommand(&arguments).run()
    }

    fileprivate static let greatestWidth: Int32 = 1_000_000
    /// The longest line, in octets: the longest text that is wrapped, each byte written as an
    /// escape.
    fileprivate static let longestLine = 8 << 20
}

/// `rejoin measure`, with its arguments read.
private struct MeasureCommand {
    private let answer: (String) throws -> JSONWriter

    init(_ arguments: inout Arguments) throws {
        let findsBreaks = try arguments.flag("--breaks")
        let width = try arguments.integer("--width", in: 1...Command.greatestWidth)
        let font = try MeasureFont(try arguments.option("--font") ?? "DejaVu Sans 16")
        let hangul = try Self.hangul(try arguments.option("--hangul") ?? "word")
        try arguments.finish()
        if findsBreaks {
            answer = Self.breaks
            return
        }
        guard let width else {
            throw CommandError.usage("--width W says how wide lines may be, in pixels")
        }
        do {
            let measure = try TextMeasure(font: font, width: width, hangul: hangul)
            answer = measure.lines
        } catch let error as TypographyError {
            throw CommandError.failure(error.description)
        }
    }

    private static func hangul(_ word: String) throws(CommandError) -> HangulBreaking {
        switch word {
        case "word": return .word
        case "syllable": return .syllable
        default: throw .usage("--hangul must be word or syllable, not '\(word)'")
        }
    }

    /// Reads to the end of standard input.
    func run() throws -> Int32 {
        try StandardStreams.readLines(longest: Command.longestLine) { line, number in
            guard !StandardStreams.isBlank(line) else { return }
            do {
                let limits = JSONLimits(maximumStringBytes: Command.longestLine)
                guard case .string(let text) = try JSONDocument(line, limits: limits).root.kind
                else {
                    throw CommandError.failure(
                        "line \(number) must be a JSON string, such as \"Hello\"")
                }
                var bytes = try answer(text).bytes
                bytes.append(UInt8(ascii: "\n"))
                try StandardStreams.write(bytes)
            } catch let error as JSONError {
                throw CommandError.failure(
                    "line \(number) must be a JSON string, such as \"Hello\": "
                        + "column \(error.location.column): \(error.message)")
            } catch let error as TextTooLong {
                throw CommandError.failure("line \(number): \(error.description)")
            }
        }
        return 0
    }

    private static func breaks(of text: String) -> JSONWriter {
        let breaks = TextBreaks(of: text)
        var json = JSONWriter()
        json.beginObject()
        for (name, offsets) in [("allowed", breaks.allowed), ("mandatory", breaks.mandatory)] {
            json.key(name)
            json.beginArray()
            for offset in offsets { json.integer(offset) }
            json.endArray()
        }
        json.endObject()
        return json
    }
}

/// A font as it is written on the command line: a family, traits, a size.
struct MeasureFont: Hashable {
    var family: String
    var isBold = false
    var isItalic = false
    var size: Advance

    /// Sizes in pixels that are taken.
    static let sizes = 1.0...500.0

    init(_ text: String) throws(CommandError) {
        var words = text.split(separator: " ").map(String.init)
        guard let last = words.popLast(), let size = Double(last), Self.sizes.contains(size) else {
            throw .usage(
                "--font must end with a size from 1 to 500, such as 'DejaVu Sans 16', "
                    + "not '\(text)'")
        }
        self.size = Advance(rawValue: Int32((size * 64).rounded()))
        while let trait = words.last {
            if trait == "Bold" {
                isBold = true
            } else if trait == "Italic" || trait == "Oblique" {
                isItalic = true
            } else {
                break
            }
            words.removeLast()
        }
        family = words.joined(separator: " ")
        guard !family.isEmpty else {
            throw .usage("--font must name a family before the size, such as 'DejaVu Sans 16'")
        }
    }

    var request: FontRequest {
        FontRequest(family: .named(family), size: size, isBold: isBold, isItalic: isItalic)
    }
}

/// Wraps texts at one width in one font.
private struct TextMeasure {
    private let preparer: TextPreparer
    private let style: TextStyle
    private let width: Int32

    init(font: MeasureFont, width: Int32, hangul: HangulBreaking) throws {
        let fonts = PinnedFonts.standard.adding(PinnedFonts.Family(font.family))
        let shaper = try PangoShaperFactory(fonts: fonts).makeShaper()
        preparer = TextPreparer(shaper: shaper)
        style = TextStyle(
            font: font.request, metrics: shaper.metrics(of: font.request), hangul: hangul)
        self.width = width
    }

    func lines(of text: String) throws -> JSONWriter {
        let prepared = preparer.prepare(text, style: style)
        guard !prepared.isCut else { throw TextTooLong() }
        let layout = prepared.layout(width: width, shaper: preparer.shaper)
        var json = JSONWriter()
        json.beginObject()
        json.key("lines")
        json.beginArray()
        for line in layout.lines {
            json.beginObject()
            json.member("start", line.range.lowerBound)
            json.member("end", line.range.upperBound)
            json.key("width")
            pixels(line.width, &json)
            json.endObject()
        }
        json.endArray()
        json.member("height", layout.size.height)
        json.endObject()
        return json
    }

    /// Whole pixels without a fraction, others with as many digits as tell them exactly.
    private func pixels(_ width: Advance, _ json: inout JSONWriter) {
        if width.rawValue % 64 == 0 {
            json.integer(width.rawValue / 64)
        } else if let number = JSONNumber(width.pixels) {
            json.number(number)
        }
    }
}

/// A text that would be cut before it is wrapped.
private struct TextTooLong: Error, CustomStringConvertible {
    let description =
        "the text is longer than \(TextPreparer.maximumByteCount) bytes of UTF-8, or a paragraph "
        + "is too wide; split it"
}
#endif
