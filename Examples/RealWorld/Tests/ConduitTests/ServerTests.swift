import ConduitServer
import Foundation
import Testing

@testable import Conduit

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("Server", .timeLimit(.minutes(2)))
struct ServerTests {
    @Test("a negative offset or limit is none", arguments: ["offset=-1", "limit=-1", "offset=-1&limit=-1"])
    func negative(_ query: String) {
        let answer = ConduitServer.inhabited().answer("GET", "/api/articles?\(query)")

        #expect(answer.status == 200)
        #expect(answer.object["articlesCount"] as? Int == 3)
    }

    @Test("a client that leaves before its answer harms nobody")
    func departure() throws {
        let server = ConduitServer.inhabited(articles: 0)
        let user = ["username": "eve", "email": "eve@example.com", "password": "secret"]
        let token = server.post("/api/users", ["user": user]).token
        let body = String(repeating: "long ", count: 2_000_000)
        let article = server.post("/api/articles", ["article": ["title": "Long", "body": body]], token: token)
        let slug = try #require((article.object["article"] as? [String: Any])?["slug"] as? String)
        let listener = try HTTPListener(server)

        for _ in 0..<3 {
            let client = try Client(listener.port)
            client.send("GET /api/articles/\(slug) HTTP/1.1\r\n\r\n")
            client.close()
        }

        #expect(try Client(listener.port).answer("GET /api/tags HTTP/1.1\r\n\r\n").hasPrefix("HTTP/1.1 200"))
        listener.stop()
    }

    @Test("a request without an end, or one that is too long, is cut off")
    func endless() throws {
        let listener = try HTTPListener(ConduitServer())

        #expect(try Client(listener.port).answer(String(repeating: "a", count: 200_000)).isEmpty)
        let length = "POST /api/users HTTP/1.1\r\nContent-Length: 999999999\r\n\r\n"
        #expect(try Client(listener.port).answer(length).isEmpty)
        listener.stop()
    }
}

/// A connection that does what no decent client does.
private struct Client {
    private let descriptor: Int32

    struct Failure: Error {}

    init(_ port: UInt16) throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        #if canImport(Darwin)
            var yes: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure() }
    }

    func send(_ text: String) {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    func close() { _ = Foundation.close(descriptor) }

    /// Everything that the server sends until it closes the connection.
    ///
    /// - Throws: If it doesn't close it in time.
    func answer(_ request: String) throws -> String {
        defer { close() }
        send(request)
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { throw Failure() }
            if count <= 0 { return String(decoding: received, as: UTF8.self) }
            received += buffer[..<count]
        }
    }
}
