import Foundation

/// An open file, which closes when its last owner lets go of it. The system drops a lock on it at the same time.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes an open file over.
    init(owning number: Int32) {
        self.number = number
    }

    deinit {
        close(number)
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
}
