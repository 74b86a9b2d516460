import Foundation

/// The input and output of the program. Data go to standard output, everything else goes to standard error.
struct Console: Sendable {
    let style: Style
    let errorStyle: Style
    let errorIsTerminal: Bool
    /// Whether questions can be asked: both standard error and standard input are terminals.
    let canAsk: Bool
    let output: @Sendable (String) -> Void
    let error: @Sendable (String) -> Void
    /// Waits for a line from standard input. The result is nil at its end.
    let answer: @Sendable () async -> String?
    var isJSON = false

    func print(_ lines: [String]) {
        if !lines.isEmpty { output(lines.joined(separator: "\n") + "\n") }
    }

    /// Asks a question, and returns whether the answer is yes.
    func confirms(_ question: String) async -> Bool {
        error("\(question) [y/N] ")
        let answer = await answer()
        // At the end of the input, the cursor is still in the line of the question.
        if answer == nil { error("\n") }
        return ["y", "yes"].contains(answer?.trimmingCharacters(in: .whitespaces).lowercased())
    }

    /// Writes an error message: for people as it is, for scripts as an object with the code.
    func complain(_ lines: [String], as code: String) {
        let object = ["code": code, "message": lines.joined(separator: " ")]
        if isJSON, let line = try? Self.json(object) { return error(line + "\n") }
        for (index, line) in lines.enumerated() {
            error((index == 0 ? errorStyle(.failure, "\(Texts.program): ") : "") + line + "\n")
        }
    }
}

extension Console {
    /// One line of JSON, with sorted keys and dates in ISO 8601.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// The console of this process. It ends the process if its output can't be written.
    static func standard(environment: [String: String], ending: ProcessEnding) -> Console {
        Console(
            style: Style(isTerminal: isatty(STDOUT_FILENO) == 1, environment: environment),
            errorStyle: Style(isTerminal: isatty(STDERR_FILENO) == 1, environment: environment),
            errorIsTerminal: isatty(STDERR_FILENO) == 1,
            canAsk: isatty(STDERR_FILENO) == 1 && isatty(STDIN_FILENO) == 1,
            output: { text in
                guard let code = Descriptor.write(text, to: STDOUT_FILENO) else { return }
                // Closing the pipe isn't a failure: the reader doesn't need any more output.
                if code == EPIPE { ending.end(with: ExitStatus.success.rawValue) }
                _ = Descriptor.write("\(Texts.program): \(Texts.unwritable(code))\n", to: STDERR_FILENO)
                ending.end(with: ExitStatus.failure.rawValue)
            },
            // If standard error can't be written, there is no other place to report it.
            error: { text in _ = Descriptor.write(text, to: STDERR_FILENO) },
            answer: {
                // A thread of its own, because the pool has few threads and a user may take a long time.
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { continuation.resume(returning: readLine(strippingNewline: true)) }
                }
            }
        )
    }
}
