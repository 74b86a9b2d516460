import Foundation

/// The descriptors 0 to 2, which every program expects to be open.
enum StandardStreams {
    /// Opens `/dev/null` in place of each that is closed, as after `>&-` in a shell.
    ///
    /// The caller has said that the output isn't wanted, so the command is carried out without it. Otherwise, the next
    /// file that the program opens would become its standard output, or a change would be saved and then reported as a
    /// failure. Must be called before anything else is opened.
    static func open() {
        while true {
            // The lowest free descriptor is used.
            let number = Foundation.open("/dev/null", O_RDWR)
            guard number >= 0 else { return }
            if number > STDERR_FILENO {
                close(number)
                return
            }
        }
    }
}
