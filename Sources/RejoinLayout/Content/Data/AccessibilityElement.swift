/// What assistive technology reads of a row: one stop.
public struct AccessibilityElement: Hashable, Sendable {
    /// What can be done with it, and how it is announced.
    public enum Role: Hashable, Sendable {
        /// A whole message: who wrote it and when.
        case message
        /// A text.
        case text
        /// A picture.
        case image
        /// Something that opens, plays or is tried again.
        case button
        /// A link or a mention in a text: the offset of UTF-8 at which it begins tells which.
        case link(at: Int)
        /// A reaction that can be put or taken back.
        case toggle(isOn: Bool)
        /// A heading between messages.
        case header
        /// What goes on: typing, loading.
        case status
    }

    /// What it is.
    public var role: Role
    /// What is read out.
    public var label: String
    /// Where it stands in the row.
    public var frame: PixelRect
    /// The part that it speaks of.
    public var part: Int

    /// Creates an element.
    public init(role: Role, label: String, frame: PixelRect, part: Int) {
        self.role = role
        self.label = label
        self.frame = frame
        self.part = part
    }
}
