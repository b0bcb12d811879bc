public import RejoinTime

/// A tester's wish to see a variant for a while, whatever the targeting says. It shows as reason
/// `OVERRIDE`, and the kill switch wins over it.
public struct FlagOverride: Hashable, Sendable {
    /// The flag's key.
    public let flag: String
    /// The name of the variant.
    public let variant: String
    /// When it ends. There is no override without an end: a forgotten one is a bug report that
    /// nobody can explain.
    public let expires: WallTime

    /// Creates an override.
    public init(flag: String, variant: String, expires: WallTime) {
        self.flag = flag
        self.variant = variant
        self.expires = expires
    }

    public static func == (left: FlagOverride, right: FlagOverride) -> Bool {
        left.flag.hasSameBytes(as: right.flag) && left.variant.hasSameBytes(as: right.variant)
            && left.expires == right.expires
    }
}
