extension LoopbackServer {
    /// What a client receives.
    package indirect enum Answer: Sendable {
        /// A complete answer.
        case response(status: Int = 200, headers: [String: String] = [:], body: String = "")

        /// An answer that announces its whole body and breaks off in the middle.
        case half(body: String)

        /// Exactly these bytes, followed by the end of the connection.
        case bytes([UInt8])

        /// The end of the connection, without an answer.
        case silence

        /// Nothing until the latch is open, and then this answer.
        case held(Latch, then: Answer)

        /// The bytes to send.
        var bytes: [UInt8] {
            switch self {
            case .response(let status, let headers, let body):
                let lines = headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
                let length = "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n"
                return Array("HTTP/1.1 \(status) Told\r\n\(lines)\(length)\r\n\(body)".utf8)
            case .half(let body):
                return Answer.response(body: body).bytes.dropLast((body.utf8.count + 1) / 2)
            case .bytes(let bytes): return bytes
            case .silence: return []
            case .held(_, let then): return then.bytes
            }
        }
    }
}
