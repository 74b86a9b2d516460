// swift-tools-version: 6.2

import PackageDescription

let relux = Target.Dependency.product(name: "Relux", package: "Relux")
let testing = Target.Dependency.product(name: "ReluxTesting", package: "Relux")

/// The lessons, in the order of learning, and the code of the cookbook.
let lessons = ["Counter", "Search", "Downloads", "Chat", "SignIn", "Cookbook"].flatMap { name -> [Target] in
    [
        .target(name: name, dependencies: [relux], exclude: ["README.md"]),
        .testTarget(name: "\(name)Tests", dependencies: [.target(name: name), testing]),
    ]
}

let package = Package(
    name: "Examples",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "Relux", path: "..")],
    targets: lessons + [
        // The package that "Getting started" builds.
        .executableTarget(name: "hello", dependencies: [relux]),
        .testTarget(name: "helloTests", dependencies: ["hello", testing]),
    ],
    swiftLanguageModes: [.v6]
)
