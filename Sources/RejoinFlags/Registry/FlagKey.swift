/// A flag that the code knows by name: its place in the catalogue, its type, and what the code
/// does without flags. Generated from a flags file, or written by hand for a few.
///
/// ```swift
/// enum Flags {
///     static let fastScroll = FlagKey("fast-scroll", at: 0, default: false)
///     static let pipeline = FlagKey("message-pipeline", at: 1, default: "legacy")
///     static let catalogue = FlagCatalogue([fastScroll.declaration, pipeline.declaration])
/// }
/// ```
public struct FlagKey<Value: FlagType>: Hashable, Sendable {
    /// The key in the file; compared by bytes.
    public let name: String
    /// The place in the catalogue.
    public let index: Int
    /// What the code does without flags.
    public let codeDefault: Value

    /// Creates a key.
    public init(_ name: String, at index: Int, default codeDefault: Value) {
        self.name = name
        self.index = index
        self.codeDefault = codeDefault
    }

    /// The key without its type, for the catalogue.
    public var declaration: FlagDeclaration {
        FlagDeclaration(name: name, index: index, codeDefault: codeDefault.flagValue, Value.kind)
    }
}

/// A ``FlagKey`` without its type.
public struct FlagDeclaration: Hashable, Sendable {
    /// The key in the file.
    public let name: String
    /// The place in the catalogue.
    public let index: Int
    /// What the code does without flags.
    public let codeDefault: FlagValue
    /// The type that the code asks for.
    public let kind: FlagKind

    init(name: String, index: Int, codeDefault: FlagValue, _ kind: FlagKind) {
        self.name = name
        self.index = index
        self.codeDefault = codeDefault
        self.kind = kind
    }
}

/// The flags that the code knows, so that a check of one of them is the read of an array and not
/// the search for a text.
public struct FlagCatalogue: Sendable {
    /// The declarations; each stands at its index.
    public let declarations: [FlagDeclaration]

    /// Creates a catalogue.
    ///
    /// Traps where a declaration does not stand at its index, or a name stands twice: that is a
    /// mistake in the code, which every later check would answer with another flag's value.
    public init(_ declarations: [FlagDeclaration]) {
        for (index, declaration) in declarations.enumerated() {
            precondition(
                declaration.index == index,
                "flag '\(declaration.name)' stands at \(index) and says \(declaration.index)")
        }
        precondition(
            Set(declarations.map { ByteKey($0.name) }).count == declarations.count,
            "a flag stands twice in the catalogue")
        self.declarations = declarations
    }

    /// No flags: everything is looked up by name.
    public static let empty = FlagCatalogue([])
}
