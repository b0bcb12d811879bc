/// Texts with what a strict reader makes of them. Written for this project; the classes follow the
/// well-known test suites of JSON parsers.
package enum JSONVectors {
    /// A value with every construct, for truncations and changed bytes.
    package static let sample = #"""
        { "a": [1, -0, 2.5e-3, 1E+2, true, false, null], "b\n\u00e9": {"ключ": "값 \ud83d\ude00 \\\"" },
          "c": [[], {}, [{"d": ""}]], "🙂": 340282366920938463463374607431768211455 }
        """#

    /// Valid texts and their compact form.
    package static let accepted: [(text: String, compact: String)] = [
        ("null", "null"), ("true", "true"), ("false", "false"),
        ("0", "0"), ("-0", "-0"), ("-1", "-1"), ("1.0", "1.0"), ("1e9999", "1e9999"),
        ("0.1e+1", "0.1e+1"), ("123E-05", "123E-05"), ("-0.0E0", "-0.0E0"),
        (
            "100000000000000000000000000000000000000000",
            "100000000000000000000000000000000000000000"
        ),
        (#""""#, #""""#), (#""a""#, #""a""#), (#""\u0061""#, #""a""#), (#""\/""#, #""/""#),
        (#""\"\\\b\f\n\r\t""#, #""\"\\\b\f\n\r\t""#), (#""\u0000\u001F""#, #""\u0000\u001f""#),
        (#""\u20AC\u20ac""#, #""€€""#), (#""\uD83D\uDE00""#, #""😀""#),
        (#""\uDBFF\uDFFF""#, "\"\u{10FFFF}\""), ("\"\u{7F}\u{2028}\"", "\"\u{7F}\u{2028}\""),
        (#""\\u0061""#, #""\\u0061""#), (#""\uFFFE\uFEFF""#, "\"\u{FFFE}\u{FEFF}\""),
        ("\"0123456789\u{e9}\"", "\"0123456789\u{e9}\""),
        ("[]", "[]"), ("[ ]", "[]"), ("[1,2]", "[1,2]"), (" [ 1 , [ 2 ] ] \n", "[1,[2]]"),
        ("[[[[[[[[[[]]]]]]]]]]", "[[[[[[[[[[]]]]]]]]]]"),
        ("{}", "{}"), ("{ }", "{}"), (#"{"":0}"#, #"{"":0}"#),
        (#"{"b":1,"a":2}"#, #"{"b":1,"a":2}"#),
        (#"{ "a" : { "b" : [ ] } }"#, #"{"a":{"b":[]}}"#), (#"{"\u0061b":1}"#, #"{"ab":1}"#),
        ("\t\r\n 1 \t\r\n", "1"), (#"["  a  ",  1]"#, #"["  a  ",1]"#),
        (#"["12345678","1234567\"","123456\n8"]"#, #"["12345678","1234567\"","123456\n8"]"#),
    ]

    /// Texts that are no JSON, and what they are.
    package static let refused: [(bytes: [UInt8], what: String)] =
        refusedTexts.map { (Array($0.0.utf8), $0.1) } + refusedBytes

    private static let refusedTexts: [(String, String)] = [
        ("", "an empty text"), (" ", "white space alone"), ("nul", "a cut word"),
        ("nulll", "a longer word"), ("True", "a capital word"), ("undefined", "a foreign word"),
        ("NaN", "NaN"), ("Infinity", "Infinity"), ("-Infinity", "-Infinity"),
        ("'a'", "apostrophes"),
        ("+1", "a plus sign"), ("01", "a leading zero"), ("-01", "a leading zero after a sign"),
        ("00", "two zeros"), ("-", "a sign alone"), ("--1", "two signs"), ("1.", "no fraction"),
        (".5", "no whole part"), ("1.e1", "a point before an exponent"), ("1e", "no exponent"),
        ("1e+", "a sign without exponent"), ("1e1.5", "a fraction in the exponent"),
        ("0x10", "hexadecimal"), ("1_000", "a separator"), ("1 2", "two values"),
        ("１", "a digit of another script"), ("[1 2]", "a missing comma"),
        ("[1,]", "a comma before ]"), ("[,1]", "a comma after ["), ("[,]", "a comma alone"),
        ("[1,,2]", "two commas"), ("[", "an open array"), ("]", "a closing bracket"),
        ("[1", "an open array after a value"), ("[1,", "an open array after a comma"),
        ("[1}", "a wrong bracket"), ("[]]", "one bracket too many"), ("[]x", "trailing data"),
        ("{", "an open object"), ("}", "a closing brace"), (#"{"a"}"#, "a key without a value"),
        (#"{"a":}"#, "a colon without a value"), (#"{"a":1,}"#, "a comma before }"),
        (#"{,"a":1}"#, "a comma after {"), (#"{"a" 1}"#, "a missing colon"),
        (#"{"a"::1}"#, "two colons"), (#"{"a":1 "b":2}"#, "a missing comma between members"),
        (#"{"a":1,,"b":2}"#, "two commas between members"), ("{a:1}", "a key without quotes"),
        ("{'a':1}", "a key in apostrophes"), ("{1:1}", "a number as key"),
        ("{null:1}", "null as key"), (#"{"a":1]"#, "a wrong bracket at the end of an object"),
        (#"{"a":1}}"#, "one brace too many"), (#"{"a":1}/**/"#, "a comment"),
        ("// a\n1", "a line comment"), (#""a"#, "an open string"), (#"""#, "a quotation mark"),
        (#""\"#, "an escape cut off"), (#""\""#, "an escaped end"),
        (#""\x41""#, "an unknown escape"),
        (#""\'""#, "an escaped apostrophe"), (#""\U0041""#, "a capital U"),
        (#""\u""#, "no digits"), (#""\u00A""#, "three digits"), (#""\u00G0""#, "no hexadecimal"),
        (#""\u 041""#, "a space among the digits"), (#""\uD800""#, "a lone high surrogate"),
        (#""\uDC00""#, "a lone low surrogate"), (#""\uD800\u0041""#, "half a pair"),
        (#""\uD800\uD800""#, "two high surrogates"), (#""\uD83Dx""#, "half a pair before a letter"),
        (#""\uD83D\"#, "half a pair before the end"), (#""\uD83D\u""#, "half a pair, no digits"),
        ("\"a\nb\"", "a line feed in a string"), ("\"\t\"", "a tab in a string"),
        ("\"\u{0}\"", "NUL in a string"), ("\"0123456789\u{1F}\"", "a control character"),
        ("\u{FEFF}1", "a byte order mark"), ("\u{A0}1", "a no-break space"),
        ("\u{0B}1", "a vertical tab"), ("1\u{0}", "NUL after the value"),
    ]

    private static let refusedBytes: [([UInt8], String)] = [
        ([0x22, 0x80, 0x22], "a continuation byte alone"),
        ([0x22, 0xC3, 0x22], "a sequence cut by the end of the string"),
        ([0x22, 0xC3, 0x28, 0x22], "a sequence cut by a letter"),
        ([0x22, 0xC0, 0xAF, 0x22], "an overlong slash"),
        ([0x22, 0xE0, 0x80, 0xAF, 0x22], "an overlong slash of three bytes"),
        ([0x22, 0xF0, 0x80, 0x80, 0xAF, 0x22], "an overlong slash of four bytes"),
        ([0x22, 0xED, 0xA0, 0x80, 0x22], "a surrogate in UTF-8"),
        ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], "a scalar above U+10FFFF"),
        ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], "an impossible lead byte"),
        ([0x22, 0xFF, 0x22], "0xFF"),
        ([0x22, 0x5C, 0xFF, 0x22], "0xFF after a backslash"),
        ([0x22, 0x5C, 0x6E, 0xFF, 0x22], "0xFF beside an escape"),
        ([0x22, 0xE2, 0x82, 0xAC, 0xE2, 0x82], "a text that ends in a sequence"),
        ([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], "0xFF in a key"),
        ([0x5B, 0xFF, 0x5D], "0xFF outside a string"),
        ([0xFF, 0xFE, 0x31, 0x00], "UTF-16"),
        ([0x00], "NUL"),
    ]
}
