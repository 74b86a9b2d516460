import Foundation

/// A failed system call.
struct SocketError: Error {
    let call: String
    let code: Int32
}

/// A TCP socket of the loopback address, closed when its last reference is released.
final class Socket: Sendable {
    private let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // Child processes must not keep the connection open.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit {
        close(descriptor)
    }

    /// A socket with a port chosen by the system.
    static func bound() throws -> Socket {
        #if canImport(Darwin)
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        guard descriptor >= 0 else { throw SocketError(call: "socket", code: errno) }
        let socket = Socket(descriptor)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw SocketError(call: "bind", code: errno) }
        return socket
    }

    func listen() throws {
        guard Foundation.listen(descriptor, 64) == 0 else { throw SocketError(call: "listen", code: errno) }
    }

    func port() throws -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard status == 0 else { throw SocketError(call: "getsockname", code: errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits for the next client.
    func accept() -> Socket? {
        while true {
            let client = Foundation.accept(descriptor, nil, nil)
            if client >= 0 { return Socket(client) }
            if errno != EINTR && errno != ECONNABORTED { return nil }
        }
    }

    /// Waits until there is something to read or the connection has ended.
    ///
    /// - Returns: Whether that happened before any of the latches was opened.
    func isReadable(before latches: [Latch]) -> Bool {
        var all = latches.map(\.readiness) + [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        while poll(&all, nfds_t(all.count), -1) < 0 && errno == EINTR {}
        return all.dropLast().allSatisfy { $0.revents == 0 } && all.last.map { $0.revents != 0 } == true
    }

    /// Reads the available bytes. The result is empty at the end.
    func receive() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &chunk, chunk.count, 0)
            if count >= 0 { return Array(chunk[..<count]) }
            if errno != EINTR { return nil }
        }
    }

    /// Writes everything.
    ///
    /// - Returns: Whether the client was still connected.
    func send(_ bytes: [UInt8]) -> Bool {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Announces that nothing more will be sent.
    func finish() {
        #if canImport(Darwin)
            shutdown(descriptor, SHUT_WR)
        #else
            shutdown(descriptor, Int32(SHUT_WR))
        #endif
    }
}
