public import Foundation

/// The server's name of a room. Compared by its UTF-8 bytes.
public struct RoomID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name as the server spells it.
    public let rawValue: String

    /// Wraps a server's name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static func == (lhs: RoomID, rhs: RoomID) -> Bool {
        lhs.rawValue.hasSameBytes(as: rhs.rawValue)
    }

    public static func < (lhs: RoomID, rhs: RoomID) -> Bool {
        lhs.rawValue.utf8.lexicographicallyPrecedes(rhs.rawValue.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        rawValue.hashBytes(into: &hasher)
    }
}

/// The server's name of a person. Compared by its UTF-8 bytes.
public struct UserID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The name as the server spells it.
    public let rawValue: String

    /// Wraps a server's name.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static func == (lhs: UserID, rhs: UserID) -> Bool {
        lhs.rawValue.hasSameBytes(as: rhs.rawValue)
    }

    public static func < (lhs: UserID, rhs: UserID) -> Bool {
        lhs.rawValue.utf8.lexicographicallyPrecedes(rhs.rawValue.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        rawValue.hashBytes(into: &hasher)
    }
}

/// A message's place in the server's total order of its room.
///
/// 128 bits hold 64-bit counters, Snowflakes, object IDs, ULIDs and UUIDv7 with their order kept;
/// the wire format says which it is.
public struct MessageID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The ordered value.
    public let rawValue: UInt128

    /// Wraps an ordered value.
    public init(_ rawValue: UInt128) { self.rawValue = rawValue }

    public var description: String { String(rawValue) }

    public static func < (lhs: MessageID, rhs: MessageID) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The idempotency key of a message: chosen once, when the person presses send, and never changed
/// by a retry (promise P5).
public struct ClientMessageID: Hashable, Sendable, CustomStringConvertible {
    /// The key.
    public let rawValue: UUID

    /// Wraps a key; the caller draws it, because cores have no randomness of their own.
    public init(_ rawValue: UUID) { self.rawValue = rawValue }

    public var description: String { rawValue.uuidString.lowercased() }
}

/// A counter, one per room, that the server raises with every change: a message created, edited or
/// deleted, a reaction put or taken back.
public struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The count.
    public let rawValue: UInt64

    /// Wraps a count.
    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The revision that must follow where none is missing.
    public var next: Revision { Revision(rawValue &+ 1) }

    public var description: String { String(rawValue) }

    public static func < (lhs: Revision, rhs: Revision) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// The identity of a row on screen. It stays the same from the local echo to the sent message, so
/// that a list moves the row and does not flicker.
public enum RowID: Hashable, Sendable {
    /// A message that this device did not send in this session.
    case message(MessageID)
    /// A message written on this device, before and after the server took it.
    case local(ClientMessageID)
    /// The gap that ends at this place of the order.
    case gap(through: MessageID)
}

extension String {
    /// Equality of bytes, where `==` would take canonically equal strings for the same name.
    ///
    /// Names are compared with every message that is taken or shown, so native strings are compared
    /// in place, without a copy and many bytes at a time.
    fileprivate func hasSameBytes(as other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        let isSame = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in
                // An empty buffer may have no address; then there is nothing to compare.
                guard let left = left.baseAddress, let start = right.baseAddress else {
                    return true
                }
                return memcmp(left, start, right.count) == 0
            }
        }
        return (isSame ?? nil) ?? left.elementsEqual(right)
    }

    fileprivate func hashBytes(into hasher: inout Hasher) {
        var copy = self
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
