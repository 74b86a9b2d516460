import Foundation

/// The system's handles of open files, terminals and pipes.
enum Descriptor {
    /// Writes a whole text. Returns the error number if it fails, otherwise nil.
    static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                // Another process has made the terminal or pipe nonblocking, so wait here.
                var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&readiness, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// Opens `/dev/null` in place of each standard stream that is closed, as after `>&-` in a shell.
    ///
    /// The caller has said that the output isn't wanted, so the command is carried out without it. Otherwise, the next
    /// file that the program opens would become its standard output, or a change would be saved and then reported as a
    /// failure. Must be called before anything else is opened.
    static func openStandardStreams() {
        while true {
            // The lowest free descriptor is used.
            let number = open("/dev/null", O_RDWR)
            guard number >= 0 else { return }
            if number > STDERR_FILENO {
                close(number)
                return
            }
        }
    }
}
