import Foundation

/// A peer in a process of its own. It reads the name of a task per line and answers with the
/// nanoseconds of processor time that one round of it took, so that peers and we can take turns.
final class PeerProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var unread = Data()

    /// Starts a peer; `nil` where it is not installed.
    ///
    /// - Throws: `PeerFailure` where it is installed but does not begin with the line `ready`.
    init?(_ program: URL, _ arguments: [String]) throws {
        guard FileManager.default.isExecutableFile(atPath: program.path) else { return nil }
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let answer = readLine()
        guard answer == "ready" else {
            process.terminate()
            throw PeerFailure(peer: program.lastPathComponent, answer: answer)
        }
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Runs one round of a task; nanoseconds.
    func round(_ task: String) throws -> Double {
        try input.fileHandleForWriting.write(contentsOf: Data("\(task)\n".utf8))
        let answer = readLine()
        guard let time = Double(answer) else {
            throw PeerFailure(peer: process.executableURL?.lastPathComponent ?? "", answer: answer)
        }
        return time
    }

    private func readLine() -> String {
        while !unread.contains(UInt8(ascii: "\n")) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            unread += more
        }
        let line = unread.prefix { $0 != UInt8(ascii: "\n") }
        unread = Data(unread.dropFirst(line.count + 1))
        return String(decoding: line, as: UTF8.self)
    }
}

/// A peer that does not answer as it should.
struct PeerFailure: Error, CustomStringConvertible {
    let peer: String
    let answer: String

    var description: String { "\(peer) answered '\(answer)'" }
}

/// Where `Benchmarks/Peers/setup.sh` puts what it builds.
enum Peers {
    static let sources = URL(fileURLWithPath: "Benchmarks/Peers", isDirectory: true)
    static let built = URL(fileURLWithPath: ".build/peers", isDirectory: true)
}
