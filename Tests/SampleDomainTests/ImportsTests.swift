import Foundation
import Testing

/// What the shared parts of the sample may import.
@Suite struct ImportsTests {
    private let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    /// The modules imported by the files below a folder, with any attributes or access levels.
    private func imports(below folder: String) throws -> Set<String> {
        let root = sources.appending(path: folder)
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var modules: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard let keyword = words.firstIndex(of: "import"), keyword + 1 < words.count,
                    words[..<keyword].allSatisfy({ $0.hasPrefix("@") || $0 == "public" || $0 == "package" })
                else { continue }
                modules.insert(String(words[keyword + 1].prefix { $0 != "." }))
            }
        }
        return modules
    }

    @Test func `the domain imports the library, the services, and no user interface`() throws {
        let modules = try imports(below: "SampleDomain")

        #expect(modules.isSuperset(of: ["Relux", "ReluxPersistence", "SampleServices"]))
        #expect(
            modules.subtracting(["Relux", "ReluxPersistence", "SampleServices", "Foundation", "Synchronization"]) == [])
    }

    @Test func `the services import neither the library nor a user interface`() throws {
        let modules = try imports(below: "SampleServices")

        #expect(modules.contains("Foundation"))
        #expect(
            modules.subtracting([
                "Foundation", "FoundationNetworking", "Dispatch", "Synchronization", "Darwin", "Glibc", "Musl",
            ]) == []
        )
    }
}
