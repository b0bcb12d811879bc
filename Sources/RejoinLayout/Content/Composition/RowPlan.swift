import RejoinModel

/// What a row shows, with everything resolved that the layout does not decide: names, times, the
/// module's own words, the ratios of pictures. Equal plans have equal layouts in one environment.
struct RowPlan: Hashable, Sendable {
    /// How the parts stand together.
    enum Form: Hashable, Sendable {
        /// In a bubble, with what belongs below it.
        case message
        /// One part in the middle.
        case centered
        /// A line across with words in it.
        case divider
    }

    var form: Form
    var side: LayoutData.Side
    var group: GroupPosition = .single
    /// The author's picture, where one may stand.
    var avatar: PartInput?
    /// What stands in the bubble, from top to bottom; or the part in the middle.
    var inside: [PartInput]
    /// What stands below the bubble.
    var below: [PartInput] = []
    /// What is read of the row as a whole; empty: nothing.
    var summary = ""

    /// A row of one part in the middle.
    static func centered(_ part: PartInput) -> RowPlan {
        RowPlan(form: .centered, side: .center, inside: [part])
    }

    /// All parts; the picture comes last.
    var parts: [PartInput] { inside + below + (avatar.map { [$0] } ?? []) }
}

/// What one part of a row is made of: the key by which a part is found again.
enum PartInput: Hashable, Sendable {
    /// The author's name.
    case name(String)
    /// A text of the message.
    case body(String, block: Int)
    /// Pictures and films that follow each other.
    case album([AlbumTile], block: Int)
    /// A sign with a title and something below it.
    case card(LayoutPart.Card, LayoutPart.Icon, title: String, detail: String, block: Int)
    /// A sound that is played.
    case sound(title: String, detail: String, block: Int)
    /// The preview of a page.
    case link(LinkPreview, host: String, block: Int)
    /// An earlier message.
    case quote(author: String, text: String, spoken: String, block: Int)
    /// Words of the system within a message.
    case notice(String, block: Int?)
    /// The time and what became of the message.
    case footer(String, icon: LayoutPart.Icon?, spoken: String)
    /// Who reacted with what.
    case reactions([ReactionChip])
    /// That something failed.
    case failure(String, LayoutPart.Icon)
    /// Words in the middle of the row.
    case pill(LayoutPart.Card, String, LayoutPart.Icon?, AccessibilityElement.Role)
    /// The line above what is unread.
    case divider(String)
    /// A person's picture, and what stands for it until it is there.
    case avatar(UserID, url: String?, initial: String)

    /// Inputs of one kind, whose texts may be taken over where an input has changed.
    var kind: Int {
        switch self {
        case .name: 0
        case .body(_, let block): 16 + block
        case .album: 1
        case .card: 2
        case .sound: 3
        case .link: 4
        case .quote: 5
        case .notice: 6
        case .footer: 7
        case .reactions: 8
        case .failure: 9
        case .pill: 10
        case .divider: 11
        case .avatar: 12
        }
    }

    /// Whether it takes the whole width that a bubble with pictures or cards has.
    var isFlush: Bool {
        switch self {
        case .album, .card, .sound, .link: true
        case .name, .body, .quote, .notice, .footer, .reactions, .failure, .pill, .divider,
            .avatar:
            false
        }
    }
}

/// One picture of an album.
struct AlbumTile: Hashable, Sendable {
    var media: Media
    var isVideo: Bool
    /// Width by height.
    var ratio: Double
    /// What is read out.
    var spoken: String
    /// How long it plays, in words.
    var duration: String?
    /// How many more there are, in words; on the last tile only.
    var more: String?
    var block: Int
}

/// One reaction.
struct ReactionChip: Hashable, Sendable {
    var text: String
    var spoken: String
    var isOwn: Bool
}
