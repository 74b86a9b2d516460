import Relux
import ReluxTesting
import Testing

@testable import Cookbook

@Suite("Links", .timeLimit(.minutes(1)))
struct LinksTests {
    @Test("a link that arrives before the sign-in opens its page after it")
    func early() async throws {
        let store = try await TestStore { Links.Module() }

        await store.dispatch(Links.Open(path: "/orders/7"))
        await store.dispatch(.signedIn, to: Links.Account.self) { $0.isSignedIn = true }
        await store.receive(Links.Stack.Action.setPath([.home, .order(7)])) { (stack: inout Links.Stack) in
            stack = Links.Stack(path: [.home, .order(7)])
        }

        await store.finish()
    }

    @Test("a link that waits keeps nobody waiting")
    func waiting() async throws {
        let store = try await Relux.Store { Links.Module() }

        await store.dispatch(Links.Open(path: "/orders/7"))

        try await store.idle()
    }

    @Test("a link that leads nowhere opens nothing", arguments: ["/orders/seven", "/orders", "/help"])
    func nowhere(path: String) {
        #expect(Links.Opener.pages(of: path) == nil)
    }
}
