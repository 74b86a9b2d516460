import Foundation

/// A terminal that a child process can write to, and a test read from.
final class PseudoTerminal: Sendable {
    /// The side that a test reads what is shown from, and writes keys to.
    let main: Int32

    /// The path of the side that the child process gets.
    let path: String

    private let other: Int32

    /// The side that the child process gets.
    var handle: FileHandle { FileHandle(fileDescriptor: other) }

    init() throws {
        #if canImport(Darwin)
            main = posix_openpt(O_RDWR | O_NOCTTY)
            guard main >= 0, grantpt(main) == 0, unlockpt(main) == 0, let name = ptsname(main) else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            path = String(cString: name)
        #else
            // What the functions above do on Linux; its module hides them from Swift.
            main = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (number, lock) = (Int32(0), Int32(0))
            guard main >= 0, ioctl(main, 0x4004_5431, &lock) == 0, ioctl(main, 0x8004_5430, &number) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            path = "/dev/pts/\(number)"
        #endif
        other = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    }

    deinit {
        close(main)
        close(other)
    }

    /// Types a text, which waits there until somebody reads it. A line ends with a line feed; the end of all is
    /// control-D.
    func type(_ text: String) throws {
        try FileHandle(fileDescriptor: main).write(contentsOf: Data(text.utf8))
    }

    /// What has been written so far, as far as the terminal keeps it.
    func read() -> String {
        _ = fcntl(main, F_SETFL, O_NONBLOCK)
        var (chunk, all) = ([UInt8](repeating: 0, count: 4_096), [UInt8]())
        while true {
            // One read gives what came with one write, and not always more.
            let count = Foundation.read(main, &chunk, chunk.count)
            if count <= 0 { return String(decoding: all, as: UTF8.self) }
            all += chunk.prefix(count)
        }
    }
}
