// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Checkout",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "Checkout", targets: ["Checkout"])],
    dependencies: [
        .package(name: "Relux", path: "../../.."),
        .package(path: "../Cart"),
        .package(path: "../Catalog"),
    ],
    targets: [
        .target(
            name: "Checkout",
            dependencies: [
                .product(name: "CartInterface", package: "Cart"),
                .product(name: "CatalogInterface", package: "Catalog"),
                .product(name: "Relux", package: "Relux"),
            ]
        )
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
