import Foundation
import RejoinFlags
import RejoinJSON
import Testing

/// The files beside these tests.
enum Vectors {
    static func url(_ name: String) throws -> URL {
        try #require(Bundle.module.url(forResource: "Vectors/\(name)", withExtension: nil))
    }

    static func bytes(_ name: String) throws -> ContiguousArray<UInt8> {
        ContiguousArray(try Data(contentsOf: try url(name)))
    }

    /// The lines of a compressed file.
    static func compressedLines(_ name: String) throws -> [ContiguousArray<UInt8>] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", try url(name).path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "gzip failed")
        return data.split(separator: UInt8(ascii: "\n")).map { ContiguousArray($0) }
    }
}

/// Reads a flags file that a test writes out.
func flagSet(_ text: String) throws -> FlagSet {
    try FlagSet(ContiguousArray(text.utf8))
}

/// A JSON text as a value.
func value(_ text: String) throws -> FlagValue {
    try #require(FlagValue(try JSONDocument(ContiguousArray(text.utf8)).root))
}

/// A context without a clock in it.
func context(_ key: String?, _ attributes: FlagObject = [:]) -> FlagContext {
    FlagContext(targetingKey: key, attributes: attributes, timestamp: 1_764_460_800)
}

/// A file with one flag `f` whose variants are named after their values.
func file(
    targeting: String, variants: String = #"{"a":"a","b":"b"}"#, default fallback: String = "b"
)
    -> String
{
    #"{"flags":{"f":{"state":"ENABLED","variants":\#(variants),"defaultVariant":"\#(fallback)","#
        + #""targeting":\#(targeting)}}}"#
}
