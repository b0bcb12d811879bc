/// A place in a text, for machines and for people.
public struct JSONLocation: Hashable, Sendable {
    /// Bytes before it.
    public let offset: Int
    /// The line, from 1. Lines end with LF.
    public let line: Int
    /// The column in Unicode scalars, from 1.
    public let column: Int

    /// Creates a place.
    public init(offset: Int, line: Int, column: Int) {
        self.offset = offset
        self.line = line
        self.column = column
    }

    /// Finds the line and column of an offset.
    ///
    /// - Complexity: O(`offset`).
    public init(offset: Int, in bytes: some Sequence<UInt8>) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                // Continuation bytes belong to the scalar before them.
                column += 1
            }
        }
        self.init(offset: offset, line: line, column: column)
    }
}
