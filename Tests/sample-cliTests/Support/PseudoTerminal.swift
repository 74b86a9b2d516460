import Foundation

/// A terminal to which a child process can write and from which a test can read.
final class PseudoTerminal: Sendable {
    /// The side from which the test reads output and to which it writes keys.
    let main: Int32

    /// The path of the child process's side.
    let path: String

    private let other: Int32

    /// The child process's side.
    var handle: FileHandle { FileHandle(fileDescriptor: other) }

    init() throws {
        #if canImport(Darwin)
            main = posix_openpt(O_RDWR | O_NOCTTY)
            guard main >= 0, grantpt(main) == 0, unlockpt(main) == 0, let name = ptsname(main) else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            path = String(cString: name)
        #else
            // The implementation of the functions above on Linux, whose module hides them from Swift.
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

    /// Types text, which is buffered until it is read. A line ends with a line feed, and the input with Control-D.
    func type(_ text: String) throws {
        try FileHandle(fileDescriptor: main).write(contentsOf: Data(text.utf8))
    }

    /// Everything written so far that the terminal has kept.
    func read() -> String {
        _ = fcntl(main, F_SETFL, O_NONBLOCK)
        var (chunk, all) = ([UInt8](repeating: 0, count: 4_096), [UInt8]())
        while true {
            // One read may return only the data of a single write.
            let count = Foundation.read(main, &chunk, chunk.count)
            if count <= 0 { return String(decoding: all, as: UTF8.self) }
            all += chunk.prefix(count)
        }
    }
}
