public import RejoinModel

/// The seam that decides which pipeline serves a room. It is asked once per room session: from
/// opening to closing a room, each return to the foreground starting a new one.
public protocol PipelineSelector: Sendable {
    /// The choice for one room session. Answers at once and never fails: a selector that cannot
    /// evaluate says so in the reason and gives the default named in code.
    func selection(for context: SelectionContext) -> PipelineSelection
}

/// What a selector may look at.
public struct SelectionContext: Hashable, Sendable {
    /// The person.
    public var user: UserID
    /// The room.
    public var room: RoomID
    /// The host product, such as `team-messenger`.
    public var hostProduct: String
    /// The host's version.
    public var appVersion: String

    /// Creates a context.
    public init(user: UserID, room: RoomID, hostProduct: String, appVersion: String) {
        self.user = user
        self.room = room
        self.hostProduct = hostProduct
        self.appVersion = appVersion
    }
}

/// A selector's choice.
public struct PipelineSelection: Hashable, Sendable {
    /// The pipeline.
    public var variant: PipelineVariant
    /// Why, for the log: the OpenFeature reason where a flag decided.
    public var reason: String

    /// Creates a choice.
    public init(_ variant: PipelineVariant, reason: String) {
        self.variant = variant
        self.reason = reason
    }

    /// Whether this choice, made while `current` serves, takes effect at the next message boundary.
    /// A change away from the refactored pipeline is a rollback and must not wait for the person to
    /// leave the room; any other change is a ramp and waits for the next room session.
    func isRollback(from current: PipelineVariant) -> Bool {
        current == .refactored && variant != .refactored
    }
}

/// A choice that never changes.
public struct FixedPipelineSelector: PipelineSelector {
    private let selection: PipelineSelection

    /// Chooses `variant` for every room.
    public init(_ variant: PipelineVariant) {
        selection = PipelineSelection(variant, reason: "STATIC")
    }

    public func selection(for context: SelectionContext) -> PipelineSelection {
        selection
    }
}
