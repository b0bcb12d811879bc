/// An input read as a list of decisions, for targets that need more than one stream of bytes.
///
/// An input that is used up answers zero, so that every input means something and a shorter one
/// means less.
struct FuzzInput {
    private let bytes: ContiguousArray<UInt8>
    private var position = 0

    init(_ bytes: ContiguousArray<UInt8>) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    /// The next byte.
    mutating func byte() -> UInt8 {
        guard position < bytes.count else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    /// A number below `bound`.
    mutating func number(below bound: Int) -> Int { Int(byte()) % bound }

    mutating func bool() -> Bool { byte() & 1 == 1 }

    mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
        choices[choices.index(choices.startIndex, offsetBy: number(below: choices.count))]
    }

    /// As many bytes as the next byte says, or as are left.
    mutating func chunk() -> ContiguousArray<UInt8> { take(Int(byte())) }

    /// As many bytes as are asked for, or as are left.
    mutating func take(_ count: Int) -> ContiguousArray<UInt8> {
        let end = min(position + count, bytes.count)
        defer { position = end }
        return ContiguousArray(bytes[position..<end])
    }

    /// Text of as many bytes as the next byte says; what is no UTF-8 is repaired.
    mutating func text() -> String { String(decoding: chunk(), as: UTF8.self) }

    /// Everything that is left.
    mutating func rest() -> ContiguousArray<UInt8> { take(bytes.count - position) }
}
