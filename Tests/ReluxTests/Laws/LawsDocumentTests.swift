import Foundation
import Testing

@Suite("Docs/Laws.md", .timeLimit(.minutes(10)))
struct LawsDocumentTests {
    private struct Section {
        let title: String
        var files: [String: [String]] = [:]
    }

    private let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the sections of the page, with the tests that they list for each file.
    private func sections() throws -> [Section] {
        var sections: [Section] = []
        var file: String?
        for line in try text(at: "Docs/Laws.md").split(separator: "\n").map(String.init) {
            if line.hasPrefix("## ") {
                sections.append(Section(title: String(line.dropFirst(3))))
                file = nil
            } else if line.hasPrefix("["), let start = line.range(of: "(../"), let end = line.range(of: "):") {
                file = String(line[start.upperBound..<end.lowerBound])
            } else if line.hasPrefix("- "), let file {
                sections[sections.count - 1].files[file, default: []].append(String(line.dropFirst(2)))
            }
        }
        return sections
    }

    private func text(at path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    @Test("every law has its own section with tests, in order")
    func everyLaw() throws {
        let sections = try sections()

        #expect(sections.map { $0.title.prefix { $0 != "." } } == (1...27).map { "\($0)" })
        for section in sections {
            #expect(!section.files.isEmpty, "\(section.title)")
            #expect(section.files.values.allSatisfy { !$0.isEmpty }, "\(section.title)")
        }
    }

    @Test("each section lists exactly the tests of its files")
    func everyTest() throws {
        let name = /@Test\(\s*"((?:[^"\\]|\\.)*)"/

        for section in try sections() {
            for (file, listed) in section.files {
                let held = try text(at: file).matches(of: name).map { String($0.1) }

                #expect(listed == held, "\(file)")
            }
        }
    }
}
