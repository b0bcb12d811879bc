/// A frame of RFC 6455 section 5.2.
struct PeerFrame {
    var opcode: UInt8
    var payload: [UInt8]
    var isFinal = true
    var isMasked = false

    static let continuation: UInt8 = 0
    static let text: UInt8 = 1
    static let binary: UInt8 = 2
    static let close: UInt8 = 8
    static let ping: UInt8 = 9
    static let pong: UInt8 = 10

    /// The bytes of the frame as a server sends it; masked by zeros where `isMasked`.
    var bytes: [UInt8] {
        Self.header(
            opcode: opcode, length: UInt64(payload.count), isFinal: isFinal, isMasked: isMasked)
            + (isMasked ? [0, 0, 0, 0] : []) + payload
    }

    /// The header alone.
    static func header(
        opcode: UInt8, length: UInt64, isFinal: Bool = true, isMasked: Bool = false
    ) -> [UInt8] {
        let mask: UInt8 = isMasked ? 0x80 : 0
        var bytes = [opcode | (isFinal ? 0x80 : 0)]
        switch length {
        case 0..<126:
            bytes.append(UInt8(length) | mask)
        case 126..<65_536:
            bytes += [126 | mask, UInt8(length >> 8), UInt8(truncatingIfNeeded: length)]
        default:
            bytes.append(127 | mask)
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) }
        }
        return bytes
    }
}

extension PeerSocket {
    /// Reads a frame and unmasks it.
    func readFrame() throws -> PeerFrame {
        let start = try read(2)
        var length = UInt64(start[1] & 0x7F)
        if length == 126 {
            length = try read(2).reduce(0) { $0 << 8 | UInt64($1) }
        } else if length == 127 {
            length = try read(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        let isMasked = start[1] & 0x80 != 0
        let mask = isMasked ? try read(4) : []
        var payload = try read(Int(length))
        if isMasked { Self.unmask(&payload, mask) }
        return PeerFrame(
            opcode: start[0] & 0xF, payload: payload, isFinal: start[0] & 0x80 != 0,
            isMasked: isMasked)
    }

    /// Sends a frame.
    func write(_ frame: PeerFrame) throws {
        try write(frame.bytes)
    }

    private static func unmask(_ payload: inout [UInt8], _ mask: [UInt8]) {
        let key = (0..<8).reduce(into: UInt64(0)) { $0 |= UInt64(mask[$1 & 3]) << (8 * UInt64($1)) }
        // Words at a time: payloads of 16 MiB come by here in debug builds too. The loads and
        // stores stay below `count`.
        payload.withUnsafeMutableBytes { bytes in
            var index = 0
            while index + 8 <= bytes.count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                bytes.storeBytes(
                    of: word ^ UInt64(littleEndian: key), toByteOffset: index, as: UInt64.self)
                index += 8
            }
            while index < bytes.count {
                bytes[index] ^= mask[index & 3]
                index += 1
            }
        }
    }
}
