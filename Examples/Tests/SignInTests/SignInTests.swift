import Relux
import ReluxTesting
import Testing

@testable import SignIn

@Suite("SignIn", .timeLimit(.minutes(1)))
struct SignInTests {
    /// Accepts only tokens with the newest number, such as `ann 0`.
    private actor Server: SessionService, ProfileService {
        private(set) var renewals = 0
        private var current = 0
        private let world: Simulation.World?

        init(_ world: Simulation.World? = nil) { self.world = world }

        func expire() { current += 1 }

        func signIn(_ name: String, _ password: String) async throws -> String {
            try await world?.latency(.zero ... .seconds(1))
            return "\(name) \(current)"
        }

        func renew(_ token: String) async throws -> String {
            renewals += 1
            try await world?.latency(.zero ... .seconds(1), heedsCancellation: false)
            return "\(name(in: token)) \(current)"
        }

        func title(token: String) async throws -> String {
            try await world?.latency(.zero ... .seconds(1), heedsCancellation: false)
            guard token == "\(name(in: token)) \(current)" else { throw SessionError.rejected }
            return "\(name(in: token))'s page"
        }

        private func name(in token: String) -> Substring { token.prefix { $0 != " " } }
    }

    private let signIn = Session.SignIn(name: "ann", password: Relux.Redacted("secret"))

    @Test("a rejected token is renewed, and the request is made again")
    func renewal() async throws {
        let server = Server()
        let store = try await TestStore {
            Session.Module(service: server)
            Profile.Module(service: server)
        }
        let user = Session.User(name: "ann", token: Relux.Redacted("ann 0"))

        await store.dispatch(signIn)
        await store.receive(Session.State.Action.signedIn(user)) { (session: inout Session.State) in
            session.user = user
        }
        await server.expire()
        await store.dispatch(Profile.Load())
        await store.receive(Session.Renew(rejected: Relux.Redacted("ann 0")))
        await store.receive(Session.State.Action.renewed(Relux.Redacted("ann 1"))) { (session: inout Session.State) in
            session.user?.token = Relux.Redacted("ann 1")
        }
        await store.receive(Profile.State.Action.loaded("ann's page")) { (profile: inout Profile.State) in
            profile.title = "ann's page"
        }

        await store.finish()
    }

    @Test("any number of rejected requests renew the token once")
    func sharedRenewal() async {
        await Simulation.explore(seeds: 0..<100) { [signIn] world in
            let server = Server(world)
            let store = try await world.store { Session.Module(service: server) }
            try await store.perform(signIn)
            await server.expire()

            let rejected = Relux.Redacted("ann 0")
            for _ in 0..<10 {
                world.task {
                    try await world.latency(.zero ... .seconds(2))
                    #expect(try await store.call(Session.Renew(rejected: rejected)).value == "ann 1")
                }
            }
            await world.settled()

            #expect(await server.renewals == 1)
        }
    }

    @Test("after a sign-in, the app loads the profile")
    func welcome() async throws {
        let server = Server()
        let store = try await Relux.Store { Application.Module(sessions: server, profiles: server) }

        try await store.perform(signIn)
        try await store.idle()

        #expect(try await store.state(of: Profile.State.self).title == "ann's page")
    }

    @Test("after a sign-out, nothing of the user is left, however late an answer is")
    func signOut() async {
        await Simulation.explore(seeds: 0..<100) { [signIn] world in
            let server = Server(world)
            let store = try await world.store {
                Session.Module(service: server)
                Profile.Module(service: server)
            }
            world.always("no page without a user") { states in
                states[Session.State.self]?.user != nil || states[Profile.State.self]?.title == nil
            }

            try await store.perform(signIn)
            await store.dispatch(Profile.Load())
            try await world.latency(.zero ... .seconds(2))
            try await store.perform(Session.SignOut())

            #expect(try await store.state(of: Session.State.self).user == nil)
        }
    }

    @Test("after another user's sign-in, nothing of the former one is left, however late an answer is")
    func anotherUser() async {
        await Simulation.explore(seeds: 0..<200) { [signIn] world in
            let server = Server(world)
            let store = try await world.store { Application.Module(sessions: server, profiles: server) }
            world.always("the page and the token are the user's") { states in
                guard let user = states[Session.State.self]?.user else { return true }
                let title = states[Profile.State.self]?.title
                return user.token.value.hasPrefix(user.name) && title?.hasPrefix(user.name) != false
            }

            try await store.perform(signIn)
            await server.expire()
            await store.dispatch(Profile.Load())
            try await world.latency(.zero ... .seconds(3))
            var random = world.random
            if Bool.random(using: &random) { await store.dispatch(Session.SignOut()) }
            try await store.perform(Session.SignIn(name: "bob", password: Relux.Redacted("secret")))
            await world.settled()

            #expect(try await store.state(of: Session.State.self).user?.name == "bob")
            #expect(try await store.state(of: Profile.State.self).title == "bob's page")
        }
    }
}
