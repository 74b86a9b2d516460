import Foundation

/// A process that does part of the work.
enum Child {
    /// The output of a process.
    struct Output {
        let standard: String
        let error: String
    }

    /// Runs a program to its end.
    static func run(
        _ program: URL, _ arguments: [String], adding environment: [String: String] = [:]
    ) throws -> Output {
        let folder = FileManager.default.temporaryDirectory
        // Files rather than pipes, because a pipe that isn't drained in time would block the child.
        let outputs = [folder.appending(path: UUID().uuidString), folder.appending(path: UUID().uuidString)]
        defer { for output in outputs { try? FileManager.default.removeItem(at: output) } }
        for output in outputs { try Data().write(to: output) }
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, added in added }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: outputs[0])
        process.standardError = try FileHandle(forWritingTo: outputs[1])
        try process.run()
        process.waitUntilExit()
        let output = Output(
            standard: try String(contentsOf: outputs[0], encoding: .utf8),
            error: try String(contentsOf: outputs[1], encoding: .utf8)
        )
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw ProbeError.failed(
                command: program.lastPathComponent, status: process.terminationStatus, output: output.error
            )
        }
        return output
    }

    /// Returns the program that a shell would find on the path.
    static func find(_ name: String) -> URL? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.lazy
            .map { URL(filePath: String($0)).appending(path: name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path()) }
    }

    /// Returns the path of the running program.
    static func ownProgram() throws -> URL {
        guard let program = Bundle.main.executableURL else {
            throw CocoaError(.fileNoSuchFile)
        }
        return program
    }
}

extension Probe {
    /// Runs the probe in a separate process and returns its figures.
    func figures() throws -> [Double] {
        let program = try Child.ownProgram()
        let output = try Child.run(program, arguments)
        let figures = output.standard.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard !figures.isEmpty else {
            throw ProbeError.unreadable(command: program.lastPathComponent, output: output.standard)
        }
        return figures
    }
}
