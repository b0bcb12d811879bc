/// Well-formedness of UTF-8 (Unicode 16, table 3-7), without making a string.
package enum UTF8Check {
    /// Where the first ill-formed sequence begins; `nil` where there is none. O(n), eight octets
    /// at a time over ASCII.
    package static func firstInvalid(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let count = bytes.count
        var index = 0
        while index < count {
            if bytes[index] < 0x80 {
                // A pointer, because eight octets a step is what makes the check as good as free
                // for the JSON bodies of a chat.
                let raw = UnsafeRawBufferPointer(bytes)
                while index + 8 <= count,
                    raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                        & 0x8080_8080_8080_8080 == 0
                {
                    index += 8
                }
                while index < count, bytes[index] < 0x80 { index += 1 }
                continue
            }
            let length = sequenceLength(at: index, in: bytes)
            guard length > 0 else { return index }
            index += length
        }
        return nil
    }

    /// The length of the multi-octet sequence at `index`; 0 where it is ill-formed or cut off.
    private static func sequenceLength(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let lead = bytes[index]
        let left = bytes.count - index
        let second: ClosedRange<UInt8>
        let length: Int
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE, 0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard left >= length, second.contains(bytes[index + 1]) else { return 0 }
        for trail in 2..<max(length, 2) where bytes[index + trail] & 0xC0 != 0x80 { return 0 }
        return length
    }
}
