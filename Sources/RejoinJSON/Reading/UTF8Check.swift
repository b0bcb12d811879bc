/// Checks UTF-8 (Unicode 3.9, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF).
enum UTF8Check {
    /// The offset of the first byte of the first sequence that is not valid; `nil` where all are.
    ///
    /// - Complexity: O(length).
    static func firstInvalid(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            guard lead >= 0x80 else {
                index += 1
                continue
            }
            guard let length = length(ofLead: lead), index + length <= bytes.count,
                secondByte(after: lead).contains(bytes[index + 1])
            else { return index }
            for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 {
                return index
            }
            index += length
        }
        return nil
    }

    private static func length(ofLead lead: UInt8) -> Int? {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: nil
        }
    }

    private static func secondByte(after lead: UInt8) -> ClosedRange<UInt8> {
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }
}
