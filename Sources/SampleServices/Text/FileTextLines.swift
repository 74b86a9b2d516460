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
        /// Why reading has ended, apart from flaws of a line.
        var failure: StorageError?
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
    public func next(_ count: Int) async throws(StorageError) -> [String]? {
        let result: Result<[String]?, StorageError> = await withTaskCancellationHandler {
            do throws(StorageError) {
                return .success(
                    try await queue.perform { () throws(StorageError) in
                        try self.position.withLock { (position) throws(StorageError) in
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

    private func read(_ count: Int, at position: inout Position) throws(StorageError) -> [String]? {
        var chunk: [UInt8] = []
        while position.splitter.lines.count < count, position.splitter.size < Self.largestBatch, !position.isOver,
            position.splitter.flaw == nil
        {
            do throws(SystemError) {
                let text: Descriptor
                if let opened = position.text { text = opened } else { text = try open() }
                position.text = text
                if chunk.isEmpty { chunk = [UInt8](repeating: 0, count: 65_536) }
                guard try alarm.wait(for: text) else { throw SystemError(code: ECANCELED) }
                let length = Foundation.read(text.number, &chunk, chunk.count)
                if length > 0 {
                    position.splitter.append(chunk[..<length])
                } else if length == 0 {
                    position.splitter.finish()
                    position.isOver = true
                } else if errno != EINTR, errno != EAGAIN {
                    throw .last
                }
            } catch {
                if error.code == ECANCELED { throw StorageError(.cancelled, file: file) }
                position.isOver = true
                let isMissing = error.code == ENOENT || error.code == ENOTDIR
                position.failure =
                    isMissing ? StorageError(.notFound, file: file) : StorageError(error, .read, file: file)
            }
        }
        let lines = position.splitter.take(count)
        if !lines.isEmpty { return lines }
        switch position.splitter.flaw {
        case .invalidUTF8(let line): throw StorageError(.invalidUTF8, file: file, line: line)
        case .longLine(let line):
            throw StorageError(.longLine(limit: LineSplitter.longestLine), file: file, line: line)
        case nil:
            if let failure = position.failure { throw failure }
            return nil
        }
    }
}
