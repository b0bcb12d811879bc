/// What a shaper answered, as a text: a Mac records CoreText, and Linux replays it.
///
/// The format is lines of UTF-8 with fields between tabs, so that a change can be read in a review.
/// The first line is `rejoin-shaping-trace 1` and the font epoch; then come, in the order in which
/// they were first asked for,
///
/// - `M font ascent descent`
/// - `S font direction language alone range paragraph contextFree ascent descent clusters`, each
///   cluster as `start:advance`, with `!` behind it where the text must not be cut before it; the
///   range has `@` and the run behind it, where that is not the whole paragraph
/// - `W font direction language before letter behind advance`, of a space between two characters
/// - `B base paragraph levels`, a run of equal levels as `level*bytes`
/// - `D range paragraph breaks`
///
/// Numbers are decimal, lengths 1/64 pixel, directions `L` and `R`; texts have `\`, tab and line
/// feed written as `\\`, `\t` and `\n`, and carriage return as `\r`.
public struct ShapingTrace: Hashable, Sendable {
    /// The first word of a trace.
    static let title = "rejoin-shaping-trace 1"

    /// The epoch of the fonts.
    public internal(set) var fontEpoch: UInt64
    /// Questions and their answers.
    private var answers: [String: String] = [:]
    /// The questions in their order.
    private var questions: [String] = []

    /// An empty trace.
    public init(fontEpoch: UInt64 = 0) { self.fontEpoch = fontEpoch }

    /// How many answers it holds.
    public var count: Int { questions.count }

    /// Reads a trace.
    ///
    /// - Throws: ``ShapingTraceError`` with the number of the line that is no part of a trace.
    public init(_ text: String) throws(ShapingTraceError) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        let head = lines.first?.split(separator: "\t") ?? []
        guard head.count == 2, head[0] == Self.title, let epoch = UInt64(head[1]) else {
            throw ShapingTraceError(line: 1)
        }
        self.init(fontEpoch: epoch)
        for (number, line) in lines.enumerated().dropFirst() {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard let kind = fields.first, let asked = Self.questionFields[String(kind)],
                fields.count == asked.question + asked.answer
            else { throw ShapingTraceError(line: number + 1) }
            let question = fields[..<asked.question].joined(separator: "\t")
            let answer = fields[asked.question...].joined(separator: "\t")
            guard Self.isReadable(String(kind), answer) else {
                throw ShapingTraceError(line: number + 1)
            }
            add(question, answer)
        }
    }

    /// The trace as a text.
    public var text: String {
        var text = "\(Self.title)\t\(fontEpoch)\n"
        for question in questions { text += "\(question)\t\(answers[question] ?? "")\n" }
        return text
    }

    /// How many fields a question has, its letter included, and its answer.
    private static let questionFields: [String: (question: Int, answer: Int)] = [
        "M": (2, 2), "S": (7, 4), "W": (7, 1), "B": (3, 1), "D": (3, 1),
    ]

    private static func isReadable(_ kind: String, _ answer: String) -> Bool {
        switch kind {
        case "M": ShapingTraceCoding.metrics(answer) != nil
        case "S": ShapingTraceCoding.run(answer) != nil
        case "W": Int32(answer) != nil
        case "B": ShapingTraceCoding.levels(answer) != nil
        default: ShapingTraceCoding.numbers(answer) != nil
        }
    }

    /// The answer to a question; nil where it was not asked when the trace was recorded.
    func answer(to question: String) -> String? { answers[question] }

    /// Adds an answer; the first one to a question stays.
    mutating func add(_ question: String, _ answer: String) {
        guard answers[question] == nil else { return }
        answers[question] = answer
        questions.append(question)
    }
}

/// A text that is no ``ShapingTrace``.
public struct ShapingTraceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line at fault, from 1.
    public let line: Int

    /// Names a line.
    public init(line: Int) { self.line = line }

    public var description: String {
        "Line \(line) is no part of a shaping trace. Record the trace again with "
            + "RecordingShaper, or fetch an undamaged copy of the file."
    }
}

/// Passes everything on to another shaper and keeps the answers.
public final class RecordingShaper: TextShaper {
    private let base: any TextShaper
    /// What was answered so far.
    public private(set) var trace: ShapingTrace

