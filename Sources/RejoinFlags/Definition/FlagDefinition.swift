public import RejoinJSON

/// One flag of a flags file, read, checked and compiled.
public final class FlagDefinition: Sendable {
    /// The flag's key; compare by bytes.
    public let key: String
    /// Whether it is on at all.
    public let state: State
    /// The variants, in the order of the file.
    public let variants: [Variant]
    /// The place of the default variant in ``variants``; `nil` where the flag names none.
    public let defaultVariant: Int?
    /// The metadata of the file overlaid by the flag's own.
    public let metadata: FlagObject
    /// Why the flag is quarantined; `nil` for a sound one.
    public let fault: FlagDiagnostic?
    /// Where its key stands in the file.
    public let location: JSONLocation
    /// The compiled targeting; `nil` where there is none.
    package let targeting: FlagRule?

    package init(
        key: String, state: State, variants: [Variant], defaultVariant: Int?,
        metadata: FlagObject, fault: FlagDiagnostic?, location: JSONLocation, targeting: FlagRule?
    ) {
        self.key = key
        self.state = state
        self.variants = variants
        self.defaultVariant = defaultVariant
        self.metadata = metadata
        self.fault = fault
        self.location = location
        self.targeting = targeting
    }

    /// The two states of a flag.
    public enum State: String, Hashable, Sendable {
        /// Evaluated.
        case enabled = "ENABLED"
        /// The kill switch: the code default, whatever else the flag says.
        case disabled = "DISABLED"
    }

    /// A name and the value for which it stands.
    public struct Variant: Hashable, Sendable {
        /// The name; compare by bytes.
        public let name: String
        /// The value.
        public let value: FlagValue

        /// Creates a variant.
        public init(_ name: String, _ value: FlagValue) {
            self.name = name
            self.value = value
        }

        public static func == (left: Variant, right: Variant) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value == right.value
        }
    }

    /// The variant of this name.
    ///
    /// - Complexity: O(number of variants).
    public func variant(named name: String) -> Variant? {
        variants.first { $0.name.hasSameBytes(as: name) }
    }

    /// Whether evaluations may give something else than those of another definition; where it
    /// stands in the file does not count.
    ///
    /// - Complexity: O(size of the definitions).
    func isSame(as other: FlagDefinition) -> Bool {
        key.hasSameBytes(as: other.key) && state == other.state && variants == other.variants
            && defaultVariant == other.defaultVariant && metadata == other.metadata
            && targeting == other.targeting && fault?.message == other.fault?.message
    }
}
