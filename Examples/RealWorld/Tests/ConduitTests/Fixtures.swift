import ConduitServer
import Foundation
import Relux
import ReluxPersistence
import ReluxTesting
import Synchronization

@testable import Conduit

/// Reaches the server of a test directly, or, in a simulation, with latencies and interruptions.
final class DirectTransport: Transport {
    let server: ConduitServer
    private let world: Simulation.World?
    private let offline = Atomic(false)
    private let log = Mutex<[String]>([])

    init(_ server: ConduitServer, world: Simulation.World? = nil) {
        self.server = server
        self.world = world
    }

    var isOffline: Bool {
        get { offline.load(ordering: .relaxed) }
        set { offline.store(newValue, ordering: .relaxed) }
    }

    var requests: [String] { log.withLock { $0 } }

    func send(
        _ method: String, _ path: String, _ body: Data, token: String?
    ) async throws -> (status: Int, body: Data) {
        log.withLock { $0.append("\(method) \(path)") }
        try await world?.latency(.zero ... .seconds(1), heedsCancellation: false)
        if isOffline { throw URLError(.notConnectedToInternet) }
        let answer = server.answer(method, path, body, token: token)
        try await world?.latency(.zero ... .seconds(1), heedsCancellation: false)
        return (answer.status, answer.body)
    }
}

extension Relux.Store {
    /// The editor on top.
    func editor() async throws -> Relux.Scope {
        // A page with a saved draft is loaded first.
        try await idle()
        guard let entry = try await state(of: Pages.self).entries.last, case .editor = entry.page else {
            throw APIError.missing
        }
        return Application.editor(entry.id, in: self)
    }
}

extension Relux.Scope {
    /// Changes the text of the draft, as somebody who types does.
    func type(_ change: (inout Draft.Text) -> Void) async throws {
        var text = try await state(of: EditorState.self).draft.text
        change(&text)
        await dispatch(EditorState.Action.typed(text))
    }
}

extension ConduitServer {
    /// A server with two users and some articles of the second one.
    static func inhabited(articles: Int = 3) -> ConduitServer {
        let server = ConduitServer()
        for name in ["ann", "bob"] {
            let user = ["username": name, "email": "\(name)@example.com", "password": "secret"]
            _ = server.post("/api/users", ["user": user])
        }
        let answer = server.post("/api/users/login", ["user": ["email": "bob@example.com", "password": "secret"]])
        for number in 0..<articles {
            let article: [String: Any] = [
                "title": "Article \(number)", "description": "About \(number)", "body": "Text \(number)",
                "tagList": [number.isMultiple(of: 2) ? "even" : "odd"],
            ]
            _ = server.post("/api/articles", ["article": article], token: answer.token)
        }
        return server
    }

    @discardableResult
    func post(_ path: String, _ object: [String: Any] = [:], token: String? = nil) -> Answer {
        let body = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
        return answer("POST", path, body, token: token)
    }
}

extension ConduitServer.Answer {
    var object: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }
    var token: String? { (object["user"] as? [String: Any])?["token"] as? String }
}
