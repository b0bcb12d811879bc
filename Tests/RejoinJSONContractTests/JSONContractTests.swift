import RejoinContracts
import RejoinJSON
import Testing

@Suite("Contract of JSON readers (RFC 8259)")
struct JSONContractTests {
    @Test("the tree keeps it", arguments: treeChecks.map(\.id))
    func tree(id: String) async throws {
        for check in treeChecks where check.id == id { try await check.run() }
    }

    @Test("skipping keeps it", arguments: skipChecks.map(\.id))
    func skip(id: String) async throws {
        for check in skipChecks where check.id == id { try await check.run() }
    }
}

private let treeChecks = jsonReaderChecks { (bytes) throws(JSONError) in
    var writer = JSONWriter()
    writer.value(try JSONDocument(bytes).root)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// Reads by passing over first, so that both ways through the reader must agree.
private let skipChecks = jsonReaderChecks { (bytes) throws(JSONError) in
    let raw = try JSONReader.read(bytes) { (reader) throws(JSONError) in try reader.rawJSON() }
    var writer = JSONWriter()
    writer.value(try JSONDocument(ContiguousArray(raw.utf8)).root)
    return String(decoding: writer.bytes, as: UTF8.self)
}
