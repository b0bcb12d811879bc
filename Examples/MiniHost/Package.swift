// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "MiniHost",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Rejoin", path: "../..")],
    targets: [
        .executableTarget(
            name: "MiniHost",
            dependencies: [
                .product(name: "RejoinChat", package: "Rejoin"),
                .product(name: "RejoinJSON", package: "Rejoin"),
                .product(name: "RejoinServer", package: "Rejoin"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
