import Foundation

// Flag keys, variants and context strings are compared by their UTF-8 bytes. `String` compares by
// canonical equivalence, which would give two users, or two flags, one identity where flagd (and
// every hash) sees two.

extension String {
    /// Whether both hold the same bytes.
    ///
    /// - Complexity: O(length).
    @inline(__always)
    package func hasSameBytes(as other: String) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        // The buffers are used within the closures only.
        let fast = left.withContiguousStorageIfAvailable { left in
            right.withContiguousStorageIfAvailable { right in
                guard let left = left.baseAddress, let other = right.baseAddress else {
                    return true
                }
                return memcmp(left, other, right.count) == 0
            }
        }
        return (fast ?? nil) ?? left.elementsEqual(right)
    }

    /// Whether it stands before another by bytes, which is the order of Unicode scalars too.
    func precedesByBytes(_ other: String) -> Bool {
        utf8.lexicographicallyPrecedes(other.utf8)
    }
}

/// A string as a key of dictionaries and sets: equal where the bytes are.
package struct ByteKey: Hashable, Sendable {
    let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ByteKey, right: ByteKey) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        // The buffer is used within the closure only.
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(0xFF as UInt8)
    }
}
