public import RejoinJSON

/// What every JSON reader of a host or of this module must take and refuse (RFC 8259).
///
/// - Parameter rewrite: Reads a whole text and writes it again, compact, members in their order;
///   throws where it is no JSON.
public func jsonReaderChecks(
    _ rewrite: @escaping @Sendable (ContiguousArray<UInt8>) throws(JSONError) -> String
) -> [ContractCheck] {
    [
        ContractCheck("json.accepts", promise: "RFC 8259") {
            for (text, expected) in JSONVectors.accepted {
                let rewritten: String
                do throws(JSONError) {
                    rewritten = try rewrite(ContiguousArray(text.utf8))
                } catch {
                    throw ContractFailure(
                        check: "json.accepts", expected: "\(text) to be read", got: inWords(error),
                        whoIsHurt: "a person whose server writes JSON in an unusual, valid way")
                }
                try require(
                    rewritten, equals: expected, "json.accepts",
                    whoIsHurt: "a person who sees another text than was sent")
            }
        },
        ContractCheck("json.refuses", promise: "RFC 8259") {
            for (bytes, what) in JSONVectors.refused {
                try requireRefusal(of: ContiguousArray(bytes), what, by: rewrite)
            }
        },
        ContractCheck("json.refuses-every-truncation", promise: "typed error with its place") {
            let whole = ContiguousArray(JSONVectors.sample.utf8)
            for length in 0..<whole.count {
                try requireRefusal(
                    of: ContiguousArray(whole[..<length]), "the first \(length) bytes of a value",
                    by: rewrite)
            }
        },
        ContractCheck("json.survives-every-changed-byte", promise: "bad input never traps") {
            let whole = ContiguousArray(JSONVectors.sample.utf8)
            for index in whole.indices {
                for byte: UInt8 in [0x00, 0x22, 0x5C, 0x2C, 0x5D, 0x7D, 0x80, 0xED, 0xFF] {
                    var changed = whole
                    changed[index] = byte
                    do throws(JSONError) {
                        _ = try rewrite(changed)
                    } catch {
                        try requirePlace(error, in: changed.count)
                    }
                }
            }
        },
    ]
}

private func requireRefusal(
    of bytes: ContiguousArray<UInt8>, _ what: String,
    by rewrite: (ContiguousArray<UInt8>) throws(JSONError) -> String
) throws(ContractFailure) {
    let rewritten: String
    do throws(JSONError) {
        rewritten = try rewrite(bytes)
    } catch {
        return try requirePlace(error, in: bytes.count)
    }
    throw ContractFailure(
        check: "json.refuses", expected: "an error for \(what)", got: rewritten,
        whoIsHurt: "whoever relies on both sides reading the same text the same way")
}

private func requirePlace(_ error: JSONError, in count: Int) throws(ContractFailure) {
    try require(
        (0...count).contains(error.offset), "json.place", expected: "an offset in the text",
        got: "offset \(error.offset) of \(count)", whoIsHurt: "an engineer who looks for the fault")
}
