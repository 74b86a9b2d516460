import Foundation

/// Measures the text of an executable, as `size` counts it: code, constants and unwind tables.
enum TextSize {
    /// Returns the text of a program beside the running one, in bytes, without its debug information.
    static func ofProgram(named name: String) throws -> Double {
        guard let strip = Child.find("strip"), let size = Child.find("size") else { throw ProbeError.noStrip }
        let program = try Child.ownProgram().deletingLastPathComponent().appending(path: name)
        let stripped = FileManager.default.temporaryDirectory.appending(path: "relux-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: stripped) }
        _ = try Child.run(strip, ["-o", stripped.path(), program.path()])
        let output = try Child.run(size, ["--format=berkeley", stripped.path()]).standard
        // The first figure of the second line.
        guard let line = output.split(separator: "\n").dropFirst().first,
            let text = line.split(whereSeparator: \.isWhitespace).first.flatMap({ Double($0) })
        else { throw ProbeError.unreadable(command: "size", output: output) }
        return text
    }
}
