// swift-tools-version: 6.2

import PackageDescription

// What `Benchmarks/compile-times` builds: one small feature, as an app would have it.
let package = Package(
    name: "CompileTime",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Relux", path: "../..")],
    targets: [.target(name: "Feature", dependencies: [.product(name: "Relux", package: "Relux")])],
    swiftLanguageModes: [.v6]
)
