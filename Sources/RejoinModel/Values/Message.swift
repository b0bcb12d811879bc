public import RejoinTime

/// One message as the server has it.
public struct Message: Hashable, Sendable {
    /// Its place in the room's order.
    public let id: MessageID
    /// Who wrote it. ``RoomSnapshot/members`` holds names and pictures.
    public let author: UserID
    /// The key that its sender chose, where the server hands it on.
    public let clientID: ClientMessageID?
    /// When the server took it; for people to read, never for ordering.
    public let sentAt: WallTime
    /// What it holds. Empty in a tombstone.
    public var content: [ContentBlock]
    /// The room's revision when this state came to be; `nil` where the backend has none.
    public var revision: Revision?
    /// When it was last edited.
    public var editedAt: WallTime?
    /// Whether it was deleted: the tombstone keeps its place and has no content.
    public var isDeleted: Bool
    /// Reactions in the server's order.
    public var reactions: [Reaction]

    /// Creates a message.
    public init(
        id: MessageID, author: UserID, clientID: ClientMessageID? = nil, sentAt: WallTime,
        content: [ContentBlock], revision: Revision? = nil, editedAt: WallTime? = nil,
        isDeleted: Bool = false, reactions: [Reaction] = []
    ) {
        self.id = id
        self.author = author
        self.clientID = clientID
        self.sentAt = sentAt
        self.content = content
        self.revision = revision
        self.editedAt = editedAt
        self.isDeleted = isDeleted
        self.reactions = reactions
    }

    /// The text of all text blocks, joined by line feeds.
    ///
    /// - Complexity: O(length of the text).
    public var text: String {
        content.lazy.compactMap { if case .text(let text) = $0 { text } else { nil } }
            .joined(separator: "\n")
    }
}

/// One emoji and who reacted with it.
public struct Reaction: Hashable, Sendable {
    /// The emoji, as the server spells it.
    public let emoji: String
    /// Who reacted, in the server's order, without repeats.
    public var users: [UserID]

    /// Creates a reaction.
    public init(emoji: String, users: [UserID]) {
        self.emoji = emoji
        self.users = users
    }
}

/// A person of a room. A higher version replaces a lower one.
public struct Member: Hashable, Sendable {
    /// Who it is.
    public let id: UserID
    /// The name to show.
    public var name: String
    /// The address of a picture.
    public var avatar: String?
    /// Raised by the server with each change of this member.
    public var version: UInt64

    /// Creates a member.
    public init(id: UserID, name: String, avatar: String? = nil, version: UInt64 = 0) {
        self.id = id
        self.name = name
        self.avatar = avatar
        self.version = version
    }
}