    /// Records a shaper.
    public init(_ base: any TextShaper) {
        self.base = base
        trace = ShapingTrace(fontEpoch: base.fontEpoch)
    }

    public var fontEpoch: UInt64 { base.fontEpoch }

    public func metrics(of font: FontRequest) -> FontMetrics {
        let answer = base.metrics(of: font)
        trace.add(ShapingTraceCoding.question(font), ShapingTraceCoding.text(answer))
        return answer
    }

    public func shape(_ request: ShapingRequest) -> ShapedRun {
        let answer = base.shape(request)
        trace.add(ShapingTraceCoding.question(request), ShapingTraceCoding.text(answer))
        return answer
    }

    public func spaceAdvance(
        after previous: Unicode.Scalar?, inScriptOf letter: Unicode.Scalar?,
        before next: Unicode.Scalar?, font: FontRequest, direction: TextDirection, language: String
    ) -> Advance {
        let answer = base.spaceAdvance(
            after: previous, inScriptOf: letter, before: next, font: font, direction: direction,
            language: language)
        trace.add(
            ShapingTraceCoding.question(
                after: previous, inScriptOf: letter, before: next, font: font,
                direction: direction, language: language), String(answer.rawValue))
        return answer
    }

    public func bidiLevels(of paragraph: [UInt8], base direction: TextDirection) -> [UInt8] {
        let answer = base.bidiLevels(of: paragraph, base: direction)
        trace.add(
            ShapingTraceCoding.question(paragraph, base: direction),
            ShapingTraceCoding.text(levels: answer))
        return answer
    }

    public func dictionaryBreaks(in paragraph: [UInt8], range: Range<Int>) -> [Int] {
        let answer = base.dictionaryBreaks(in: paragraph, range: range)
        trace.add(
            ShapingTraceCoding.question(paragraph, range: range),
            answer.map(String.init).joined(separator: " "))
        return answer
    }
}

/// Answers from a trace. What was not recorded has no width, and is counted.
public final class ReplayingShaper: TextShaper {
    private let trace: ShapingTrace
    /// How many questions the trace does not answer: a replay that counts any proves nothing.
    public private(set) var unansweredCount = 0

    /// Replays a trace.
    public init(_ trace: ShapingTrace) { self.trace = trace }

    public var fontEpoch: UInt64 { trace.fontEpoch }

    private func answer<Value>(
        _ question: String, _ decode: (String) -> Value?, _ fallback: Value
    ) -> Value {
        if let answer = trace.answer(to: question).flatMap(decode) { return answer }
        unansweredCount += 1
        return fallback
    }

    public func metrics(of font: FontRequest) -> FontMetrics {
        answer(
            ShapingTraceCoding.question(font), ShapingTraceCoding.metrics,
            FontMetrics(ascent: .zero, descent: .zero))
    }

    public func shape(_ request: ShapingRequest) -> ShapedRun {
        answer(
            ShapingTraceCoding.question(request), ShapingTraceCoding.run,
            ShapedRun(
                clusters: [], extent: FontMetrics(ascent: .zero, descent: .zero),
                isContextFree: false))
    }

    public func spaceAdvance(
        after previous: Unicode.Scalar?, inScriptOf letter: Unicode.Scalar?,
        before next: Unicode.Scalar?, font: FontRequest, direction: TextDirection, language: String
    ) -> Advance {
        answer(
            ShapingTraceCoding.question(
                after: previous, inScriptOf: letter, before: next, font: font,
                direction: direction, language: language),
            { Int32($0).map(Advance.init(rawValue:)) }, .zero)
    }

    public func bidiLevels(of paragraph: [UInt8], base direction: TextDirection) -> [UInt8] {
        answer(
            ShapingTraceCoding.question(paragraph, base: direction), ShapingTraceCoding.levels,
            Array(repeating: direction == .rightToLeft ? 1 : 0, count: paragraph.count))
    }

    public func dictionaryBreaks(in paragraph: [UInt8], range: Range<Int>) -> [Int] {
        answer(
            ShapingTraceCoding.question(paragraph, range: range), ShapingTraceCoding.numbers, [])
    }
}
