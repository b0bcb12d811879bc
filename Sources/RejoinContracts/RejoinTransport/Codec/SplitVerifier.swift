/// Holds an incremental decoder to its first promise: what a stream means does not depend on how
/// it was cut.
public enum SplitVerifier {
    /// Decodes a stream whole, cut in two at each place, and octet by octet, and returns what it
    /// means.
    ///
    /// - Parameters:
    ///   - places: The places to cut at; all of them where `nil`.
    ///   - decode: A fresh decoder's whole answer to the pieces: events, error and what remains.
    /// - Throws: ``ContractFailure`` at the first cut that makes a difference.
    /// - Complexity: O(places × octets).
    public static func verify<Outcome: Equatable & Sendable>(
        _ stream: ContiguousArray<UInt8>, check: String, places: [Int]? = nil,
        decode: ([ContiguousArray<UInt8>]) -> Outcome
    ) throws(ContractFailure) -> Outcome {
        let whole = decode([stream])
        for place in places ?? Array(0...stream.count) {
            let pieces = [
                ContiguousArray(stream[..<place]), ContiguousArray(stream[place...]),
            ]
            try require(
                decode(pieces), equals: whole, "\(check), cut at octet \(place)", whoIsHurt: victim)
        }
        try require(
            decode(stream.map { [$0] }), equals: whole, "\(check), octet by octet",
            whoIsHurt: victim)
        return whole
    }

    private static let victim =
        "everyone whose network cuts the stream elsewhere than the test machine's did"
}
