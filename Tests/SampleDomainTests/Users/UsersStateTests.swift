import Relux
import SampleServices
import Testing

@testable import SampleDomain

@Suite struct UsersStateTests {
    private let ann = User.here("Ann")
    private let bob = User.away("Bob")

    @Test func `at first nobody is known, and any user may be looked up`() {
        let state = Users.State()

        #expect(state.count == 0 && state.roster == .idle && state.selectedUser == nil)
        #expect(state.user(at: Users.IndexPath(section: .online, item: 0)) == nil && state.indexPath(of: "ann") == nil)
    }

    @Test func `the users are those that the service reports`() {
        let state = Users.State.knowing(ann, bob, damages: [.garbage])

        #expect(state.count == 2 && state.roster == .loaded(Users.Roster([ann, bob])))
        #expect(state.indexPath(of: "bob") == Users.IndexPath(section: .offline, item: 0))
        #expect(state.user(at: Users.IndexPath(section: .online, item: 0)) == ann)
        #expect(state.damages == [.garbage])
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
        #expect(state.count == 1)
        #expect(state.after(1, ann) == .knowing(ann))
    }

    @Test func `a selection survives its user's move between the sections, and every change of the others`() {
        let selected = Users.State.knowing(ann, bob).after(.selected("bob"))

        let moved = selected.after(2, ann, .here("Bob", since: 3), .here("Aaron"), damages: [.garbage])
        let renamed = moved.after(3, User(id: "bob", name: "Zack", presence: .offline, since: .sample(3)))

        #expect(selected.indexPath(of: "bob") == Users.IndexPath(section: .offline, item: 0))
        #expect(moved.selectedUser == .here("Bob", since: 3))
        #expect(moved.indexPath(of: "bob") == Users.IndexPath(section: .online, item: 2))
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

    @Test func `changes report who came online, went offline, appeared, vanished, or was renamed, in order`() {
        let before = Users.State.knowing(
            .here("Ann"), .away("Bob"), .here("Cid"), .here("Dan"), .away("Eve"), .here("Fay"), .here("Gus")
        )

        let after = before.after(
            2, .away("Ann", since: 1), .here("Bob", since: 2), .here("Dan"), .here("Zoe"), .away("Yan"),
            User(id: "eve", name: "EVE", presence: .offline, since: .sample(0)), .here("Fay", since: 9)
        )

        #expect(
            after.changes(since: before) == [
                .vanished(.here("Cid")), .vanished(.here("Gus")), .arrived(.here("Bob", since: 2)),
                .arrived(.here("Fay", since: 9)), .arrived(.here("Zoe")), .left(.away("Ann", since: 1)),
                .renamed(User(id: "eve", name: "EVE", presence: .offline, since: .sample(0)), from: "Eve"),
                .appeared(.away("Yan")),
            ]
        )
        #expect(after.changes(since: after) == [])
    }

    @Test func `changes report what was damaged and mended, each once`() {
        let other = UsersServiceError(.notAFile, file: UsersServiceError.garbage.file)
        let good = Users.State.knowing(ann)
        let bad = good.after(2, ann, damages: [.garbage])
        let worse = bad.after(3, ann, damages: [other])

        #expect(bad.changes(since: good) == [.damaged(.garbage)])
        #expect(worse.changes(since: bad) == [.damaged(other)])
        #expect(good.changes(since: worse) == [.mended(other)])
        #expect(bad.after(.failed(.gone)).changes(since: bad) == [])
    }
}
