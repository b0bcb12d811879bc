/// Names of a flags file as Swift names: `message-pipeline` as `messagePipeline`.
enum SwiftName {
    /// Names that mean something else in the types that are generated.
    private static let takenByFlags = ["catalogue", "init", "self", "Type", "Protocol"]
    private static let takenByVariants = [
        "allCases", "kind", "flagValue", "rawValue", "hashValue", "init", "self", "Type",
        "Protocol",
    ]

    /// The name of a flag's key; `nil` where nothing in it can stand in a Swift name.
    static func flag(_ key: String) -> String? {
        camelCase(key).map { takenByFlags.contains($0) ? "\($0)Flag" : $0 }
    }

    /// The name of a variant's case; `nil` where nothing in it can stand in a Swift name.
    static func variant(_ name: String) -> String? {
        camelCase(name).map { takenByVariants.contains($0) ? "\($0)Variant" : $0 }
    }

    /// The name of the type of a flag's variants.
    static func variants(ofFlagNamed name: String) -> String {
        "\(name.prefix(1).uppercased())\(name.dropFirst())Variant"
    }

    /// The name as it must be written where it is declared.
    static func declared(_ name: String) -> String {
        keywords.contains(name) ? "`\(name)`" : name
    }

    private static func camelCase(_ text: String) -> String? {
        let words = text.unicodeScalars.split { scalar in
            scalar == "_" || !scalar.properties.isXIDContinue
        }.map(String.init)
        guard let first = words.first, let head = first.unicodeScalars.first else { return nil }
        let rest = words.dropFirst().map { "\($0.prefix(1).uppercased())\($0.dropFirst())" }
        let name = ([lowered(first)] + rest).joined()
        return head.properties.isXIDStart ? name : "_\(name)"
    }

    /// `FastScroll` as `fastScroll`, `URL` as `url`.
    private static func lowered(_ word: String) -> String {
        word == word.uppercased()
            ? word.lowercased() : "\(word.prefix(1).lowercased())\(word.dropFirst())"
    }

    /// Words that Swift reserves in declarations (The Swift Programming Language, "Keywords and
    /// Punctuation").
    private static let keywords: Set<String> = [
        "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class",
        "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
        "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal",
        "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch",
        "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    /// A text as a Swift string literal of the same bytes. What is not plain ASCII is escaped: a
    /// name that turns the direction of the text must not turn that of the source.
    static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case " "..."~": literal.unicodeScalars.append(scalar)
            default: literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return "\(literal)\""
    }

    /// A text for a comment: on one line, in plain ASCII.
    static func comment(_ text: String) -> String { String(literal(text).dropFirst().dropLast()) }
}
