/// The codec's contract: each rule of STOMP about octets, as a stream and its meaning, in every
/// cut.
public enum StompCodecContract {
    /// Every vector.
    public static var vectors: [StompVector] {
        lineVectors + escapeVectors + headerVectors + bodyVectors + streamVectors + limitVectors
    }

    /// One check per vector.
    public static var checks: [ContractCheck] {
        vectors.map { vector in
            ContractCheck("stomp.\(vector.id)", promise: vector.rule) { try vector.verify() }
        }
    }
}
