import RejoinContracts

/// Texts as people write them, put together from word lists by a seeded generator: the same on
/// every machine, and as many as a test asks for.
enum Corpus: String, CaseIterable {
    case english, korean, japanese, chinese, arabic, hebrew, hindi, thai, emoji, mixed

    /// The BCP 47 tag under which it is laid out.
    var language: String {
        switch self {
        case .english, .emoji, .mixed: "en"
        case .korean: "ko"
        case .japanese: "ja"
        case .chinese: "zh"
        case .arabic: "ar"
        case .hebrew: "he"
        case .hindi: "hi"
        case .thai: "th"
        }
    }

    /// Whether the paragraphs are read from the right.
    var isRightToLeft: Bool { self == .arabic || self == .hebrew }

    /// A number of texts of about `length` words each.
    func texts(_ count: Int, words: ClosedRange<Int> = 4...14, seed: UInt64 = 1) -> [String] {
        var generator = SeededGenerator(seed: seed &+ UInt64(rawValue.utf8.first ?? 0))
        return (0..<count).map { _ in text(words, &generator) }
    }

    private func text(_ words: ClosedRange<Int>, _ generator: inout SeededGenerator) -> String {
        let count = Int.random(in: words, using: &generator)
        var result = ""
        for index in 0..<count {
            if index > 0, !separator.isEmpty { result += separator }
            result += word(&generator)
            if index < count - 1, Int.random(in: 0..<7, using: &generator) == 0 {
                result += comma
            }
        }
        return result + (ends.randomElement(using: &generator) ?? "")
    }

    private func word(_ generator: inout SeededGenerator) -> String {
        guard self == .mixed else { return words.randomElement(using: &generator) ?? "" }
        let others: [Corpus] = [.english, .english, .korean, .japanese, .arabic, .hebrew, .emoji]
        let corpus = others.randomElement(using: &generator) ?? .english
        return corpus.words.randomElement(using: &generator) ?? ""
    }

    private var separator: String {
        switch self {
        case .japanese, .chinese, .thai: ""
        default: " "
        }
    }

    private var comma: String {
        switch self {
        case .japanese: "、"
        case .chinese: "，"
        case .arabic: "،"
        case .thai, .emoji: " "
        default: ","
        }
    }

    private var ends: [String] {
        switch self {
        case .japanese: ["。", "！", "", "？"]
        case .chinese: ["。", "！", "", "？"]
        case .arabic: [".", "؟", "", "!"]
        case .hindi: ["।", "?", "", "!"]
        case .thai: ["", " ครับ", " ค่ะ"]
        default: [".", "?", "", "!", "…"]
        }
    }

    private var words: [String] {
        switch self {
        case .english:
            [
                "the", "office", "meeting", "moved", "to", "Tuesday", "I", "don’t", "know", "what",
                "you", "think", "about", "it", "AV", "Yes", "fluffy", "waffles", "(maybe)",
                "“quoted”", "e.g.", "10:30", "$1,200.50", "re-wrap", "Tomorrow", "and", "a",
                "great",
                "affine", "first", "naïve", "café", "internationalisation", "a@b.example", "To",
                "We’ll", "see", "wonderful", "rhythm", "[ok]", "–", "x=y/2",
            ]
        case .korean:
            [
                "안녕하세요", "반갑습니다", "오늘", "회의는", "세", "시에", "시작합니다", "ㅋㅋㅋ", "네", "알겠습니다",
                "확인", "부탁드려요", "파일을", "보냈어요", "2시", "API", "서버가", "느려요", "괜찮아요?", "감사합니다!",
                "점심", "드셨어요", "(내일)", "주말에", "뷁", "고객센터입니다", "문의하신", "내용은", "처리되었습니다",
                "ㅠㅠ", "channel.io에서",
            ]
        case .japanese:
            [
                "今日", "は", "会議", "が", "あります", "ありがとう", "ございます", "メッセージ", "を", "送り",
                "ました", "コーヒー", "「了解」", "です", "ね", "確認", "お願い", "します", "東京", "へ", "行きます",
                "スケジュール", "変更", "10時", "から", "っていう", "直",
            ]
        case .chinese:
            [
                "今天", "会议", "改到", "星期二", "我", "不知道", "你", "怎么", "想", "谢谢", "消息", "已经",
                "发送", "了", "请", "确认", "一下", "北京", "明天", "见", "文件", "（可能）", "“好的”", "3点",
                "直", "骨", "没有", "问题",
            ]
        case .arabic:
            [
                "مرحبا", "كيف", "حالك", "اليوم", "الاجتماع", "في", "الساعة", "الثالثة", "شكرا",
                "جزيلا", "لا", "أعرف", "الرسالة", "وصلت", "من", "فضلك", "تأكيد", "غدا", "إن",
                "شاء", "الله", "السلام", "عليكم", "١٢٣", "نعم", "الإلكتروني", "بالتأكيد", "مُحَمَّد",
            ]
        case .hebrew:
            [
                "שלום", "מה", "שלומך", "היום", "הפגישה", "בשעה", "שלוש", "תודה", "רבה", "אני",
                "לא", "יודע", "ההודעה", "נשלחה", "בבקשה", "לאשר", "מחר", "להתראות", "כן", "12:30",
                "ירושלים", "שָׁלוֹם", "בסדר", "גמור",
            ]
        case .hindi:
            [
                "नमस्ते", "आज", "बैठक", "तीन", "बजे", "है", "मुझे", "नहीं", "पता", "धन्यवाद",
                "संदेश", "भेज", "दिया", "कृपया", "पुष्टि", "करें", "कल", "मिलते", "हैं", "क्षत्रिय",
                "विद्यार्थी", "प्रश्न", "श्रीमान", "कार्यालय", "ठीक", "हिन्दी",
            ]
        case .thai:
            [
                "สวัสดี", "วันนี้", "ประชุม", "ตอน", "บ่าย", "สาม", "โมง", "ขอบคุณ", "มาก", "ไม่",
                "ทราบ", "ข้อความ", "ส่ง", "แล้ว", "กรุณา", "ยืนยัน", "พรุ่งนี้", "เจอกัน", "น้ำ", "ภาษาไทย",
                "กำลัง", "ทำงาน",
            ]
        case .emoji:
            [
                "😀", "👍🏽", "👨‍👩‍👧", "🇰🇷", "1️⃣", "❤️", "🎉🎉🎉", "🏳️‍🌈", "☺", "ok", "👩🏾‍💻", "✌️",
                "🙏", "great", "🔥",
            ]
        case .mixed: []
        }
    }
}
