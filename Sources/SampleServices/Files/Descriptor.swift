import Foundation

/// An open file that is closed when its last owner releases it. Closing it also releases any lock held through it.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes ownership of an open file.
    init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Reads everything from the current position to the end.
    ///
    /// - Parameters:
    ///   - size: The expected number of bytes, which determines the size of the buffer.
    ///   - limit: The maximum number of bytes. A file may be sparse, and far larger than what it occupies on the disk.
    /// - Throws: The error of the system, or ``SystemError/tooLarge`` before more than a chunk beyond the limit is
    ///   read.
    func readToEnd(expecting size: Int, limit: Int) throws(SystemError) -> [UInt8] {
        if size > limit { throw .tooLarge }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 1)
        var chunk = [UInt8](repeating: 0, count: min(max(size + 1, 4_096), 1 << 20))
        while true {
            let count = read(number, &chunk, chunk.count)
            if count > 0 {
                bytes.append(contentsOf: chunk[..<count])
                if bytes.count > limit { throw .tooLarge }
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw .last
            }
        }
    }
}
