// swift-tools-version: 6.2

import PackageDescription

let relux = Target.Dependency.product(name: "Relux", package: "Relux")
let testing = Target.Dependency.product(name: "ReluxTesting", package: "Relux")
let persistence = Target.Dependency.product(name: "ReluxPersistence", package: "Relux")

/// A lesson: a target and its tests.
///
/// - Parameters:
///   - products: What the target uses besides Relux.
///   - tools: What only its tests use.
func lesson(_ name: String, products: [Target.Dependency] = [], tools: [Target.Dependency] = []) -> [Target] {
    [
        .target(name: name, dependencies: [relux] + products, exclude: ["README.md"]),
        .testTarget(name: "\(name)Tests", dependencies: [.target(name: name), testing] + products + tools),
    ]
}

/// The lessons, in the order of learning, and the code of the cookbook.
let lessons = ["Counter", "Search", "Downloads", "Chat", "SignIn", "Cookbook"].flatMap { lesson($0) }

/// Relux beside other packages, and beside other code.
let combinations = [
    lesson("SQLite", products: [persistence, .product(name: "GRDB", package: "GRDB.swift")]),
    lesson(
        "Lifecycle",
        products: [persistence, .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")],
        tools: [.product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle")]),
    lesson(
        "Logs",
        products: [.product(name: "Logging", package: "swift-log")],
        tools: [.product(name: "InMemoryLogging", package: "swift-log")]),
    lesson(
        "Traces",
        products: [.product(name: "Tracing", package: "swift-distributed-tracing")],
        tools: [.product(name: "InMemoryTracing", package: "swift-distributed-tracing")]),
    lesson(
        "Sessions",
        products: [.product(name: "Hummingbird", package: "hummingbird")],
        tools: [.product(name: "NIOEmbedded", package: "swift-nio")]),
    lesson("Adoption"),
].flatMap { $0 }

let package = Package(
    name: "Examples",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [
        .package(name: "Relux", path: ".."),
        .package(path: "InterfacePackages/Cart"),
        .package(path: "InterfacePackages/Catalog"),
        .package(path: "InterfacePackages/Checkout"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: lessons + combinations + [
        // The package that "Getting started" builds.
        .executableTarget(name: "hello", dependencies: [relux]),
        .testTarget(name: "helloTests", dependencies: ["hello", testing]),
        // The only place that uses the implementations of two domains, as an application does.
        .testTarget(
            name: "InterfacePackagesTests",
            dependencies: [testing, .product(name: "Checkout", package: "Checkout")]
                + ["Cart", "Catalog"].flatMap { domain in
                    ["Interface", "Implementation", "TestSupport"]
                        .map { Target.Dependency.product(name: domain + $0, package: domain) }
                }
        ),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets {
    target.swiftSettings = [.treatAllWarnings(as: .error)]
}
