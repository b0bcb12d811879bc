/// Why a flag has the value that it has: OpenFeature's names (specification, types, "resolution
/// details"), and one of our own.
public enum FlagReason: String, Hashable, Sendable {
    /// The flag has no targeting.
    case `static` = "STATIC"
    /// The targeting gave nothing.
    case `default` = "DEFAULT"
    /// The targeting chose the variant. A `fractional` hit has this reason too, as in flagd, which
    /// never says SPLIT.
    case targetingMatch = "TARGETING_MATCH"
    /// The flag's state is `DISABLED`: the kill switch. The value is the code default.
    case disabled = "DISABLED"
    /// Something is wrong, see the error code. The value is the code default.
    case error = "ERROR"
    /// A tester's override is in force. OpenFeature allows reasons of one's own.
    case override = "OVERRIDE"
}

/// What is wrong: OpenFeature's error codes, as far as a local evaluator has use for them.
public enum FlagErrorCode: String, Hashable, Sendable {
    /// No flag has this key.
    case flagNotFound = "FLAG_NOT_FOUND"
    /// The flag's definition is at fault.
    case parseError = "PARSE_ERROR"
    /// The value is of another type than asked for, or does not fit it without loss.
    case typeMismatch = "TYPE_MISMATCH"
    /// The context cannot be read.
    case invalidContext = "INVALID_CONTEXT"
    /// Anything else, such as a targeting that names a variant that does not exist.
    case general = "GENERAL"
}
