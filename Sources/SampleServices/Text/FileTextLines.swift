import Foundation

/// The lines of a file, a pipe or a terminal.
///
/// - Isolation: None, but one call at a time. It is read, and waited for, on a dispatch queue of its own.
/// - Lifetime: What it has opened is closed with it.
public final class FileTextLines: TextLines {
    private struct Position {
        /// What is being read; nil before the first line.
        var text: Descriptor?
        var splitter = LineSplitter()
        var isOver = false
        /// How many bytes there are; nil where nobody knows.
        var size: Int?
        var count = 0
        /// Why there is no more, apart from what is wrong with a line.
        var failure: TextLinesError?

        var fraction: Double? { size.map { min(Double(count) / Double($0), 1) } }
    }

    /// The path of the file, or what to call it.
    public let file: String

    private let open: @Sendable () throws(SystemError) -> Descriptor
    private let position = Lock(Position())
    private let queue = DispatchQueue(label: "relux.sample.text-lines")
    private let alarm = Alarm()

    /// Reads a file. It is opened with the first line.
    ///
    /// - Parameter path: The path of the file.
    public convenience init(path: String) {
        self.init(file: path) { () throws(SystemError) in try FileSystem.openFile(path, O_RDONLY) }
    }

    /// Reads what this process gets on an open descriptor, which stays open.
    ///
    /// - Parameters:
    ///   - descriptor: The number of the descriptor: 0 for standard input.
    ///   - name: What to call it in errors.
    public convenience init(descriptor: Int32, name: String) {
        self.init(file: name) { () throws(SystemError) in
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            if copy < 0 { throw .last }
            return Descriptor(owning: copy)
        }
    }

    private init(file: String, open: @escaping @Sendable () throws(SystemError) -> Descriptor) {
        self.file = file
        self.open = open
    }

    /// Reads the next lines.
    ///
    /// - Parameter count: How many lines to read, one at least.
    /// - Returns: So many lines; at the end, or before a line that can't be read, fewer; after the end nil.
    /// - Throws: What kept the next line from being read; then there are no more.
    public func next(_ count: Int) async throws(TextLinesError) -> TextLinesBatch? {
        let result: Result<TextLinesBatch?, TextLinesError> = await withTaskCancellationHandler {
            do throws(TextLinesError) {
                return .success(
                    try await queue.perform { () throws(TextLinesError) in
                        try self.position.withLock { (position) throws(TextLinesError) in
                            try self.read(max(count, 1), at: &position)
                        }
                    })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            alarm.ring()
        }
        return try result.get()
    }

    private func read(_ count: Int, at position: inout Position) throws(TextLinesError) -> TextLinesBatch? {
        var chunk: [UInt8] = []
        while position.splitter.lines.count < count, !position.isOver, position.splitter.flaw == nil {
            do throws(SystemError) {
                let text = try openText(at: &position)
                if chunk.isEmpty { chunk = [UInt8](repeating: 0, count: 65_536) }
                guard try alarm.wait(for: text) else { throw SystemError(code: ECANCELED) }
                let length = Foundation.read(text.number, &chunk, chunk.count)
                if length > 0 {
                    position.count += length
                    position.splitter.append(chunk[..<length])
                } else if length == 0 {
                    position.splitter.finish()
                    position.isOver = true
                } else if errno != EINTR, errno != EAGAIN {
                    throw .last
                }
            } catch {
                if error.code == ECANCELED { throw TextLinesError(.cancelled, file: file) }
                position.isOver = true
                position.failure = TextLinesError(error, file: file)
            }
        }
        let lines = position.splitter.take(count)
        if !lines.isEmpty { return TextLinesBatch(lines: lines, fraction: position.fraction) }
        switch position.splitter.flaw {
        case .invalidUTF8(let line): throw TextLinesError(.invalidUTF8, file: file, line: line)
        case .longLine(let line):
            throw TextLinesError(.longLine(limit: LineSplitter.longestLine), file: file, line: line)
        case nil:
            if let failure = position.failure { throw failure }
            return nil
        }
    }

    private func openText(at position: inout Position) throws(SystemError) -> Descriptor {
        if let text = position.text { return text }
        let text = try open()
        let stamp = try FileStamp(of: text)
        if stamp.isFile, stamp.size > 0 { position.size = stamp.size }
        position.text = text
        return text
    }
}
