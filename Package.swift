// swift-tools-version: 6.2

import PackageDescription

let package = Package(
    name: "Relux",
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Relux", targets: ["Relux"]),
        // One copy for several dynamic libraries. The other products are linked statically with whatever uses them.
        .library(
            name: "Relux-dynamic", type: .dynamic,
            targets: ["Relux", "ReluxDiagnostics", "ReluxPersistence", "ReluxQueries"]
        ),
        .library(name: "ReluxPersistence", targets: ["ReluxPersistence"]),
        .library(name: "ReluxQueries", targets: ["ReluxQueries"]),
        .library(name: "ReluxTesting", targets: ["ReluxTesting"]),
        .library(name: "ReluxDiagnostics", targets: ["ReluxDiagnostics"]),
        .executable(name: "sample-cli", targets: ["sample-cli"]),
    ],
    targets: [
        .target(name: "Relux", exclude: ["Core/README.md"]),
        .target(
            name: "ReluxDiagnostics",
            dependencies: ["Relux"],
            // In the code, so that the page needs no bundle at run time.
            resources: [.embedInCode("Timeline/Page")]
        ),
        .target(name: "ReluxPersistence", dependencies: ["Relux"]),
        .target(name: "ReluxQueries", dependencies: ["Relux"]),
        .target(
            name: "ReluxTesting", dependencies: ["Relux", "ReluxDiagnostics", "ReluxPersistence", "ReluxQueries"]),
        .target(name: "SampleServices", exclude: ["README.md"]),
        .target(
            name: "SampleDomain",
            dependencies: ["Relux", "ReluxPersistence", "SampleServices"],
            exclude: ["README.md"]
                + ["Items", "Navigation", "Pets", "Session", "Settings", "Users"].map { "\($0)/README.md" }
        ),
        .executableTarget(
            name: "sample-cli",
            dependencies: ["Relux", "ReluxDiagnostics", "ReluxPersistence", "SampleDomain", "SampleServices"],
            exclude: ["README.md"]
        ),
        .target(name: "TestFixtures", dependencies: ["Relux"], path: "Tests/Fixtures"),
        .testTarget(name: "ReluxTests", dependencies: ["Relux", "ReluxTesting", "TestFixtures"]),
        .testTarget(
            name: "ReluxMainActorTests",
            dependencies: ["Relux", "ReluxTesting"],
            swiftSettings: [.defaultIsolation(MainActor.self)]
        ),
        // The code of the guides, out of sight of the fixtures of ReluxTests.
        .testTarget(name: "GuideTests", dependencies: ["Relux", "ReluxTesting", "TestFixtures"]),
        .executableTarget(
            name: "SavingProgram", dependencies: ["Relux", "ReluxPersistence"], path: "Tests/SavingProgram"
        ),
        .testTarget(
            name: "ReluxDiagnosticsTests", dependencies: ["Relux", "ReluxDiagnostics", "ReluxTesting"]),
        .testTarget(
            name: "ReluxPersistenceTests",
            dependencies: ["Relux", "ReluxPersistence", "ReluxTesting", "SavingProgram", "TestFixtures"]
        ),
        .testTarget(
            name: "ReluxQueriesTests",
            dependencies: ["Relux", "ReluxPersistence", "ReluxQueries", "ReluxTesting", "TestFixtures"]
        ),
        .testTarget(
            name: "ReluxTestingTests",
            dependencies: ["Relux", "ReluxDiagnostics", "ReluxPersistence", "ReluxTesting", "TestFixtures"]
        ),
        .target(name: "LoopbackServer", dependencies: ["Relux"], path: "Tests/LoopbackServer"),
        .testTarget(name: "SampleServicesTests", dependencies: ["LoopbackServer", "ReluxTesting", "SampleServices"]),
        .testTarget(
            name: "SampleDomainTests",
            dependencies: [
                "LoopbackServer", "Relux", "ReluxPersistence", "ReluxTesting", "SampleDomain", "SampleServices",
                "TestFixtures",
            ]
        ),
        .testTarget(
            name: "sample-cliTests",
            dependencies: [
                "LoopbackServer", "Relux", "ReluxPersistence", "ReluxTesting", "SampleDomain", "SampleServices",
                "sample-cli",
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)

// Continuous integration sets these; see `.ci/run`.

if Context.environment["RELUX_WARNINGS_ARE_ERRORS"] != nil {
    for target in package.targets {
        target.swiftSettings = (target.swiftSettings ?? []) + [.treatAllWarnings(as: .error)]
    }
}

if Context.environment["RELUX_COVERAGE"] != nil {
    for target in package.targets where target.name == "Relux" {
        target.swiftSettings =
            (target.swiftSettings ?? []) + [.unsafeFlags(["-profile-generate", "-profile-coverage-mapping"])]
        // Whatever links the library counts.
        target.linkerSettings = [.unsafeFlags(["-profile-generate"])]
    }
}

/// Products, targets, and files or folders of targets, such as `ReluxTests/Laws`, that aren't built.
let leftOut = (Context.environment["RELUX_LEFT_OUT"] ?? "").split(separator: " ").map(String.init)
package.products.removeAll { leftOut.contains($0.name) }
package.targets.removeAll { leftOut.contains($0.name) }
for target in package.targets {
    let folder = target.name + "/"
    target.exclude += leftOut.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
}
