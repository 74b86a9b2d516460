import Relux
import SampleServices
import Testing

@testable import SampleDomain

@Suite struct UsersStateTests {
    private let ann = User.here("Ann")
    private let bob = User.away("Bob")

    @Test func `at first nobody is known`() {
        #expect(Users.State().roster == .idle)
    }

    @Test func `the users are those that the service reports`() {
        let state = Users.State.knowing(ann, bob)

        #expect(state.roster == .loaded(Users.Roster([ann, bob])))
        #expect(state.section(of: "bob") == .offline && state.section(of: "ann") == .online)
    }

    @Test func `an older snapshot changes nothing`() {
        let state = Users.State.knowing(ann, revision: 5)

        #expect(state.after(4, bob) == state)
        #expect(state.after(5, ann) == state)
    }

    @Test func `an answer that is overtaken still ends the load`() {
        var state = Users.State.knowing(ann, revision: 5)
        state.reduce(.load)

        #expect(state.roster.isLoading)
        #expect(state.after(4, bob) == Users.State.knowing(ann, revision: 5))
        #expect(state.after(.loadCancelled) == Users.State.knowing(ann, revision: 5))
    }

    @Test func `a failure keeps what was known, and the next report clears it`() {
        let state = Users.State.knowing(ann).after(.failed(.gone))

        #expect(state.roster == .failed(.gone, previous: Users.Roster([ann])))
        #expect(state.after(1, ann) == .knowing(ann))
    }
}
