// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "RealWorld",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Relux", path: "../..")],
    targets: [
        .target(
            name: "Conduit",
            dependencies: [
                .product(name: "Relux", package: "Relux"), .product(name: "ReluxPersistence", package: "Relux"),
                .product(name: "ReluxQueries", package: "Relux"),
            ]
        ),
        .target(name: "ConduitServer"),
        .executableTarget(
            name: "conduit-cli",
            dependencies: [
                "Conduit", "ConduitServer", .product(name: "Relux", package: "Relux"),
                .product(name: "ReluxPersistence", package: "Relux"),
                .product(name: "ReluxQueries", package: "Relux"),
            ]
        ),
        .testTarget(
            name: "ConduitTests",
            dependencies: [
                "Conduit", "ConduitServer", "conduit-cli", .product(name: "ReluxPersistence", package: "Relux"),
                .product(name: "ReluxQueries", package: "Relux"), .product(name: "ReluxTesting", package: "Relux"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
