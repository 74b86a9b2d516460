import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Serves a ``ConduitServer`` by HTTP/1.1 on the loopback address, one connection for each request.
package final class HTTPListener: Sendable {
    package let port: UInt16
    private let socket: Socket

    package struct Failure: Error { package let text: String }

    /// - Parameter port: 0 for any free port.
    package init(_ server: ConduitServer, port: UInt16 = 0) throws {
        let listening = try Socket()
        var yes: Int32 = 1
        setsockopt(listening.descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listening.descriptor, address, length) == 0 && listen(listening.descriptor, 64) == 0
                    && getsockname(listening.descriptor, address, &length) == 0
            }
        }
        guard isListening else { throw Failure(text: "port \(port) can't be used") }
        socket = listening
        self.port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while let connection = listening.accept() {
                Thread.detachNewThread { Self.serve(connection, server) }
            }
        }
    }

    deinit { stop() }

    /// Refuses further connections.
    package func stop() { socket.stop() }

    /// The longest head and the longest body of a request.
    private static let limits = (head: 65_536, body: 1_048_576)

    private static func serve(_ connection: Socket, _ server: ConduitServer) {
        var received = Data()
        let separator = Data("\r\n\r\n".utf8)
        while let bytes = connection.receive() {
            received.append(contentsOf: bytes)
            guard let end = received.range(of: separator) else {
                if received.count > limits.head { return }
                continue
            }
            let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            func header(_ name: String) -> String? {
                lines.first { $0.lowercased().hasPrefix(name + ":") }?
                    .drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
            }
            let body = received[end.upperBound...]
            let length = header("content-length").flatMap { Int($0) } ?? 0
            if length > limits.body { return }
            if body.count < length { continue }
            let words = lines[0].split(separator: " ").map(String.init)
            guard words.count > 1 else { return }
            let token = header("authorization").flatMap { $0.hasPrefix("Token ") ? String($0.dropFirst(6)) : nil }
            let answer = server.answer(words[0], words[1], Data(body), token: token)
            let head =
                "HTTP/1.1 \(answer.status) -\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(answer.body.count)\r\nConnection: close\r\n\r\n"
            connection.send(Data(head.utf8) + answer.body)
            return
        }
    }
}

/// A TCP socket, closed when its last reference is released.
private final class Socket: Sendable {
    let descriptor: Int32

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
        #if canImport(Darwin)
            var yes: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    convenience init() throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { throw HTTPListener.Failure(text: "there can be no more sockets") }
        self.init(descriptor)
    }

    deinit { close(descriptor) }

    func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Waits for the next client. Nil when the socket has been stopped.
    func accept() -> Socket? {
        while true {
            let client = Foundation.accept(descriptor, nil, nil)
            if client >= 0 { return Socket(client) }
            switch errno {
            case EINTR, ECONNABORTED: continue
            // Connections that end make room for the next one.
            case EMFILE, ENFILE, ENOBUFS, ENOMEM: Thread.sleep(forTimeInterval: 0.05)
            default: return nil
            }
        }
    }

    /// Reads the available bytes. Nil at the end.
    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { return Array(buffer[..<count]) }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    /// Writes everything, unless the client has left.
    func send(_ data: Data) {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            // A client that has left would end the program with SIGPIPE.
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = [UInt8](data)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}
