/// What a list must find a row by: what it is, told apart no finer than that.
public enum TimelineRowKind: UInt8, Hashable, Sendable {
    /// Something that moves with its neighbours and is not counted: a gap, the unread divider,
    /// people typing.
    case other
    /// A date header, which sticks to the upper edge.
    case header
    /// A message, sent or not.
    case message
}

/// What a stretch of rows amounts to.
struct RowSum: Hashable, Sendable {
    /// Their heights together, in device pixels.
    var extent: Int64 = 0
    /// How many there are.
    var count: Int32 = 0
    /// How many of them are headers.
    var headers: Int32 = 0
    /// How many of them are messages.
    var messages: Int32 = 0

    static let zero = RowSum()

    init() {}

    init(extent: Int32, kind: TimelineRowKind) {
        self.extent = Int64(extent)
        count = 1
        headers = kind == .header ? 1 : 0
        messages = kind == .message ? 1 : 0
    }

    static func + (lhs: RowSum, rhs: RowSum) -> RowSum {
        var sum = lhs
        sum += rhs
        return sum
    }

    static func += (lhs: inout RowSum, rhs: RowSum) {
        lhs.extent &+= rhs.extent
        lhs.count &+= rhs.count
        lhs.headers &+= rhs.headers
        lhs.messages &+= rhs.messages
    }

    static func -= (lhs: inout RowSum, rhs: RowSum) {
        lhs.extent &-= rhs.extent
        lhs.count &-= rhs.count
        lhs.headers &-= rhs.headers
        lhs.messages &-= rhs.messages
    }
}
