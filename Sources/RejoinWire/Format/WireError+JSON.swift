public import RejoinJSON
import RejoinModel

extension WireError {
    /// The error of a body that was not read.
    public init(_ error: JSONError) {
        let code: Code =
            switch error.code {
            case .limitExceeded: .tooLarge
            case .wrongType, .outOfRange, .missingMember, .invalidValue, .duplicateKey: .unexpected
            default: .malformed
            }
        self.init(code, error.message, offset: error.offset, path: error.path)
    }

    /// The error as the server's answer to the request that carried the body.
    var asRefusal: BackendFailure {
        BackendFailure(code == .tooLarge ? .tooLarge : .rejected, description)
    }
}

extension WireFormat {
    /// Reads a whole body within ``limits``.
    ///
    /// - Throws: ``WireError`` with the place of the fault.
    public func read<Value>(
        _ body: ContiguousArray<UInt8>, _ decode: (inout JSONReader) throws(JSONError) -> Value
    ) throws(WireError) -> Value {
        do throws(JSONError) {
            return try JSONReader.read(body, limits: limits, decode)
        } catch {
            throw WireError(error)
        }
    }
}
