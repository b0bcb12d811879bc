import RejoinContracts

/// Messages as people write them, in the lengths that published measurements of text use; a seed
/// fixes them.
struct TextCorpus {
    /// A language, with the parts that its words are made of.
    enum Language: String, CaseIterable {
        case english, korean, japanese, arabic, hebrew, hindi, thai

        /// The BCP 47 tag.
        var tag: String {
            switch self {
            case .english: "en"
            case .korean: "ko"
            case .japanese: "ja"
            case .arabic: "ar"
            case .hebrew: "he"
            case .hindi: "hi"
            case .thai: "th"
            }
        }

        var isRightToLeft: Bool { self == .arabic || self == .hebrew }

        /// How many parts make a word.
        fileprivate var partsInWord: ClosedRange<Int> {
            switch self {
            case .english: 1...3
            case .korean: 2...5
            case .japanese, .thai: 3...9
            case .arabic, .hebrew, .hindi: 1...3
            }
        }

        fileprivate var parts: [String] {
            text.split(separator: " ").map(String.init)
        }

        private var text: String {
            switch self {
            case .english:
                "the con ver sa tion is go ing well and for you re with out some thing think our ly "
                    + "ed mo ment when will be fore noon tion al pre vi ous ness wa fle tea"
            case .korean:
                "안 녕 하 세 요 오 늘 회 의 는 시 작 합 니 다 확 인 부 탁 드 려 파 일 을 보 냈 어 서 버 가 느 "
                    + "점 심 식 사 감 고 객 문 내 용 처 리 되 었 주 말 에 뵙 겠 습 괜 찮 아"
            case .japanese:
                "今 日 は 会 議 が あ り ま す あ り が と う メ ッ セ ー ジ を 送 り 東 京 へ 行 き 確 認 お 願 い し "
                    + "コ ー ヒ ス ケ ジ ュ ル 変 更"
            case .arabic:
                "مر حبا كيف حال اليوم اجت ماع في سا عة شكر جز يل لا أعر ف رسا لة وصل من فضل تأ كيد "
                    + "غد إن شاء سلا م علي كم"
            case .hebrew:
                "של ום מה יום פגי שה שע ה תו דה רב אני לא יודע הו דע נש לח בב קש ה אש ר מח ר להת"
            case .hindi:
                "न मस् ते आज बै ठक ती न ब जे है मु झे नहीं प ता धन् यवा द सं देश भे ज दि या कृ पया"
            case .thai:
                "สวัส ดี วัน นี้ ประ ชุม ตอน บ่าย สาม โมง ขอบ คุณ มาก ไม่ ทราบ ข้อ ความ ส่ง แล้ว"
            }
        }
    }

    let language: Language
    private let parts: [String]
    /// Words that messages repeat.
    private let vocabulary: [String]
    private var generator: SeededGenerator

    init(_ language: Language, seed: UInt64) {
        self.language = language
        parts = language.parts
        var generator = SeededGenerator(seed: 11)
        vocabulary = (0..<600).map { [parts] _ in
            Self.word(language, parts, &generator)
        }
        self.generator = SeededGenerator(seed: seed)
    }

    /// A message of about a number of code points.
    ///
    /// - Parameter seen: in percent, how many words are of the vocabulary; the others are new.
    mutating func message(codePoints: Int, seen: Int) -> String {
        var text = ""
        var count = 0
        while count < codePoints {
            if !text.isEmpty {
                text += " "
                count += 1
            }
            let isSeen = Int.random(in: 0..<100, using: &generator) < seen
            let word =
                isSeen
                ? vocabulary.randomElement(using: &generator) ?? ""
                : Self.word(language, parts, &generator)
            text += word
            count += word.unicodeScalars.count
        }
        return text
    }

    /// Messages, one after the other.
    mutating func messages(_ count: Int, codePoints: Int, seen: Int) -> [String] {
        (0..<count).map { _ in message(codePoints: codePoints, seen: seen) }
    }

    /// The words that messages repeat, in one text.
    var everyWord: String { vocabulary.joined(separator: " ") }

    private static func word(
        _ language: Language, _ parts: [String], _ generator: inout SeededGenerator
    ) -> String {
        let count = Int.random(in: language.partsInWord, using: &generator)
        return (0..<count).map { _ in parts.randomElement(using: &generator) ?? "" }.joined()
    }
}
