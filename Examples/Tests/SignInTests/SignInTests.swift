import Relux
import ReluxTesting
import Testing

@testable import SignIn

@Suite("SignIn", .timeLimit(.minutes(1)))
struct SignInTests {
    /// Accepts only the newest token. Tokens are numbered.
    private actor Server: SessionService, ProfileService {
        private(set) var renewals = 0
        private var current = 0
        private let world: Simulation.World?

        init(_ world: Simulation.World? = nil) { self.world = world }

        func expire() { current += 1 }

        func signIn(_ name: String, _ password: String) async throws -> String {
            try await world?.latency(.zero ... .seconds(1))
            return "token \(current)"
        }

        func renew(_ token: String) async throws -> String {
            renewals += 1
            try await world?.latency(.zero ... .seconds(1))
            return "token \(current)"
        }

        func title(token: String) async throws -> String {
            try await world?.latency(.zero ... .seconds(1), heedsCancellation: false)
            guard token == "token \(current)" else { throw SessionError.rejected }
            return "Ann's page"
        }
    }

    private let signIn = Session.SignIn(name: "ann", password: Relux.Redacted("secret"))

    @Test("a rejected token is renewed, and the request is made again")
    func renewal() async throws {
        let server = Server()
        let store = try await TestStore {
            Session.Module(service: server)
            Profile.Module(service: server)
        }
        let user = Session.User(name: "ann", token: Relux.Redacted("token 0"))

        await store.dispatch(signIn)
        await store.receive(Session.State.Action.signedIn(user)) { (session: inout Session.State) in
            session.user = user
        }
        await server.expire()
        await store.dispatch(Profile.Load())
        await store.receive(Session.Renew(rejected: Relux.Redacted("token 0")))
        await store.receive(Session.State.Action.renewed(Relux.Redacted("token 1"))) { (session: inout Session.State) in
            session.user?.token = Relux.Redacted("token 1")
        }
        await store.receive(Profile.State.Action.loaded("Ann's page")) { (profile: inout Profile.State) in
            profile.title = "Ann's page"
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

            let rejected = Relux.Redacted("token 0")
            for _ in 0..<10 {
                world.task {
                    try await world.latency(.zero ... .seconds(2))
                    #expect(try await store.call(Session.Renew(rejected: rejected)).value == "token 1")
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

        #expect(try await store.state(of: Profile.State.self).title == "Ann's page")
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
}
