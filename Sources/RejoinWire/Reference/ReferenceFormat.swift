public import RejoinJSON

/// The format of the reference backend: the defaults of ``WireFormat`` and ``ServerWireFormat``,
/// and nothing else.
public struct ReferenceFormat: ServerWireFormat, Hashable {
    /// What is read from a peer at most.
    public let limits: JSONLimits

    /// Creates the format.
    public init(limits: JSONLimits = JSONLimits()) {
        self.limits = limits
    }
}

extension WireFormat {
    public var limits: JSONLimits { JSONLimits() }
    public var apiPath: String { "/v1" }
}
