// swift-tools-version: 6.2

import PackageDescription

let relux = Target.Dependency.product(name: "Relux", package: "Relux")

let package = Package(
    name: "Cart",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        // For other features: what they may import.
        .library(name: "CartInterface", targets: ["CartInterface", "CartModels"]),
        // For the application alone.
        .library(name: "CartImplementation", targets: ["CartImplementation", "CartService"]),
        // For tests of other features.
        .library(name: "CartTestSupport", targets: ["CartTestSupport"]),
    ],
    dependencies: [.package(name: "Relux", path: "../../..")],
    targets: [
        .target(name: "CartModels"),
        .target(name: "CartInterface", dependencies: ["CartModels", relux]),
        .target(name: "CartService", dependencies: ["CartModels"]),
        .target(name: "CartImplementation", dependencies: ["CartInterface", "CartService", relux]),
        .target(name: "CartTestSupport", dependencies: ["CartInterface", "CartService", relux]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
