// swift-tools-version: 6.2

import PackageDescription

// With STATIC_RELUX, each library and the program contain a copy of Relux. Their first store refuses to work.
let relux = Target.Dependency.product(
    name: Context.environment["STATIC_RELUX"] == nil ? "Relux-dynamic" : "Relux", package: "Relux")

let package = Package(
    name: "App",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Relux", path: "../../.."),
        .package(path: "../Features"),
    ],
    targets: [
        .executableTarget(
            name: "program",
            dependencies: [
                relux,
                .product(name: "Counting", package: "Features"),
                .product(name: "Noting", package: "Features"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)
