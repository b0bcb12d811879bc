import RejoinContracts
import RejoinTransport

/// Frames as a broker sends them: seven headers, one escape, a JSON body; about 420 octets. Written
/// by hand and not by our encoder, so that the corpus is the peers' as much as ours.
enum StompCorpus {
    static func stream(frames: Int, seed: UInt64) -> ContiguousArray<UInt8> {
        var random = SeededGenerator(seed: seed)
        var stream: ContiguousArray<UInt8> = []
        stream.reserveCapacity(frames * 430)
        for index in 0..<frames {
            let room = Int.random(in: 100...999, using: &random)
            let words = (0..<14).map { _ in vocabulary.randomElement(using: &random) ?? "yes" }
            let body = """
                {"type":"message.created","room":"\(room)","revision":\(1_000_000 + index),\
                "message":{"id":"\(7_000_000_000 + index)","author":"\(room * 31)",\
                "createdAt":1764460800,"content":[{"type":"text",\
                "text":"\(words.joined(separator: " "))"}]}}
                """
            let head = """
                MESSAGE
                subscription:sub-\(room)
                destination:/topic/chat.room.\(room)
                message-id:T_sub-\(room)@@session-\(Int.random(in: 1000...9999, using: &random))@@\(index)
                redelivered:false
                persistent:1
                content-type:application/json;note=a\\cb
                content-length:\(body.utf8.count)


                """
            stream.append(contentsOf: head.utf8)
            stream.append(contentsOf: body.utf8)
            stream.append(0)
            // RabbitMQ's `trailing_lf`.
            stream.append(UInt8(ascii: "\n"))
        }
        return stream
    }

    private static let vocabulary = [
        "when", "do", "we", "meet", "again", "in", "the", "harbour", "tomorrow", "yes", "no",
        "train", "late", "bring", "your", "coat",
    ]
}
