// swift-tools-version: 6.2

import PackageDescription

let relux = Target.Dependency.product(name: "Relux", package: "Relux")

let package = Package(
    name: "Catalog",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        // For other features: what they may import.
        .library(name: "CatalogInterface", targets: ["CatalogInterface", "CatalogModels"]),
        // For the application alone.
        .library(name: "CatalogImplementation", targets: ["CatalogImplementation", "CatalogService"]),
        // For tests of other features.
        .library(name: "CatalogTestSupport", targets: ["CatalogTestSupport"]),
    ],
    dependencies: [.package(name: "Relux", path: "../../..")],
    targets: [
        .target(name: "CatalogModels"),
        .target(name: "CatalogInterface", dependencies: ["CatalogModels", relux]),
        .target(name: "CatalogService", dependencies: ["CatalogModels"]),
        .target(name: "CatalogImplementation", dependencies: ["CatalogInterface", "CatalogService", relux]),
        .target(name: "CatalogTestSupport", dependencies: ["CatalogInterface", "CatalogService", relux]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
