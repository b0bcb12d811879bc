/// One part of a message. A message may hold any number of parts of any kinds.
///
/// New kinds may come with a newer module, so a `switch` in a host needs `@unknown default`. A kind
/// that only a newer *server* knows arrives as ``custom(type:payload:)`` and is shown as
/// unsupported, never dropped.
@nonexhaustive
public enum ContentBlock: Hashable, Sendable {
    /// Plain text.
    case text(String)
    /// A picture.
    case image(Media)
    /// A film.
    case video(Media)
    /// A sound.
    case audio(Media)
    /// Any other file.
    case file(Media)
    /// The preview of a page.
    case linkPreview(LinkPreview)
    /// An earlier message, quoted.
    case quote(Quote)
    /// A call that took place or was missed.
    case callRecord(CallRecord)
    /// A notice of the system, such as "Ann joined".
    case systemNotice(String)
    /// A kind that this module does not know, kept as it came. `payload` is JSON in UTF-8.
    case custom(type: String, payload: String)
}

/// A picture, film, sound or file that lies on a server.
public struct Media: Hashable, Sendable {
    /// Where it lies.
    public var url: String
    /// Its name.
    public var name: String?
    /// Its media type.
    public var type: String?
    /// Its size in bytes.
    public var byteCount: Int64?
    /// Width in pixels.
    public var width: Int?
    /// Height in pixels.
    public var height: Int?
    /// How long it plays, in milliseconds.
    public var durationMilliseconds: Int64?

    /// Creates a reference to a file.
    public init(
        url: String, name: String? = nil, type: String? = nil, byteCount: Int64? = nil,
        width: Int? = nil, height: Int? = nil, durationMilliseconds: Int64? = nil
    ) {
        self.url = url
        self.name = name
        self.type = type
        self.byteCount = byteCount
        self.width = width
        self.height = height
        self.durationMilliseconds = durationMilliseconds
    }
}

/// The preview of a page.
public struct LinkPreview: Hashable, Sendable {
    /// The page.
    public var url: String
    /// Its title.
    public var title: String?
    /// Its summary.
    public var summary: String?
    /// A picture of it.
    public var image: Media?

    /// Creates a preview.
    public init(url: String, title: String? = nil, summary: String? = nil, image: Media? = nil) {
        self.url = url
        self.title = title
        self.summary = summary
        self.image = image
    }
}

/// An earlier message, quoted.
public struct Quote: Hashable, Sendable {
    /// The quoted message.
    public var message: MessageID
    /// Who wrote it.
    public var author: UserID
    /// An excerpt, for when the message itself is not held.
    public var excerpt: String

    /// Creates a quote.
    public init(message: MessageID, author: UserID, excerpt: String) {
        self.message = message
        self.author = author
        self.excerpt = excerpt
    }
}

/// A call.
public struct CallRecord: Hashable, Sendable {
    /// Whether nobody answered.
    public var missed: Bool
    /// How long it lasted, in milliseconds.
    public var durationMilliseconds: Int64?

    /// Creates a record.
    public init(missed: Bool, durationMilliseconds: Int64? = nil) {
        self.missed = missed
        self.durationMilliseconds = durationMilliseconds
    }
}
