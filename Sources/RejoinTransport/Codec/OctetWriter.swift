/// Fills a buffer that is known to be large enough. A pointer, because appending to an array checks
/// for room and for other owners at every octet.
struct OctetWriter {
    private let target: UnsafeMutableBufferPointer<UInt8>
    /// How many octets have been written.
    private(set) var count = 0

    init(_ target: UnsafeMutableBufferPointer<UInt8>) {
        self.target = target
    }

    @inline(__always)
    mutating func write(_ octet: UInt8) {
        target[count] = octet
        count += 1
    }

    @inline(__always)
    mutating func write(_ octets: UnsafeRawBufferPointer) {
        guard let source = octets.baseAddress, let base = target.baseAddress else { return }
        UnsafeMutableRawPointer(base + count).copyMemory(from: source, byteCount: octets.count)
        count += octets.count
    }

    @inline(__always)
    mutating func write(_ text: StaticString) {
        write(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    mutating func writeDecimal(_ value: Int) {
        var (power, rest) = (1, value)
        while value / power >= 10 { power *= 10 }
        while power > 0 {
            write(UInt8(ascii: "0") + UInt8(rest / power))
            rest %= power
            power /= 10
        }
    }
}
