import Foundation

/// Ends a blocking wait for bytes from another thread (the self-pipe trick).
final class Alarm: Sendable {
    private let ends = Lock<(bell: Descriptor, ear: Descriptor)?>(nil)
    private let isRinging = Lock(false)

    /// Ends the current wait and every later one.
    func ring() {
        isRinging.withLock { $0 = true }
        // The byte is never read from the pipe, so later waits return immediately as well.
        if let bell = ends.withLock({ $0?.bell }) { _ = write(bell.number, [1], 1) }
    }

    /// Blocks until bytes or the end of the text can be read.
    ///
    /// - Returns: True if there is something to read, false if the alarm has rung.
    func wait(for text: Descriptor) throws(SystemError) -> Bool {
        let ear = try pipe().ear
        while true {
            // The pipe exists by now, so a ring after this check writes to it.
            if isRinging.withLock({ $0 }) { return false }
            var waits = [
                pollfd(fd: text.number, events: Int16(POLLIN), revents: 0),
                pollfd(fd: ear.number, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&waits, nfds_t(waits.count), -1)
            if count < 0, errno != EINTR { throw .last }
            if count > 0 { return waits[1].revents == 0 }
        }
    }

    private func pipe() throws(SystemError) -> (bell: Descriptor, ear: Descriptor) {
        try ends.withLock { (ends) throws(SystemError) in
            if let ends { return ends }
            var numbers: [Int32] = [0, 0]
            if Foundation.pipe(&numbers) != 0 { throw .last }
            for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
            let made = (bell: Descriptor(owning: numbers[1]), ear: Descriptor(owning: numbers[0]))
            ends = made
            return made
        }
    }
}
