import Foundation

/// An empty folder that is removed with its last reference.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "relux-\(UUID())").path(percentEncoded: false)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path(of: name)))
    }

    func read(_ name: String) throws -> String {
        try String(contentsOf: URL(filePath: path(of: name)), encoding: .utf8)
    }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    /// Makes every save of the list fail, until the obstacle is removed.
    func obstructSaves() throws {
        try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
    }

    func removeObstacle() throws { try FileManager.default.removeItem(atPath: obstacle) }

    /// The name of the file that is about to replace the list.
    private var obstacle: String { path(of: "items.saved.tmp") }
}
