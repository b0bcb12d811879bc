#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The octets that mean something to STOMP, and the ways to find them.
///
/// Pointers throughout: `memchr` and whole-array copies are several times faster than the loops
/// over slices that they stand for, and the codec's promised throughput hangs on them.
enum Octet {
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let colon = UInt8(ascii: ":")
    static let backslash = UInt8(ascii: "\\")

    /// Where an octet stands first within `start..<end`. O(end - start).
    @inline(__always)
    static func first(_ octet: UInt8, in base: UnsafePointer<UInt8>, from start: Int, to end: Int)
        -> Int?
    {
        guard start < end, let found = memchr(base + start, Int32(octet), end - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Whether octets are those of an ASCII text.
    @inline(__always)
    static func equal(_ octets: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        guard octets.count == text.utf8CodeUnitCount, let base = octets.baseAddress else {
            return false
        }
        return memcmp(base, text.utf8Start, octets.count) == 0
    }

    /// Whether two runs of octets are the same.
    @inline(__always)
    static func equal(
        _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard left.count == right.count else { return false }
        guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else {
            return true
        }
        return memcmp(leftBase, rightBase, left.count) == 0
    }
}
