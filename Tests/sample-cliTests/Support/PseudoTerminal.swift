#if os(macOS) || os(Linux)
    import Foundation

    /// A terminal to which a child process can write and from which a test can read.
    final class PseudoTerminal: Sendable {
        /// The side from which the test reads output and to which it writes keys.
        let main: Int32
        /// The path of the child process's side.
        private let path: String
        private let other: Int32

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

        /// Types text.
        func type(_ text: String) throws {
            try FileHandle(fileDescriptor: main).write(contentsOf: Data(text.utf8))
        }

        /// Resizes the window. The processes that it controls receive a signal.
        func resize(rows: Int, columns: Int) throws {
            var size = winsize()
            (size.ws_row, size.ws_col) = (UInt16(rows), UInt16(columns))
            guard ioctl(main, UInt(TIOCSWINSZ), &size) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        }

        /// The mode of the terminal, for comparisons.
        var mode: [UInt64] {
            var mode = termios()
            guard tcgetattr(main, &mode) == 0 else { return [] }
            let characters = withUnsafeBytes(of: mode.c_cc) { $0.map(UInt64.init) }
            return [UInt64(mode.c_iflag), UInt64(mode.c_oflag), UInt64(mode.c_cflag), UInt64(mode.c_lflag)] + characters
        }

        /// Starts a program as a session leader, with this terminal as its controlling terminal and its three streams.
        ///
        /// `Process` starts programs in groups of their own, but in the caller's session.
        func spawn(_ executable: String, _ arguments: [String], _ environment: [String: String]) throws -> pid_t {
            #if canImport(Darwin)
                var actions: posix_spawn_file_actions_t?
                var attributes: posix_spawnattr_t?
                let flags =
                    POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
            #else
                var actions = posix_spawn_file_actions_t()
                var attributes = posix_spawnattr_t()
                let flags = 0x80 | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
            #endif
            posix_spawn_file_actions_init(&actions)
            posix_spawnattr_init(&attributes)
            defer {
                posix_spawn_file_actions_destroy(&actions)
                posix_spawnattr_destroy(&attributes)
            }
            // The first terminal that a session leader opens becomes its controlling terminal.
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, path, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
            #if !canImport(Darwin)
                // Must not inherit the descriptors of other tests: a pipe has no end while another process could write
                // to it.
                for descriptor in 3..<Int32(1_024) { posix_spawn_file_actions_addclose(&actions, descriptor) }
            #endif
            // A program started by a user inherits neither this thread's signal mask nor this process's ignored
            // signals.
            var (all, none) = (sigset_t(), sigset_t())
            sigfillset(&all)
            sigemptyset(&none)
            posix_spawnattr_setsigdefault(&attributes, &all)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setflags(&attributes, Int16(flags))
            let words = ([executable] + arguments).map { strdup($0) }
            let variables = environment.map { strdup("\($0)=\($1)") }
            defer { for text in words + variables { free(text) } }
            var process = pid_t()
            let code = posix_spawn(&process, executable, &actions, &attributes, words + [nil], variables + [nil])
            guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
            return process
        }
    }
#endif
