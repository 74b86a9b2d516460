import Foundation

/// Where texts go, data to standard output and everything else to standard error; and where answers come from.
struct Console: Sendable {
    /// How to write on standard output.
    let style: Style

    /// How to write on standard error.
    let errorStyle: Style

    /// Whether a person reads standard output while it is written.
    let outputIsTerminal: Bool

    /// Whether a person reads standard error while it is written.
    let errorIsTerminal: Bool

    /// Whether a person can be asked: they read standard error, and type on standard input.
    let canAsk: Bool

    /// Writes data.
    let output: @Sendable (String) -> Void

    /// Writes everything else.
    let error: @Sendable (String) -> Void

    /// Waits for a line of standard input; nil at its end.
    let answer: @Sendable () async -> String?

    /// Writes lines of data.
    func print(_ lines: [String]) {
        if !lines.isEmpty { output(lines.joined(separator: "\n") + "\n") }
    }

    /// Writes why it came to nothing.
    func complain(_ lines: [String]) {
        for (index, line) in lines.enumerated() {
            error((index == 0 ? errorStyle(.failure, "\(Texts.program): ") : "") + line + "\n")
        }
    }
}

extension Console {
    /// The console of this process. It ends the process when nobody reads its output any more.
    static func standard(environment: [String: String], ending: ProcessEnding) -> Console {
        Console(
            style: Style(isTerminal: isatty(STDOUT_FILENO) == 1, environment: environment),
            errorStyle: Style(isTerminal: isatty(STDERR_FILENO) == 1, environment: environment),
            outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorIsTerminal: isatty(STDERR_FILENO) == 1,
            canAsk: isatty(STDERR_FILENO) == 1 && isatty(STDIN_FILENO) == 1,
            output: { text in
                guard let code = write(text, to: STDOUT_FILENO) else { return }
                // Who closed the pipe has seen enough, which is no failure.
                if code == EPIPE { ending.end(with: ExitStatus.success.rawValue) }
                _ = write("\(Texts.program): \(Texts.unwritable(code))\n", to: STDERR_FILENO)
                ending.end(with: ExitStatus.failure.rawValue)
            },
            // Where even this can't be written there is nobody left to tell.
            error: { text in _ = write(text, to: STDERR_FILENO) },
            answer: {
                // A thread of its own: those that run tasks are few, and people take their time.
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { continuation.resume(returning: readLine(strippingNewline: true)) }
                }
            }
        )
    }

    /// Writes all of a text.
    ///
    /// - Returns: The error number of what kept it from being written, or nil.
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                // Somebody has made the terminal or pipe one that doesn't wait; so wait here.
                var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&readiness, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
