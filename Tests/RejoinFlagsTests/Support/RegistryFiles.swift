import Foundation
import RejoinFlags

/// A file whose two flags always agree, and whose number says which rewrite it is.
func numberedFile(_ number: Int) -> ContiguousArray<UInt8> {
    let on = number.isMultiple(of: 2)
    return ContiguousArray(
        """
        {"flags":{
          "first":{"state":"ENABLED","variants":{"on":true,"off":false},
            "defaultVariant":"\(on ? "on" : "off")"},
          "second":{"state":"ENABLED","variants":{"on":true,"off":false},
            "defaultVariant":"\(on ? "on" : "off")"},
          "number":{"state":"ENABLED","variants":{"n":\(number)},"defaultVariant":"n"}}}
        """.utf8)
}

/// The flags of ``numberedFile(_:)``.
enum NumberedFlags {
    static let first = FlagKey("first", at: 0, default: false)
    static let second = FlagKey("second", at: 1, default: false)
    static let number = FlagKey("number", at: 2, default: -1)
    static let catalogue = FlagCatalogue([
        first.declaration, second.declaration, number.declaration,
    ])
}

/// A directory that is gone after the test.
final class TemporaryDirectory: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appending(path: "rejoin-flags-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}

/// The ways in which files are rewritten in the field.
enum Rewrite: String, CaseIterable {
    /// Written beside it and renamed: what editors and careful programs do.
    case atomicReplace
    /// Truncated and written: what `>` of a shell does.
    case truncateAndWrite
    /// A link that is moved to another directory: what Kubernetes does for a ConfigMap.
    case linkSwap
    /// Deleted and written anew.
    case deleteAndRestore

    /// Writes the file for the first time.
    func prepare(_ bytes: ContiguousArray<UInt8>, in directory: TemporaryDirectory) throws {
        switch self {
        case .atomicReplace, .truncateAndWrite, .deleteAndRestore:
            try Data(bytes).write(to: directory.url.appending(path: "flags.json"))
        case .linkSwap:
            try swap(bytes, in: directory, number: -1)
            try FileManager.default.createSymbolicLink(
                atPath: directory.path("flags.json"), withDestinationPath: "..data/flags.json")
        }
    }

    /// Writes it again.
    func apply(_ bytes: ContiguousArray<UInt8>, in directory: TemporaryDirectory, number: Int)
        throws
    {
        let path = directory.path("flags.json")
        switch self {
        case .atomicReplace:
            try Data(bytes).write(to: URL(filePath: path + ".new"))
            try rename(path + ".new", to: path)
        case .truncateAndWrite:
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            try handle.truncate(atOffset: 0)
            // In two pieces, so that readers find halves.
            try handle.write(contentsOf: Data(bytes.prefix(bytes.count / 2)))
            try handle.write(contentsOf: Data(bytes.dropFirst(bytes.count / 2)))
            try handle.close()
        case .linkSwap:
            try swap(bytes, in: directory, number: number)
        case .deleteAndRestore:
            try FileManager.default.removeItem(atPath: path)
            try Data(bytes).write(to: URL(filePath: path))
        }
    }

    private func swap(
        _ bytes: ContiguousArray<UInt8>, in directory: TemporaryDirectory, number: Int
    ) throws {
        let files = FileManager.default
        let fresh = "..\(number)"
        try files.createDirectory(
            atPath: directory.path(fresh), withIntermediateDirectories: false)
        try Data(bytes).write(to: URL(filePath: directory.path(fresh + "/flags.json")))
        let old = try? files.destinationOfSymbolicLink(atPath: directory.path("..data"))
        try files.createSymbolicLink(
            atPath: directory.path("..data_tmp"), withDestinationPath: fresh)
        try rename(directory.path("..data_tmp"), to: directory.path("..data"))
        if let old { try files.removeItem(atPath: directory.path(old)) }
    }

    private func rename(_ source: String, to target: String) throws {
        guard Foundation.rename(source, target) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }
}
