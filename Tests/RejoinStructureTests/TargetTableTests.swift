import Foundation
import Testing

/// Proves the target table of the architecture (DESIGN section 2) on what SwiftPM itself makes of
/// the manifest: the declared dependencies and no others, and tests for every library.
@Suite("Target table")
struct TargetTableTests {
    /// Every target that may exist, with what it may import. Rows that are not built yet are
    /// skipped; a target without a row fails.
    static let table: [String: Set<String>] = {
        let values: Set = ["RejoinTime", "RejoinModel"]
        let cores = values.union(["RejoinSync", "RejoinReadState"])
        let kit = cores.union([
            "RejoinTransport", "RejoinJSON", "RejoinPipeline", "RejoinLegacyPipeline",
            "RejoinStore", "RejoinWire", "RejoinFlags",
        ])
        let adapters: Set = [
            "RejoinHTTP", "RejoinWebSocket", "RejoinSQLite", "RejoinTypography", "RejoinUIKit",
        ]
        let all = kit.union(adapters).union([
            "RejoinKit", "RejoinChat", "RejoinLayout", "RejoinContracts", "RejoinSimulation",
            "RejoinServer",
        ])
        return [
            "RejoinTime": [],
            "RejoinModel": ["RejoinTime"],
            "RejoinTransport": ["RejoinTime"],
            "RejoinSync": values,
            "RejoinReadState": values,
            "RejoinLayout": values,
            "RejoinTypography": ["RejoinLayout", "CPango"],
            "RejoinUIKit": values.union(["RejoinLayout", "RejoinTypography"]),
            "RejoinJSON": [],
            "RejoinFlags": ["RejoinTime", "RejoinJSON"],
            "RejoinFlagsTooling": ["RejoinFlags", "RejoinJSON"],
            "RejoinFlagsTool": ["RejoinFlags", "RejoinFlagsTooling"],
            "RejoinFlagsCodegen": ["RejoinFlagsTool"],
            "RejoinFlagsLint": ["RejoinFlagsTool"],
            "RejoinFlagsRollout": ["RejoinFlagsTool"],
            "RejoinPipeline": cores,
            "RejoinLegacyPipeline": cores.union(["RejoinPipeline"]),
            "RejoinStore": values.union(["RejoinPipeline"]),
            "RejoinWire": values.union(["RejoinJSON"]),
            "RejoinKit": kit,
            "RejoinHTTP": ["RejoinTime", "RejoinModel", "RejoinWire", "CCurl"],
            "RejoinWebSocket": ["RejoinTime", "RejoinTransport", "CLibWebSockets"],
            "RejoinChat": kit.union(adapters).union(["RejoinKit", "RejoinLayout"]),
            "RejoinContracts": kit.union(["RejoinKit", "RejoinLayout"]),
            "RejoinSimulation": kit.union(["RejoinKit"]).subtracting(["RejoinLegacyPipeline"]),
            "RejoinServer": values.union([
                "RejoinTransport", "RejoinJSON", "RejoinWire", "CSQLite", "CLibWebSockets",
                "COpenSSL",
            ]),
            "RejoinCLI": all,
            "RejoinBenchmarks": all.union(["CAllocationCounter", "CPango"]),
            "CAllocationCounter": [],
            "RejoinFuzzing": all,
            "RejoinFuzzer": ["RejoinFuzzing"],
            "CCurl": [],
            "CPango": [],
            "CLibWebSockets": [],
            "CSQLite": [],
            "COpenSSL": [],
        ]
    }()

    /// The architecture's one rule that no table row shows: the cores know no adapter, and only the
    /// kit and the umbrella see the legacy pipeline, so that it can be deleted in one commit.
    static let mayImportLegacy: Set = [
        "RejoinKit", "RejoinChat", "RejoinCLI", "RejoinBenchmarks", "RejoinContracts",
    ]

