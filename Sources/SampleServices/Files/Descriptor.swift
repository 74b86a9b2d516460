import Foundation

/// An open file, which closes when its last owner lets go of it. The system drops a lock on it at the same time.
final class Descriptor: Sendable {
    let number: Int32

    private let whenClosed: (@Sendable () -> Void)?

    /// Takes an open file over.
    ///
    /// - Parameters:
    ///   - number: The open file.
    ///   - whenClosed: Told when it is closed.
    init(owning number: Int32, whenClosed: (@Sendable () -> Void)? = nil) {
        self.number = number
        self.whenClosed = whenClosed
    }

    deinit {
        close(number)
        whenClosed?()
    }

    /// Everything from the present position to the end.
    func readToEnd(expecting size: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 1)
        var chunk = [UInt8](repeating: 0, count: min(max(size + 1, 4_096), 1 << 20))
        while true {
            let count = read(number, &chunk, chunk.count)
            if count > 0 {
                bytes.append(contentsOf: chunk[..<count])
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw .last
            }
        }
    }

    /// Everything that is there now, of a file that is open for reading without waiting.
    func readWithoutWaiting() -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(number, &chunk, chunk.count)
            if count > 0 {
                bytes.append(contentsOf: chunk[..<count])
            } else if count == 0 || errno != EINTR {
                return bytes
            }
        }
    }
}
