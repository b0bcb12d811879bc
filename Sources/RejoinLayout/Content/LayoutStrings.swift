/// Every text that the module shows by itself. A host replaces them by its own language's; words in
/// braces stand for what is filled in.
public struct LayoutStrings: Hashable, Sendable {
    /// In place of a deleted message.
    public var deleted = "This message was deleted"
    /// In place of content that only a newer module knows, and where a message has none.
    public var unsupported = "This content can't be shown by this version"
    /// Beside the time of an edited message: `{time}`.
    public var edited = "edited {time}"
    /// In place of a name that is not known; for a member whose name shows nothing, their ID.
    public var unknownPerson = "Unknown"
    /// Where oneself is named.
    public var you = "You"

    /// A picture, read out.
    public var photo = "Photo"
    /// A film, read out.
    public var video = "Video"
    /// A sound without a name.
    public var audio = "Voice message"
    /// A file without a name.
    public var file = "File"
    /// A page without a title and an address.
    public var link = "Link"
    /// More pictures than are shown: `{count}`. It begins with a mark that keeps the sign before
    /// the number where the app is read from the right.
    public var more = "\u{200E}+{count}"
    /// A call: its title.
    public var call = "Call"
    /// A call that nobody answered.
    public var missedCall = "Missed call"
    /// A quote, read out: `{name}`, `{text}`.
    public var quoted = "In reply to {name}: {text}"
    /// Units of a file's size, from bytes on, each a thousand of the one before.
    public var byteUnits = ["B", "kB", "MB", "GB", "TB"]

    /// The current day.
    public var today = "Today"
    /// The day before.
    public var yesterday = "Yesterday"
    /// Above the first unread message.
    public var unread = "New messages"
    /// One person is typing: `{name}`.
    public var typingOne = "{name} is typing…"
    /// Two people are typing: `{first}`, `{second}`.
    public var typingTwo = "{first} and {second} are typing…"
    /// More people are typing.
    public var typingMany = "Several people are typing…"

    /// History is missing and can be had.
    public var gapKnown = "Messages not loaded"
    /// History is being fetched.
    public var gapFilling = "Loading messages…"
    /// A fetch failed.
    public var gapFailed = "Could not load messages"
    /// History cannot be had any more.
    public var gapUnrecoverable = "Older messages are no longer available"

    /// It waits to be sent, read out.
    public var queued = "Waiting to be sent"
    /// It is being sent, read out.
    public var sending = "Sending"
    /// The server has it, read out.
    public var sent = "Sent"
    /// It was not sent.
    public var failed = "Not sent. Tap to try again."
    /// It may have been sent.
    public var unconfirmed = "May not have been sent. Tap to decide."
    /// An edit did not reach the server.
    public var editFailed = "Edit not saved. Tap to try again."
    /// A deletion did not reach the server.
    public var deletionFailed = "Not deleted. Tap to try again."
    /// A reaction did not reach the server.
    public var reactionFailed = "Reaction not saved. Tap to try again."
    /// The server may have a change.
    public var changeUnconfirmed = "A change may not have been saved. Tap to decide."

    /// A message, read out: `{name}`, `{time}`.
    public var message = "{name}, {time}"
    /// A reaction, read out: `{emoji}`, `{count}`.
    public var reaction = "{emoji}, {count}"

    /// Creates the English texts.
    public init() {}

    /// The English texts.
    public static let english = LayoutStrings()

    /// A text with words filled in; braces inside what is filled in stay as they are.
    static func fill(_ template: String, _ words: [String: String]) -> String {
        guard template.contains("{") else { return template }
        var filled = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            filled += words[name] ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }
}
