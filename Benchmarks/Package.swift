// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "Relux", path: ".."),
        // Its traits are disabled because they replace malloc and parts of the runtime. `budgets` counts allocations
        // itself.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .target(name: "Opaque"),
        .target(name: "Probes"),
        .target(name: "Baselines", dependencies: [.product(name: "Relux", package: "Relux")]),
        .target(
            name: "Workloads",
            dependencies: [
                "Baselines", "Opaque", .product(name: "Relux", package: "Relux"),
                .product(name: "ReluxDiagnostics", package: "Relux"),
                .product(name: "ReluxPersistence", package: "Relux"),
                .product(name: "ReluxQueries", package: "Relux"), .product(name: "ReluxTesting", package: "Relux"),
            ]
        ),
        .executableTarget(name: "smallest", dependencies: [.product(name: "Relux", package: "Relux")]),
        .executableTarget(name: "budgets", dependencies: ["Probes", "Workloads"]),
        .executableTarget(
            name: "ReluxBenchmarks",
            dependencies: ["Workloads", .product(name: "Benchmark", package: "benchmark")],
            path: "Benchmarks/ReluxBenchmarks",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
