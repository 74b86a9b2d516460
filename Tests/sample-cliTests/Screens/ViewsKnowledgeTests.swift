import Foundation
import Testing

/// What the views of the full-screen interface may know.
@Suite struct ViewsKnowledgeTests {
    private let screens = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/sample-cli/Screens")

    /// The code of each file in a folder, without comments.
    private func code(in folder: String) throws -> [String: String] {
        let files = try FileManager.default.contentsOfDirectory(
            at: screens.appending(path: folder), includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "swift" }.reduce(into: [:]) { code, file in
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            code[file.lastPathComponent] =
                lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        }
    }

    @Test func `views know props and callbacks, and nothing about a store`() throws {
        let views = try code(in: "Views")

        #expect(views.count >= 10)
        for (file, code) in views {
            for word in [
                "Store", "Dispatcher", "dispatcher", "SagaContext", "dispatch(", "perform(", ".send(", "Command",
            ] {
                #expect(!code.contains(word), "\(file) mentions \(word)")
            }
        }
    }

    @Test func `only containers dispatch`() throws {
        let containers = try code(in: "Containers")

        #expect(containers.values.contains { $0.contains("dispatch(") })
        #expect(containers.values.contains { $0.contains("dispatcher.perform(") })
        let others = try String(contentsOf: screens.appending(path: "Interface.swift"), encoding: .utf8)
        for word in ["dispatch(", "perform(", ".send("] { #expect(!others.contains(word)) }
    }
}
