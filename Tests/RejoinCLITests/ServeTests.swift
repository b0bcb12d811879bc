#if os(Linux)
import Foundation
import FoundationNetworking
import Testing

@Suite("rejoin serve and rejoin token (section 10)")
struct ServeTests {
    private let environment = ["REJOIN_SECRET": "a secret of more than 16 bytes"]
    private let directory = NSTemporaryDirectory() + "rejoin-serve-\(UUID().uuidString)"

    @Test("serves with a token, and stops in good order", arguments: [SIGINT, SIGTERM])
    func serve(signal: Int32) async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = try RunningProgram(
            ["serve", "--port=0", "--data", directory, "--room", "den:ann,bob", "--json"],
            environment: environment)
        let line = try #require(await server.line())
        let listening = try JSONDecoder().decode(Listening.self, from: Data(line.utf8))
        #expect(listening.event == "listening")

        let token = try await RunningProgram.run(
            "token", "--user", "ann", environment: environment)
        #expect(token.status == 0)
        let url = try #require(URL(string: "http://127.0.0.1:\(listening.port)/v1/rooms"))
        var request = URLRequest(url: url)
        let bare = try await URLSession.shared.data(for: request)
        #expect((bare.1 as? HTTPURLResponse)?.statusCode == 401)
        request.setValue(
            "Bearer " + token.output.trimmingCharacters(in: .newlines),
            forHTTPHeaderField: "Authorization")
        let answer = try await URLSession.shared.data(for: request)
        #expect((answer.1 as? HTTPURLResponse)?.statusCode == 200)
        #expect(String(decoding: answer.0, as: UTF8.self).contains("\"den\""))

        server.signal(signal)
        let outcome = try await server.outcome()
        #expect(outcome.status == 0)
        #expect(outcome.output == "{\"event\":\"stopped\"}\n")
        #expect(outcome.errors == "")
    }

    @Test("a port in use, a bad directory, room or secret: one clear line each")
    func failures() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = try RunningProgram(
            ["serve", "--port=0", "--data", directory, "--json"], environment: environment)
        let line = try #require(await server.line())
        let port = try JSONDecoder().decode(Listening.self, from: Data(line.utf8)).port

        let other = directory + "-other"
        defer { try? FileManager.default.removeItem(atPath: other) }
        try await RunningProgram.run(
            "serve", "--port", "\(port)", "--data", other, environment: environment
        ).expectFailure(1, "port \(port) on 127.0.0.1 is in use")
        try await RunningProgram.run(
            "serve", "--port=0", "--data", directory, environment: environment
        ).expectFailure(1, "another server uses it")
        try await RunningProgram.run(
            "serve", "--port=0", "--data", "/proc/none", environment: environment
        ).expectFailure(1, "cannot be created: No such file or directory")
        try await RunningProgram.run(
            "serve", "--port=0", "--data", other, "--room", "den", environment: environment
        ).expectFailure(2, "NAME:ann,bob")
        try await RunningProgram.run(
            "serve", "--port=0", "--data", other, "--room", "a/b:ann", environment: environment
        ).expectFailure(2, "without spaces, slashes")
        try await RunningProgram.run("serve", "--port=0", "--data", other)
            .expectFailure(2, "no token secret")
        try await RunningProgram.run(
            "serve", "--port=0", "--data", other, environment: ["REJOIN_SECRET": "short"]
        ).expectFailure(1, "at least 16")
        try await RunningProgram.run(
            "serve", "--port=0", "--secret", "/proc/none", environment: environment
        ).expectFailure(1, "cannot be read")
        try await RunningProgram.run("serve", "--port", "70000", environment: environment)
            .expectFailure(2, "--port must be")
        try await RunningProgram.run("serve", "--prot", "1", environment: environment)
            .expectFailure(2, "unknown argument '--prot'")
        try await RunningProgram.run("serve", "--key", "k.pem", environment: environment)
            .expectFailure(2, "go together")

        for room in [
            "den:ann,ann", "den:ann,", "den:,", "d\n:ann",
            "den:" + String(repeating: "x", count: 20_000),
        ] {
            try await RunningProgram.run(
                "serve", "--port=0", "--data", other, "--room", room, environment: environment
            ).expectFailure(2, "--room")
        }
        for host in ["::1", "example.com", "127.0.0", ""] {
            try await RunningProgram.run(
                "serve", "--port=0", "--data", other, "--host", host, environment: environment
            ).expectFailure(2, "--host must be an IPv4 address")
        }

        server.signal(SIGTERM)
        #expect(try await server.outcome().status == 0)
    }

    @Test("token: JSON for machines, and clear errors")
    func token() async throws {
        let outcome = try await RunningProgram.run(
            "token", "--user", "ann", "--expires", "10m", "--json", environment: environment)
        #expect(outcome.status == 0)
        let issued = try JSONDecoder().decode(Issued.self, from: Data(outcome.output.utf8))
        #expect(issued.user == "ann")
        #expect(issued.token.hasPrefix("1."))
        let wait = Double(issued.expires) / 1_000 - Date().timeIntervalSince1970
        #expect((500...601).contains(wait))
        #expect(!outcome.output.contains("secret"))

        try await RunningProgram.run("token", environment: environment).expectFailure(
            2, "--user")
        for odd in ["a b", "a\n", "a/b", "..", "\u{FFFD}", String(repeating: "x", count: 20_000)] {
            try await RunningProgram.run("token", "--user", odd, environment: environment)
                .expectFailure(2, "--user must be somebody's ID")
        }
        for odd in ["soon", "1", "h", "0s", "36501s", "0h", "-1h", "99999999999999999999h"] {
            try await RunningProgram.run(
                "token", "--user", "ann", "--expires", odd, environment: environment
            ).expectFailure(2, "--expires")
        }
    }

    @Test("help tells the options", arguments: ["serve", "token"])
    func help(name: String) async throws {
        let outcome = try await RunningProgram.run(name, "--help")
        #expect(outcome.status == 0)
        #expect(outcome.output.hasPrefix("usage: rejoin \(name)"))
        #expect(outcome.output.contains("REJOIN_SECRET"))
    }

    private struct Listening: Decodable {
        var event: String
        var port: Int
    }

    private struct Issued: Decodable {
        var user: String
        var token: String
        var expires: Int64
    }
}
#endif
