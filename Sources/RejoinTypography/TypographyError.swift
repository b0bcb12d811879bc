/// Why text could not be measured or drawn.
public struct TypographyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, to switch over.
    public enum Code: Hashable, Sendable {
        /// Fonts that the layout is pinned to are not installed.
        case fontsMissing
        /// The font library refused its configuration.
        case configurationRefused
        /// A picture of this size cannot be made.
        case pictureTooLarge
        /// A picture could not be written.
        case pictureNotWritten
    }

    /// What went wrong.
    public let code: Code
    /// What happened and what to do, for the person who runs the program.
    public let description: String
    /// The families that are missing, in the order of ``PinnedFonts``; empty for other codes.
    public let missingFamilies: [String]

    /// Creates an error.
    public init(code: Code, description: String, missingFamilies: [String] = []) {
        self.code = code
        self.description = description
        self.missingFamilies = missingFamilies
    }
}
