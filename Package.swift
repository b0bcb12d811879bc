// swift-tools-version: 6.2
//
// The targets and their edges are the table of the architecture (see CONTRIBUTING.md);
// `RejoinStructureTests` proves that this manifest says nothing else.

import Foundation
import PackageDescription

let environment = ProcessInfo.processInfo.environment

/// Development builds turn warnings into errors and add benchmarks and fuzz targets. Hosts that embed the
/// package by path or submodule must not suffer from either, so both hang on a variable.
let isDevelopment = environment["REJOIN_DEVELOPMENT"] != nil

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (isDevelopment ? [.treatAllWarnings(as: .error)] : [])

let linux = TargetDependencyCondition.when(platforms: [.linux])

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [])
    -> Target
{
    .testTarget(
        name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

let libraries: [Target] = [
    library("RejoinTime"),
    library("RejoinModel", ["RejoinTime"]),
    library("RejoinTransport", ["RejoinTime"]),
    library("RejoinSync", ["RejoinTime", "RejoinModel"]),
    library("RejoinReadState", ["RejoinTime", "RejoinModel"]),
    library("RejoinLayout", ["RejoinTime", "RejoinModel"]),
    library("RejoinJSON"),
    library("RejoinFlags", ["RejoinTime", "RejoinJSON"]),
    library(
        "RejoinPipeline", ["RejoinTime", "RejoinModel", "RejoinSync", "RejoinReadState"]),
    library("RejoinLegacyPipeline", ["RejoinTime", "RejoinModel", "RejoinPipeline"]),
    library("RejoinStore", ["RejoinModel", "RejoinPipeline"]),
    library("RejoinWire", ["RejoinTime", "RejoinModel", "RejoinJSON"]),
    library(
        "RejoinKit",
        [
            "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinSync", "RejoinReadState",
            "RejoinFlags", "RejoinJSON", "RejoinPipeline", "RejoinLegacyPipeline", "RejoinStore",
            "RejoinWire",
        ]),
    library(
        "RejoinHTTP",
        ["RejoinTime", "RejoinModel", "RejoinWire", .target(name: "CCurl", condition: linux)]),
    library(
        "RejoinWebSocket",
        ["RejoinTime", "RejoinTransport", .target(name: "CLibWebSockets", condition: linux)]),
    library(
        "RejoinTypography", ["RejoinLayout", .target(name: "CPango", condition: linux)]),
    library("RejoinUIKit", ["RejoinModel", "RejoinLayout", "RejoinTypography"]),
    library(
        "RejoinChat",
        [
            "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinSync", "RejoinReadState",
            "RejoinFlags", "RejoinPipeline", "RejoinStore", "RejoinWire", "RejoinKit",
            "RejoinHTTP", "RejoinWebSocket", "RejoinLayout", "RejoinTypography",
        ]),
    library(
        "RejoinContracts",
        [
            "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinSync", "RejoinReadState",
            "RejoinJSON", "RejoinPipeline", "RejoinStore", "RejoinWire", "RejoinKit",
            "RejoinFlags", "RejoinLayout",
        ]),
    library(
        "RejoinSimulation",
        [
            "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinSync", "RejoinReadState",
            "RejoinPipeline", "RejoinStore", "RejoinWire", "RejoinKit",
        ]),
    library(
        "RejoinServer",
        [
            "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinJSON", "RejoinWire",
            .target(name: "CSQLite", condition: linux),
            .target(name: "CLibWebSockets", condition: linux),
            .target(name: "COpenSSL", condition: linux),
        ]),
]

/// What the plugins run, in a library so that tests reach it. It is built on the host's machine
/// whenever a host uses a plugin, so it must stay small and free of system libraries.
let tooling: [Target] = [
    library("RejoinFlagsTooling", ["RejoinFlags", "RejoinJSON"]),
    .executableTarget(
        name: "RejoinFlagsTool", dependencies: ["RejoinFlags", "RejoinFlagsTooling"],
        swiftSettings: settings),
]

let plugins: [Target] = [
    .plugin(
        name: "RejoinFlagsCodegen", capability: .buildTool(), dependencies: ["RejoinFlagsTool"]),
    .plugin(
        name: "RejoinFlagsLint",
        capability: .command(
            intent: .custom(verb: "flags-lint", description: "Find mistakes in flags files")),
        dependencies: ["RejoinFlagsTool"]),
    .plugin(
        name: "RejoinFlagsRollout",
        capability: .command(
            intent: .custom(
                verb: "flags-rollout", description: "Ramp a flag of a flags file, or take it back"),
            permissions: [
                .writeToPackageDirectory(
                    reason: "It writes the new weights into the flags file, and nothing else.")
            ]),
        dependencies: ["RejoinFlagsTool"]),
]

let systemLibraries: [Target] = [
    .systemLibrary(
        name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
        name: "CLibWebSockets", pkgConfig: "libwebsockets",
        providers: [.apt(["libwebsockets-dev"])]),
    .systemLibrary(
        name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
        name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(
        name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
]

let libraryNames = libraries.map(\.name)

let programs: [Target] = [
    .executableTarget(
        name: "RejoinCLI",
        dependencies: [
            "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinSync", "RejoinReadState",
            "RejoinJSON", "RejoinPipeline", "RejoinLegacyPipeline", "RejoinStore", "RejoinWire",
            "RejoinKit", "RejoinHTTP", "RejoinWebSocket", "RejoinChat", "RejoinContracts",
            "RejoinServer", "RejoinSimulation", "RejoinFlags", "RejoinLayout", "RejoinTypography",
        ],
        swiftSettings: settings)
]

/// What a test target of a library may import: the library itself, what the library imports,
/// and the contracts with their fakes.
func unitTests(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [])
    -> Target
{
    tests("\(name)Tests", [.target(name: name)] + dependencies, resources: resources)
}

/// What the contract checks of a library are run against, beside the fakes.
let contractPeers: [String: [Target.Dependency]] = [
    "RejoinChat": ["RejoinServer"],
    "RejoinServer": [
        "RejoinTime", "RejoinModel", "RejoinWire", "RejoinKit", "RejoinHTTP", "RejoinWebSocket",
    ],
    "RejoinPipeline": ["RejoinTime", "RejoinModel"],
    "RejoinLegacyPipeline": ["RejoinModel", "RejoinPipeline"],
    "RejoinSimulation": ["RejoinTime", "RejoinModel", "RejoinSync"],
    "RejoinTypography": ["RejoinLayout"],
    "RejoinUIKit": ["RejoinModel", "RejoinLayout"],
]

let testTargets: [Target] =
    [
        unitTests("RejoinTime"),
        unitTests("RejoinModel", ["RejoinTime", "RejoinContracts"]),
        unitTests("RejoinTransport", ["RejoinTime", "RejoinContracts"]),
        unitTests("RejoinSync", ["RejoinTime", "RejoinModel", "RejoinContracts"]),
        unitTests("RejoinReadState", ["RejoinTime", "RejoinModel", "RejoinContracts"]),
        unitTests(
            "RejoinLayout", ["RejoinTime", "RejoinModel", "RejoinContracts"],
            resources: [.copy("Vectors")]),
        unitTests(
            "RejoinTypography", ["RejoinModel", "RejoinLayout", "RejoinContracts"],
            resources: [.copy("Fonts"), .copy("Gallery")]),
        unitTests("RejoinUIKit", ["RejoinModel", "RejoinLayout", "RejoinContracts"]),
        unitTests("RejoinJSON", ["RejoinContracts"]),
        unitTests(
            "RejoinFlags", ["RejoinTime", "RejoinJSON", "RejoinContracts"],
            resources: [.copy("Vectors"), .copy("Oracle")]),
        unitTests(
            "RejoinFlagsTooling", ["RejoinFlags", "RejoinJSON", "RejoinContracts"],
            resources: [.copy("Fixtures")]),
        unitTests(
            "RejoinPipeline",
            ["RejoinTime", "RejoinModel", "RejoinSync", "RejoinReadState", "RejoinContracts"]),
        unitTests(
            "RejoinLegacyPipeline",
            ["RejoinTime", "RejoinModel", "RejoinSync", "RejoinPipeline", "RejoinContracts"]),
        unitTests(
            "RejoinStore", ["RejoinTime", "RejoinModel", "RejoinPipeline", "RejoinContracts"]),
        unitTests("RejoinWire", ["RejoinTime", "RejoinModel", "RejoinJSON", "RejoinContracts"]),
        unitTests(
            "RejoinKit",
            [
                "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinSync", "RejoinReadState",
                "RejoinFlags", "RejoinPipeline", "RejoinStore", "RejoinWire", "RejoinContracts",
            ]),
        unitTests("RejoinHTTP", ["RejoinWire", "RejoinServer", "RejoinContracts"]),
        unitTests(
            "RejoinWebSocket",
            ["RejoinTime", "RejoinTransport", "RejoinServer", "RejoinWire", "RejoinContracts"]),
        unitTests("RejoinChat", ["RejoinTime", "RejoinServer", "RejoinContracts"]),
        unitTests(
            "RejoinContracts",
            [
                "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinSync", "RejoinReadState",
                "RejoinJSON", "RejoinPipeline", "RejoinStore", "RejoinWire", "RejoinKit",
            ]),
        unitTests(
            "RejoinSimulation",
            [
                "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinSync", "RejoinReadState",
                "RejoinPipeline", "RejoinContracts",
            ]),
        unitTests(
            "RejoinServer",
            [
                "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinWire", "RejoinWebSocket",
                "RejoinHTTP", "RejoinJSON", "RejoinContracts",
            ]),
        unitTests("RejoinCLI", ["RejoinTime", "RejoinModel", "RejoinWire", "RejoinServer"]),
        tests("RejoinStructureTests", []),
        tests(
            "RejoinBrokerTests",
            ["RejoinTime", "RejoinTransport", "RejoinWebSocket", "RejoinContracts"]),
    ]
    + libraryNames.filter { $0 != "RejoinContracts" }.map { name in
        tests(
            "\(name)ContractTests",
            [.target(name: name), "RejoinContracts"] + contractPeers[name, default: []])
    }

let developmentTargets: [Target] =
    isDevelopment
    ? [
        // Counts allocations, which is why it must never be part of a host's build.
        .target(name: "CAllocationCounter", path: "Benchmarks/CAllocationCounter"),
        .executableTarget(
            name: "RejoinBenchmarks",
            dependencies: [
                "CAllocationCounter", "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinJSON",
                "RejoinWire", "RejoinSync", "RejoinPipeline", "RejoinStore", "RejoinKit",
                "RejoinChat", "RejoinServer", "RejoinContracts", "RejoinFlags", "RejoinLayout",
                "RejoinTypography",
                .target(name: "CPango", condition: linux),
            ],
            path: "Benchmarks/RejoinBenchmarks",
            swiftSettings: settings),
        // What is fuzzed, without a fuzzing engine, so that the tests replay the corpora.
        .target(
            name: "RejoinFuzzing",
            dependencies: [
                "RejoinTime", "RejoinModel", "RejoinTransport", "RejoinJSON", "RejoinWire",
                "RejoinWebSocket", "RejoinServer", "RejoinContracts", "RejoinFlags",
            ],
            path: "Fuzz/RejoinFuzzing",
            swiftSettings: settings),
        tests("RejoinFuzzingTests", ["RejoinFuzzing"]),
    ] : []

/// The program that needs libFuzzer to link; `make fuzz` sets the variable and builds it apart.
let fuzzTargets: [Target] =
    environment["REJOIN_FUZZ"] != nil
    ? [
        .executableTarget(
            name: "RejoinFuzzer", dependencies: ["RejoinFuzzing"], path: "Fuzz/RejoinFuzzer",
            swiftSettings: settings)
    ] : []

let package = Package(
    name: "Rejoin",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: libraryNames.map { .library(name: $0, targets: [$0]) }
        + [.executable(name: "rejoin", targets: ["RejoinCLI"])]
        + plugins.map { .plugin(name: $0.name, targets: [$0.name]) },
    targets: libraries + tooling + plugins + systemLibraries + programs + testTargets
        + developmentTargets
        + fuzzTargets,
    swiftLanguageModes: [.v6]
)
