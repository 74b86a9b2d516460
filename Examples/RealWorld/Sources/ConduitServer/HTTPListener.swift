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
    private let socket: Int32

    package struct Failure: Error { package let text: String }

    /// - Parameter port: 0 for any free port.
    package init(_ server: ConduitServer, port: UInt16 = 0) throws {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let listening = Self.makeSocket(stream)
        var yes: Int32 = 1
        setsockopt(listening, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listening, address, length) == 0 && listen(listening, 64) == 0
                    && getsockname(listening, address, &length) == 0
            }
        }
        guard isListening else { throw Failure(text: "port \(port) can't be used") }
        socket = listening
        self.port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            while true {
                let connection = accept(listening, nil, nil)
                if connection < 0 { return }
                Thread.detachNewThread { Self.serve(connection, server) }
            }
        }
    }

    deinit { stop() }

    /// Refuses further connections.
    package func stop() { shutdown(socket, Int32(SHUT_RDWR)) }

    private static func makeSocket(_ type: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.socket(AF_INET, type, 0)
        #elseif canImport(Musl)
            Musl.socket(AF_INET, type, 0)
        #else
            Darwin.socket(AF_INET, type, 0)
        #endif
    }

    private static func serve(_ connection: Int32, _ server: ConduitServer) {
        defer { close(connection) }
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let separator = Data("\r\n\r\n".utf8)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count <= 0 { return }
            received.append(contentsOf: buffer[..<count])
            guard let end = received.range(of: separator) else { continue }
            let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            func header(_ name: String) -> String? {
                lines.first { $0.lowercased().hasPrefix(name + ":") }?
                    .drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces)
            }
            let body = received[end.upperBound...]
            if body.count < header("content-length").flatMap({ Int($0) }) ?? 0 { continue }
            let words = lines[0].split(separator: " ").map(String.init)
            guard words.count > 1 else { return }
            let token = header("authorization").flatMap { $0.hasPrefix("Token ") ? String($0.dropFirst(6)) : nil }
            let answer = server.answer(words[0], words[1], Data(body), token: token)
            let head =
                "HTTP/1.1 \(answer.status) -\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(answer.body.count)\r\nConnection: close\r\n\r\n"
            let response = [UInt8](Data(head.utf8) + answer.body)
            var sent = 0
            while sent < response.count {
                let count = response[sent...].withUnsafeBytes { send(connection, $0.baseAddress, $0.count, 0) }
                if count <= 0 { return }
                sent += count
            }
            return
        }
    }
}
