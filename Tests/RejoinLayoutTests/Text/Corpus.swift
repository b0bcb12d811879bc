import RejoinContracts
import RejoinLayout

/// Texts of many scripts and mishaps.
enum Corpus {
    static let fixed = [
        "", " ", "a", "Hello, world! How are you today?", "안녕하세요, 반갑습니다 ㅋㅋㅋㅋ 3개", "日本語の文章です。改行。",
        "مرحبا بالعالم abc 123", "שלום עולם hello", "नमस्ते दुनिया", "สวัสดีชาวโลกทั้งหลาย", "👨‍👩‍👧👨‍👩‍👧 🇰🇷🇺🇸 1️⃣ 👍🏽",
        "a\tb\t\tc\td",
        "one\ntwo\r\nthree\u{2028}four\u{2029}five\u{0B}six\u{0C}seven\u{85}eight\rnine",
        "trailing\n", "\n\n\n", "extra\u{AD}ordinary\u{AD}ly hyphen\u{AD}ated",
        "    indented   text   ",
        "https://example.com/a/very/long/path?with=many&parameters=1",
        "averyveryverylongwordwithoutanyspaces",
        "a\u{300}\u{301}\u{302}b\u{303} z\u{A0}z", "日本 \u{3000} 語", " \u{301}x", "1,234.56 $(12) €",
        "\u{1100}\u{1161}\u{11A8}\u{1100}",
    ]

    static func random(_ random: inout SeededGenerator, length: Int) -> String {
        let pool: [Unicode.Scalar] = Array(
            "aaabcdefi fi  .,-()\n\t한글ㅋ日本。אבשרم\u{301}\u{AD}\u{200D}👍🇰🇷ก 1$%".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<length { text.append(pool.randomElement(using: &random) ?? "a") }
        return String(text)
    }

    /// The fixed texts and random ones.
    static let all: [String] = {
        var random = SeededGenerator(seed: 7)
        return fixed + (0..<60).map { Corpus.random(&random, length: 5 + $0) }
    }()
}

extension TextStyle {
    /// Sixteen pixels in a box of twenty.
    static let test = TextStyle(
        font: FontRequest(size: Advance(pixels: 16)), lineBox: 20, baseline: 15)
}
