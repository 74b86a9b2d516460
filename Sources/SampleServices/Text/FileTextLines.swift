import Foundation

/// The lines of a file, a pipe, or a terminal.
///
/// - Isolation: None, but only one call at a time. Reading and waiting happen on a dispatch queue of its own.
/// - Lifetime: Everything it opened is closed when it is released.
public final class FileTextLines: TextLines {
    /// The number of bytes after which a call returns with fewer lines, so that a batch of long lines doesn't fill the
    /// memory.
    private static let largestBatch = 16 << 20

    private struct Position {
        /// The open text, or nil before the first line.
        var text: Descriptor?
        var splitter = LineSplitter()
        var isOver = false
        /// The size of the text in bytes, or nil if it is unknown.
        var size: Int?
        var count = 0
        /// Why reading has ended, apart from flaws of a line.
        var failure: TextLinesError?

        var fraction: Double? { size.map { min(Double(count) / Double($0), 1) } }
    }

    /// The path of the file, or another name for the text.
    public let file: String

    private let open: @Sendable () throws(SystemError) -> Descriptor
    private let position = Lock(Position())
    private let queue = DispatchQueue(label: "relux.sample.text-lines")
    private let alarm = Alarm()

    /// Reads a file. The file is opened by the first call of `next(_:)`.
    public convenience init(path: String) {
        self.init(file: path) { () throws(SystemError) in try FileSystem.openFile(path, O_RDONLY) }
    }

    /// Reads an open descriptor of this process, which stays open.
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
        while position.splitter.lines.count < count, position.splitter.size < Self.largestBatch, !position.isOver,
            position.splitter.flaw == nil
        {
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
