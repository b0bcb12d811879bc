/// The fields of a ``ShapingTrace``.
enum ShapingTraceCoding {
    // MARK: Questions

    static func question(_ font: FontRequest) -> String { "M\t\(text(font))" }

    static func question(_ request: ShapingRequest) -> String {
        [
            "S", text(request.font), text(request.direction), escaped(request.language),
            request.isIsolated ? "1" : "0",
            text(request), escaped(request.paragraph),
        ].joined(separator: "\t")
    }

    /// The range, and the run where that is not the whole paragraph.
    private static func text(_ request: ShapingRequest) -> String {
        let range = "\(request.range.lowerBound)-\(request.range.upperBound)"
        guard request.run != 0..<request.paragraph.count else { return range }
        return "\(range)@\(request.run.lowerBound)-\(request.run.upperBound)"
    }

    static func question(
        after previous: Unicode.Scalar?, inScriptOf letter: Unicode.Scalar?,
        before next: Unicode.Scalar?, font: FontRequest, direction: TextDirection, language: String
    ) -> String {
        func text(_ scalar: Unicode.Scalar?) -> String {
            scalar.map { String($0.value, radix: 16) } ?? "-"
        }
        return [
            "W", self.text(font), self.text(direction), escaped(language), text(previous),
            text(letter), text(next),
        ].joined(separator: "\t")
    }

    static func question(_ paragraph: [UInt8], base: TextDirection) -> String {
        "B\t\(text(base))\t\(escaped(paragraph))"
    }

    static func question(_ paragraph: [UInt8], range: Range<Int>) -> String {
        "D\t\(range.lowerBound)-\(range.upperBound)\t\(escaped(paragraph))"
    }

    private static func text(_ font: FontRequest) -> String {
        let family =
            switch font.family {
            case .text: "text"
            case .monospaced: "monospaced"
            case .named(let name): "=" + escaped(name)
            }
        return "\(family),\(font.size.rawValue)\(font.isBold ? ",b" : "")"
            + (font.isItalic ? ",i" : "")
    }

    private static func text(_ direction: TextDirection) -> String {
        switch direction {
        case .leftToRight: "L"
        case .rightToLeft: "R"
        }
    }

    private static func escaped(_ bytes: [UInt8]) -> String {
        escaped(String(decoding: bytes, as: UTF8.self))
    }

    /// Scalar by scalar, since a carriage return and a line feed are one `Character`.
    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result.append(contentsOf: #"\\"#.unicodeScalars)
            case "\t": result.append(contentsOf: #"\t"#.unicodeScalars)
            case "\n": result.append(contentsOf: #"\n"#.unicodeScalars)
            case "\r": result.append(contentsOf: #"\r"#.unicodeScalars)
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    // MARK: Answers

    static func text(_ metrics: FontMetrics) -> String {
        "\(metrics.ascent.rawValue)\t\(metrics.descent.rawValue)"
    }

    static func metrics(_ text: String) -> FontMetrics? {
        let fields = text.split(separator: "\t")
        guard fields.count == 2, let ascent = Int32(fields[0]), let descent = Int32(fields[1])
        else { return nil }
        return FontMetrics(
            ascent: Advance(rawValue: ascent), descent: Advance(rawValue: descent))
    }

    static func text(_ run: ShapedRun) -> String {
        let clusters = run.clusters.map {
            "\($0.start):\($0.advance.rawValue)\($0.isSafeToCut ? "" : "!")"
        }
        return "\(run.isContextFree ? 1 : 0)\t\(text(run.extent))\t"
            + clusters.joined(separator: " ")
    }

    static func run(_ text: String) -> ShapedRun? {
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 4, let extent = metrics("\(fields[1])\t\(fields[2])") else {
            return nil
        }
        var clusters: [ShapedRun.Cluster] = []
        for field in fields[3].split(separator: " ") {
            let isUnsafe = field.last == "!"
            let numbers = (isUnsafe ? field.dropLast() : field).split(separator: ":")
            guard numbers.count == 2, let start = Int32(numbers[0]),
                let advance = Int32(numbers[1])
            else { return nil }
            clusters.append(
                ShapedRun.Cluster(
                    start: start, advance: Advance(rawValue: advance), isSafeToCut: !isUnsafe))
        }
        return ShapedRun(clusters: clusters, extent: extent, isContextFree: fields[0] == "1")
    }

    static func text(levels: [UInt8]) -> String {
        var runs: [(level: UInt8, count: Int)] = []
        for level in levels {
            if runs.last?.level == level {
                runs[runs.count - 1].count += 1
            } else {
                runs.append((level, 1))
            }
        }
        return runs.map { "\($0.level)*\($0.count)" }.joined(separator: " ")
    }

    static func levels(_ text: String) -> [UInt8]? {
        var levels: [UInt8] = []
        for run in text.split(separator: " ") {
            let fields = run.split(separator: "*")
            guard fields.count == 2, let level = UInt8(fields[0]), let count = Int(fields[1]),
                count >= 0, levels.count + count <= TextPreparer.maximumByteCount
            else { return nil }
            levels.append(contentsOf: repeatElement(level, count: count))
        }
        return levels
    }

    static func numbers(_ text: String) -> [Int]? {
        var numbers: [Int] = []
        for field in text.split(separator: " ") {
            guard let number = Int(field) else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
