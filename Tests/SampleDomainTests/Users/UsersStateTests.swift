import Relux
import SampleServices
import Testing

@testable import SampleDomain

@Suite struct UsersStateTests {
    private let ann = User.here("Ann")
    private let bob = User.away("Bob")

    @Test func `at first nobody is known`() {
        let state = Users.State()

        #expect(state.roster == .idle && state.selection == nil)
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

    @Test func `a selection survives its user's move between the sections, and every change of the others`() {
        let selected = Users.State.knowing(ann, bob).after(.selected("bob"))

        let moved = selected.after(2, ann, .here("Bob", since: 3), .here("Aaron"))
        let renamed = moved.after(3, User(id: "bob", name: "Zack", presence: .offline, since: .sample(3)))

        #expect(selected.section(of: "bob") == .offline)
        #expect(moved.selectedUser == .here("Bob", since: 3))
        #expect(moved.section(of: "bob") == .online)
        #expect(renamed.selectedUser?.name == "Zack")
        #expect(moved.after(.failed(.gone)).selection == "bob")
    }

    @Test func `a user who is no longer known is deselected`() {
        let state = Users.State.knowing(ann, bob).after(.selected("bob")).after(2, ann)

        #expect(state.selection == nil)
        #expect(state.after(3, ann, bob).selection == nil)
    }

    @Test func `only known users can be selected, and nobody always`() {
        let selected = Users.State.knowing(ann, bob).after(.selected("ann"))

        #expect(selected.after(.selected("zoe")) == selected)
        #expect(selected.after(.selected("bob")).selection == "bob")
        #expect(selected.after(.selected(nil)).selection == nil)
        #expect(Users.State().after(.selected("ann")) == Users.State())
    }
}
