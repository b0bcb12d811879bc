extension JSONReader {
    /// An error about the value or key that was read last, for the decoder to throw: the syntax is
    /// right, the meaning is not.
    public func failure(_ code: JSONError.Code, _ message: String) -> JSONError {
        error(code, message, at: valueStart)
    }

    /// The error of an object, just closed, that lacks a member.
    public func missing(_ key: String) -> JSONError {
        error(.missingMember, "the member '\(key)' is missing", at: valueStart)
    }

    func unexpectedEnd() -> JSONError {
        error(.unexpectedEnd, "the text ends inside a value", at: end)
    }

    /// An error with its place. Line, column and path cost a second pass over the text up to there;
    /// the way of valid texts pays nothing for them.
    func error(_ code: JSONError.Code, _ message: String, at offset: Int) -> JSONError {
        // The pointer is used within the two calls only.
        let text = UnsafeRawBufferPointer(start: base, count: end)
        return JSONError(
            code, message, at: JSONLocation(offset: offset, in: text),
            path: JSONPathFinder.path(to: min(offset, end), in: text))
    }
}
