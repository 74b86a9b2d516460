// swift-tools-version: 6.2

import PackageDescription

// For its tests, everything is linked statically: `STATIC_RELUX=1 swift test`.
let relux = Target.Dependency.product(
    name: Context.environment["STATIC_RELUX"] == nil ? "Relux-dynamic" : "Relux", package: "Relux")

let package = Package(
    name: "Features",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Counting", type: .dynamic, targets: ["Counting"]),
        .library(name: "Noting", type: .dynamic, targets: ["Noting"]),
    ],
    dependencies: [.package(name: "Relux", path: "../../..")],
    targets: [
        .target(name: "Counting", dependencies: [relux]),
        .target(name: "Noting", dependencies: [relux]),
        .testTarget(
            name: "FeaturesTests",
            dependencies: ["Counting", "Noting", .product(name: "ReluxTesting", package: "Relux")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
