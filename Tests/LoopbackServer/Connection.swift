/// One client, from its request to its answer.
struct Connection {
    let client: Socket
    let ending: Latch
    let journal: Journal
    let answer: @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer

    /// Reads the request and sends the answer when it is due.
    func serve() {
        guard let request = request() else { return }
        journal.note(request)
        var answer = answer(request)
        while case .held(let latch, let then) = answer {
            // A client that has sent its request becomes readable only by closing the connection.
            if client.isReadable(before: [latch, ending]) { return journal.noteHangUp() }
            if ending.isOpen { return }
            answer = then
        }
        if !client.send(answer.bytes) { return journal.noteHangUp() }
        client.finish()
        // Closing a socket with unread input resets the connection and may discard the answer.
        while client.isReadable(before: [ending]), client.receive()?.isEmpty == false {}
    }

    private func request() -> LoopbackServer.Request? {
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            guard client.isReadable(before: [ending]), let more = client.receive(), !more.isEmpty else { return nil }
            bytes += more
        }
        let words = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\r\n" }.split(separator: " ")
        guard words.count == 3 else { return nil }
        return LoopbackServer.Request(method: String(words[0]), path: String(words[1]))
    }
}
