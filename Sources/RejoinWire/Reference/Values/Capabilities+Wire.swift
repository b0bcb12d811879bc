import RejoinJSON
import RejoinModel
import RejoinTime

private enum CapabilityField: String, JSONField {
    case commitOrdered, settleMilliseconds, idempotentSends, keyRetentionMilliseconds
    case revisions, subscribeReceipts, limits
    static let table = JSONFieldTable<Self>()
}

private enum LimitField: String, JSONField {
    case pageSize, contentBytes
    static let table = JSONFieldTable<Self>()
}

extension WireFormat {
    func readCapabilities(_ reader: inout JSONReader) throws(JSONError) -> BackendCapabilities {
        var isOrdered = false
        var settling: Duration?
        var isIdempotent = false
        var retention: Duration?
        var revisions: Bool?
        var receipts: Bool?
        var limits: (pageSize: Int, contentBytes: Int)?
        var fields = JSONFields<CapabilityField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            switch field {
            case .commitOrdered: isOrdered = try reader.bool()
            case .settleMilliseconds: settling = try readMilliseconds(&reader)
            case .idempotentSends: isIdempotent = try reader.bool()
            case .keyRetentionMilliseconds: retention = try readMilliseconds(&reader)
            case .revisions: revisions = try reader.bool()
            case .subscribeReceipts: receipts = try reader.bool()
            case .limits: limits = try readLimits(&reader)
            }
        }
        guard isOrdered || settling != nil else { throw reader.missing("settleMilliseconds") }
        guard !isIdempotent || retention != nil else {
            throw reader.missing("keyRetentionMilliseconds")
        }
        guard let revisions else { throw reader.missing("revisions") }
        guard let receipts else { throw reader.missing("subscribeReceipts") }
        guard let limits else { throw reader.missing("limits") }
        return BackendCapabilities(
            commitOrder: isOrdered ? .ordered : .settles(within: settling ?? .zero),
            idempotentSendRetention: isIdempotent ? retention : nil, hasRevisions: revisions,
            hasSubscribeReceipts: receipts, maximumPageSize: limits.pageSize,
            maximumContentBytes: limits.contentBytes)
    }

    private func readMilliseconds(_ reader: inout JSONReader) throws(JSONError) -> Duration {
        let milliseconds: Int64 = try reader.integer()
        guard milliseconds >= 0 else {
            throw reader.failure(.invalidValue, "a time span cannot be negative")
        }
        return .milliseconds(milliseconds)
    }

    private func readLimits(_ reader: inout JSONReader) throws(JSONError) -> (
        pageSize: Int, contentBytes: Int
    ) {
        var pageSize: Int?
        var contentBytes: Int?
        var fields = JSONFields<LimitField>()
        try reader.beginObject()
        while let field = try reader.nextField(&fields) {
            let value: Int = try reader.integer()
            guard value > 0 else {
                throw reader.failure(.invalidValue, "a limit must be above 0")
            }
            switch field {
            case .pageSize: pageSize = value
            case .contentBytes: contentBytes = value
            }
        }
        guard let pageSize else { throw reader.missing("pageSize") }
        guard let contentBytes else { throw reader.missing("contentBytes") }
        return (pageSize, contentBytes)
    }
}

extension ServerWireFormat {
    func write(_ capabilities: BackendCapabilities, to writer: inout JSONWriter) {
        writer.beginObject()
        switch capabilities.commitOrder {
        case .ordered:
            writer.member("commitOrdered", true)
        case .settles(let time):
            writer.member("commitOrdered", false)
            writer.member("settleMilliseconds", time.wholeMilliseconds)
        }
        writer.member("idempotentSends", capabilities.idempotentSendRetention != nil)
        writer.member(
            "keyRetentionMilliseconds", capabilities.idempotentSendRetention?.wholeMilliseconds)
        writer.member("revisions", capabilities.hasRevisions)
        writer.member("subscribeReceipts", capabilities.hasSubscribeReceipts)
        writer.key("limits")
        writer.beginObject()
        writer.member("pageSize", capabilities.maximumPageSize)
        writer.member("contentBytes", capabilities.maximumContentBytes)
        writer.endObject()
        writer.endObject()
    }
}
