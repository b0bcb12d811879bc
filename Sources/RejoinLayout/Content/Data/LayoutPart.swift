public import RejoinModel

/// One part of a row: a bubble, a text, a picture, a reaction.
public struct LayoutPart: Hashable, Sendable {
    /// What a part is.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// What holds a message.
        case bubble
        /// The picture of a person, at an address where they have one.
        indirect case avatar(UserID, url: String?)
        /// A text.
        case text(TextRole)
        /// A picture of a message.
        indirect case image(Media)
        /// The picture that stands for a film.
        indirect case video(Media)
        /// What holds the parts of a block.
        case card(Card)
        /// A sign.
        case icon(Icon)
        /// The bar beside what is quoted.
        case accent
        /// How far a sound has played.
        case track
        /// What makes a label readable on a picture.
        case scrim
        /// What holds one emoji and how many reacted with it.
        case chip(isOwn: Bool)
        /// A thin line across the row.
        case rule
    }

    /// What a card holds.
    public enum Card: UInt8, Hashable, Sendable, CaseIterable {
        /// A sound.
        case audio
        /// A file.
        case file
        /// The preview of a page.
        case link
        /// An earlier message.
        case quote
        /// A call.
        case call
        /// A kind of content that only newer modules know.
        case unsupported
        /// A day's name.
        case date
        /// History that is not held.
        case gap
        /// A notice of the system.
        case notice
    }

    /// A sign: the drawing chooses its look.
    public enum Icon: UInt8, Hashable, Sendable, CaseIterable {
        /// Plays a film or a sound.
        case play
        /// A file.
        case file
        /// A call.
        case call
        /// A call that nobody answered.
        case missedCall
        /// Content that cannot be shown.
        case unsupported
        /// It waits to be sent.
        case queued
        /// It is being sent.
        case sending
        /// The server has it.
        case sent
        /// It was refused.
        case failed
        /// It may have been sent.
        case unconfirmed
        /// History is missing.
        case gap
        /// Something is being loaded.
        case loading
        /// Somebody is typing.
        case typing
    }

    /// What it is.
    public var kind: Kind
    /// Where it stands in the row.
    public var frame: PixelRect
    /// The part that holds it, by its place among the row's parts; it lies within that one's frame.
    public var parent: Int?
    /// What it shows, where it is a text; the text's frame is the part's.
    public var text: TextLayout?
    /// How round its corners are.
    public var corners: PixelCorners
    /// The block of the message that it belongs to.
    public var block: Int?

    /// Creates a part.
    public init(
        kind: Kind, frame: PixelRect, parent: Int? = nil, text: TextLayout? = nil,
        corners: PixelCorners = .zero, block: Int? = nil
    ) {
        self.kind = kind
        self.frame = frame
        self.parent = parent
        self.text = text
        self.corners = corners
        self.block = block
    }

    /// The baselines of its first and its last line, from the row's upper edge; `nil` where it is
    /// no text.
    public var baselines: (first: Int32, last: Int32)? {
        guard let first = text?.lines.first, let last = text?.lines.last else { return nil }
        return (frame.y + first.top + first.baseline, frame.y + last.top + last.baseline)
    }

    /// A number that follows from the picture's or the person's address, the same everywhere: for
    /// the colour of what stands there until the picture is loaded. 0 for other parts.
    ///
    /// - Complexity: linear in the address.
    public var placeholderSeed: UInt64 {
        let name: String
        switch kind {
        case .image(let media), .video(let media): name = media.url
        case .avatar(let user, _): name = user.rawValue
        case .bubble, .text, .card, .icon, .accent, .track, .scrim, .chip, .rule: return 0
        }
        // FNV-1a, 64 bits.
        return name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Whether it is a text of the message itself.
    var isBody: Bool { kind == .text(.body) }
}

/// How round the corners of a frame are, in device pixels. Left and right are those of the screen.
public struct PixelCorners: Hashable, Sendable {
    /// The upper left one.
    public var topLeft: Int32
    /// The upper right one.
    public var topRight: Int32
    /// The lower left one.
    public var bottomLeft: Int32
    /// The lower right one.
    public var bottomRight: Int32

    /// Creates corners.
    public init(topLeft: Int32, topRight: Int32, bottomLeft: Int32, bottomRight: Int32) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomLeft = bottomLeft
        self.bottomRight = bottomRight
    }

    /// Four of the same.
    public init(_ radius: Int32) {
        self.init(topLeft: radius, topRight: radius, bottomLeft: radius, bottomRight: radius)
    }

    /// Sharp ones.
    public static let zero = PixelCorners(0)

    /// As seen in a mirror.
    public var mirrored: PixelCorners {
        PixelCorners(
            topLeft: topRight, topRight: topLeft, bottomLeft: bottomRight, bottomRight: bottomLeft)
    }
}

/// What a text is for: it decides its size and weight here, and its colour where it is drawn.
public enum TextRole: UInt8, Hashable, Sendable, CaseIterable {
    /// What people wrote.
    case body
    /// The name above a message.
    case name
    /// The time below it.
    case caption
    /// The first line of a card.
    case title
    /// What stands below a card's title.
    case detail
    /// What is quoted.
    case quote
    /// What the system says, and what stands for content that is not there.
    case notice
    /// That something failed.
    case failure
    /// A reaction.
    case chip
    /// The name of a day.
    case header
    /// A label on a picture.
    case badge
    /// The words beside the line above what is unread.
    case divider
    /// What stands for a person's picture; its size is the picture's, whatever the type size.
    case initial
}
