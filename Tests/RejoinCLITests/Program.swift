#if os(Linux)
import Foundation
import Testing

/// The program `rejoin` as a person calls it.
enum Program {
    struct Result {
        let status: Int32
        let output: [UInt8]
        let errors: String

        var text: String { String(decoding: output, as: UTF8.self) }
        var lines: [String] {
            text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
        }
    }

    /// Programs stand beside the test bundle.
    private static func executable(_ name: String) -> URL {
        Bundle.main.bundleURL.appending(path: name)
    }

    /// Where standard output goes.
    enum Sink {
        /// Into a file, whose content is the result's output.
        case file
        /// Onto a disk that is full.
        case full
        /// Nowhere: it is closed.
        case closed
        /// Into a pipe that nobody reads any more.
        case readerless
    }

    static func run(
        _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
        output sink: Sink = .file, of name: String = "rejoin"
    ) throws -> Result {
        let process = Process()
        let executable = executable(name)
        process.executableURL = executable
        process.arguments = arguments
        if sink == .closed {
            // Process itself gives every child an output.
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", #"exec "$0" "$@" >&-"#, executable.path] + arguments
        }
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-cli-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        // Files, not pipes: nothing can fill up while nobody reads.
        let files = ["in", "out", "err"].map { directory.appending(path: $0) }
        try Data(input).write(to: files[0])
        for file in files.dropFirst() {
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        }
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        switch sink {
        case .file, .closed: process.standardOutput = try FileHandle(forWritingTo: files[1])
        case .full:
            process.standardOutput = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        case .readerless:
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            process.standardOutput = pipe
        }
        process.standardError = try FileHandle(forWritingTo: files[2])
        process.environment = ["PATH": "/usr/bin:/bin"]
            .merging(RunningProgram.inherited) { given, _ in given }
            .merging(environment) { _, given in given }
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: [UInt8](try Data(contentsOf: files[1])),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }
}
#endif
