// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "FlagsHost",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Rejoin", path: "../..")],
    targets: [
        .executableTarget(
            name: "FlagsHost",
            dependencies: [.product(name: "RejoinFlags", package: "Rejoin")],
            // The plugin reads the file at build time, the app as the floor of its registry.
            resources: [.copy("chat.flagd.json")],
            plugins: [.plugin(name: "RejoinFlagsCodegen", package: "Rejoin")])
    ],
    swiftLanguageModes: [.v6]
)
