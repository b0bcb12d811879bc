/// The distances of a message's composition, in points at scale 1, and the sizes of its types.
/// Distances do not grow with the type size, texts and what stands on their lines do.
public struct ContentMeasures: Hashable, Sendable {
    /// From the edge of the list to what stands in it.
    public var margin: Int32 = 12
    /// A person's picture, on each side.
    public var avatar: Int32 = 32
    /// Between a person's picture and the bubble.
    public var avatarGap: Int32 = 8
    /// How much of the room beside the pictures a bubble takes at most, in percent.
    public var bubbleShare: Int32 = 86
    /// How wide a bubble is at most, whatever the list's width.
    public var bubbleLimit: Int32 = 560
    /// How wide a bubble with pictures or cards is at most.
    public var cardLimit: Int32 = 300
    /// From the bubble's sides to its text.
    public var textInset: Int32 = 12
    /// From the bubble's upper and lower edge to its text.
    public var textRise: Int32 = 7
    /// From the bubble's edges to pictures and cards.
    public var flushInset: Int32 = 4
    /// Between two blocks of a message.
    public var blockGap: Int32 = 6
    /// Above a message that goes on with a run of its author.
    public var joinedGap: Int32 = 2
    /// Above any other row.
    public var rowGap: Int32 = 10
    /// How round a bubble is.
    public var bubbleRadius: Int32 = 17
    /// How round it is where it joins the next one of a run.
    public var joinedRadius: Int32 = 5
    /// How round pictures and cards are.
    public var cardRadius: Int32 = 13
    /// From the edges of a card to what it holds.
    public var cardInset: Int32 = 10
    /// The sign of a card, on each side.
    public var icon: Int32 = 36
    /// The bar beside a quote.
    public var accent: Int32 = 3
    /// Between the pictures of an album.
    public var tileGap: Int32 = 2
    /// The least and the greatest height of a picture.
    public var pictureHeights: ClosedRange<Int32> = 72...360
    /// How many pictures of an album are shown; the last one says how many more there are.
    public var albumLimit = 9
    /// Between a text and the time beside it.
    public var footerGap: Int32 = 8
    /// From the edges of a reaction to its text.
    public var chipInset: Int32 = 8
    /// Above and below the text of a reaction.
    public var chipRise: Int32 = 4
    /// Between reactions.
    public var chipGap: Int32 = 4
    /// How many bytes of text one message shows, beyond the limit of each text
    /// (``TextPreparer/maximumByteCount``); further texts are left out and an ellipsis tells so. Up
    /// to it the height of a row cannot overflow at any scale and type size.
    public var textLimit = 4 << 20
    /// The least width that rows are composed for; in a narrower list they are cut off.
    public var leastWidth: Int32 = 160

    /// Creates the standard measures.
    public init() {}

    /// The standard measures.
    public static let standard = ContentMeasures()

    /// The size in points, and the traits, of a text's font.
    func font(of role: TextRole) -> (points: Int32, isBold: Bool, isItalic: Bool) {
        switch role {
        case .body: (16, false, false)
        case .name: (13, true, false)
        case .caption: (11, false, false)
        case .title: (14, true, false)
        case .detail: (12, false, false)
        case .quote: (14, false, false)
        case .notice: (13, false, true)
        case .failure: (12, false, false)
        case .chip: (13, false, false)
        case .header: (12, true, false)
        case .badge: (12, true, false)
        case .divider: (12, true, false)
        case .initial: (14, true, false)
        }
    }
}
