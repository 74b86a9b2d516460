import Foundation
import Hummingbird
import Relux

/// The routes of the shop. The cookie of a request names its session, which is the instance that answers.
struct Server {
    let store: Relux.Store

    var router: Router<BasicRequestContext> {
        let router = Router()
        router.post("session") { _, _ in
            let id = UUID().uuidString
            await store.dispatch {
                Sessions.State.Action.opened(id)
                Relux.ChildAction(Basket.Module.self, id: id, Basket.Visit())
            }
            var response = Response(status: .created)
            response.setCookie(Cookie(name: "session", value: id, httpOnly: true, sameSite: .strict))
            return response
        }
        router.get("basket") { request, _ in
            try await basket(of: request).state(of: Basket.State.self).articles
        }
        router.post("basket/:article") { request, context in
            let article = try context.parameters.require("article")
            let added = try await basket(of: request).dispatch(Basket.State.Action.added(article))
            // The session has been closed in the meantime.
            guard added.sequence != nil else { throw HTTPError(.unauthorized) }
            return HTTPResponse.Status.noContent
        }
        router.post("order") { request, _ in
            "\(try await basket(of: request).call(Basket.Order()))"
        }
        router.delete("session") { request, _ in
            try await store.dispatch(Sessions.State.Action.closed(id(of: request)))
            return HTTPResponse.Status.noContent
        }
        return router
    }

    /// The basket of the session that a request belongs to, whose half an hour begins again.
    private func basket(of request: Request) async throws -> Relux.Scope {
        let basket = try store.scope(of: Basket.Module.self, id: id(of: request))
        // An action to an instance that doesn't exist has no number.
        guard await basket.dispatch(Basket.Visit()).sequence != nil else { throw HTTPError(.unauthorized) }
        return basket
    }

    private func id(of request: Request) throws -> String {
        guard let cookie = request.cookies["session"] else { throw HTTPError(.unauthorized) }
        return cookie.value
    }
}