    @Test("The manifest declares what the table allows and nothing else")
    func dependencies() throws {
        for target in try PackageDescription.load().targets where !target.isTest {
            let row = Self.table[target.name]
            #expect(row != nil, "\(target.name) has no row: add it to the table or remove it")
            let extra = Set(target.dependencies).subtracting(row ?? [])
            #expect(extra.isEmpty, "\(target.name) may not import \(extra.sorted())")
            if target.dependencies.contains("RejoinLegacyPipeline") {
                #expect(Self.mayImportLegacy.contains(target.name), "\(target.name)")
            }
        }
    }

    @Test("Every library has unit tests and contract tests")
    func testTargets() throws {
        let targets = try PackageDescription.load().targets
        let names = Set(targets.map(\.name))
        for library in targets where library.kind == "library" && library.name.hasPrefix("Rejoin") {
            #expect(names.contains("\(library.name)Tests"), "\(library.name)")
            // What the contracts and the fuzz targets check is others' code, and the plugins' tooling
            // has no seam that anybody implements.
            if !["RejoinContracts", "RejoinFuzzing", "RejoinFlagsTooling"].contains(library.name) {
                #expect(names.contains("\(library.name)ContractTests"), "\(library.name)")
            }
        }
    }

    @Test("What plugins run drags no system library into a host's build")
    func pluginClosure() throws {
        let targets = try PackageDescription.load().targets
        let edges = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0.dependencies) })
        for plugin in targets where plugin.kind == "plugin" {
            var reached: Set<String> = []
            var next = plugin.dependencies
            while let name = next.popLast() {
                if reached.insert(name).inserted { next += edges[name] ?? [] }
            }
            let small: Set = [
                "RejoinFlagsTool", "RejoinFlagsTooling", "RejoinFlags", "RejoinJSON", "RejoinTime",
            ]
            #expect(reached == small, "\(plugin.name): \(reached.sorted())")
        }
    }

    /// Linux runs plugins without a sandbox, so that a missing permission shows on macOS alone.
    @Test("Only the plugin that writes asks for the permission to write")
    func pluginPermissions() throws {
        let plugins = try PackageDescription.load().targets.filter { $0.kind == "plugin" }
        let permissions = Dictionary(
            uniqueKeysWithValues: plugins.map { ($0.name, $0.permissions) })
        #expect(
            permissions == [
                "RejoinFlagsCodegen": [], "RejoinFlagsLint": [],
                "RejoinFlagsRollout": ["writeToPackageDirectory"],
            ])
    }

    @Test("No package outside this one is depended on")
    func noPackages() throws {
        #expect(try PackageDescription.load().packages == 0)
    }

    @Test("No two targets differ by case alone, which macOS file systems cannot hold")
    func caseInsensitiveNames() throws {
        let names = try PackageDescription.load().targets.map { $0.name.lowercased() }
        #expect(Set(names).count == names.count)
    }
}

/// What `swift package describe` says, as far as the tests need it.
struct PackageDescription {
    struct Target {
        let name: String
        let kind: String
        let dependencies: [String]
        let permissions: [String]

        var isTest: Bool { kind == "test" }
    }

    let targets: [Target]
    let packages: Int

    private static func permissions(_ capability: Any?) -> [String] {
        let list = (capability as? [String: Any])?["permissions"] as? [[String: Any]]
        return list?.compactMap { $0["type"] as? String } ?? []
    }

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs in a scratch folder of its own: the test run itself holds the lock of the usual one.
    static func load() throws -> PackageDescription {
        try cached.get()
    }

    private static let cached = Result { try run() }

    private static func run() throws -> PackageDescription {
        let scratch = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-structure-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path,
            "describe", "--type", "json",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "swift package describe failed")
        let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let targets = try #require(json["targets"] as? [[String: Any]])
        return PackageDescription(
            targets: try targets.map { target in
                Target(
                    name: try #require(target["name"] as? String),
                    kind: try #require(target["type"] as? String),
                    dependencies: target["target_dependencies"] as? [String] ?? [],
                    permissions: Self.permissions(target["plugin_capability"]))
            },
            packages: (json["dependencies"] as? [Any])?.count ?? 0)
    }
}
