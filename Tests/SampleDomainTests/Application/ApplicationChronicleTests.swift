import Foundation
import SampleServices
import Testing

@testable import SampleDomain

/// The changes derived from consecutive snapshots.
@Suite struct ApplicationChronicleTests {
    private let (ada, bob): (Profile, Profile)
    private let full = ProfileServiceError(.notAFile, file: "session.json")

    init() throws {
        ada = Profile(name: try ProfileName("ada"), folder: "ada")
        bob = Profile(name: try ProfileName("bob"), folder: "bob")
    }

    private func session(_ profile: Profile?) -> Session.State {
        var state = Session.State()
        state.reduce(.entered(profile, hasLeftUnsaved: false))
        return state
    }

    private func items(_ items: Item...) -> Items.State {
        var state = Items.State()
        state.reduce(.loaded(ItemsSnapshot(items: items, revision: 1)))
        return state
    }

    private func settings(_ name: String = "") -> Settings.State {
        var state = Settings.State()
        state.reduce(.loaded(SettingsSnapshot(settings: UserSettings(displayName: name), revision: 1)))
        return state
    }

    private func users(_ names: String..., damages: [UsersServiceError] = []) -> Users.State {
        var state = Users.State()
        let users = names.map { User(id: $0, name: $0, presence: .online, since: .sample(1)) }
        state.reduce(.changed(UsersSnapshot(users: users, damages: damages, revision: 1)))
        return state
    }

    private func snapshot(_ profile: Profile?, _ items: Items.State, _ name: String = "") -> Application.Snapshot {
        Application.Snapshot(session: session(profile), items: items, settings: settings(name), users: users())
    }

    private func entered(_ profile: Profile?, _ count: Int?, isFirst: Bool = false) -> Application.Change {
        .entered(Application.Entrance(profile: profile, count: count, isFirst: isFirst))
    }

    @Test func `it starts when everything is known, and what exists then isn't a change`() {
        var chronicle = Application.Chronicle()
        let all = snapshot(nil, items(.sample(1)), "Ada")

        #expect(chronicle.changes(to: Application.Snapshot()) == [])
        #expect(chronicle.changes(to: Application.Snapshot(session: session(nil))) == [])
        #expect(chronicle.changes(to: Application.Snapshot(session: session(nil), items: items(.sample(1)))) == [])
        #expect(chronicle.changes(to: all) == [entered(nil, 1, isFirst: true)])
        #expect(chronicle.changes(to: all) == [])
    }

    @Test func `after that, every difference is reported, of each feature`() {
        var chronicle = Application.Chronicle()
        _ = chronicle.changes(to: snapshot(nil, items(.sample(1))))

        let changes = chronicle.changes(
            to: Application.Snapshot(
                session: session(nil), items: items(.sample(1), .sample(2)), settings: settings("Ada"),
                users: users("ann")
            ))

        let ann = User(id: "ann", name: "ann", presence: .online, since: .sample(1))
        #expect(changes == [.items(.added(.sample(2))), .settings(.displayName("Ada")), .users(.arrived(ann))])
    }

    @Test func `the data of different profiles are never compared`() {
        var chronicle = Application.Chronicle()
        _ = chronicle.changes(to: snapshot(ada, items(.sample(1)), "Ada"))

        let changes = chronicle.changes(to: snapshot(bob, items(.sample(2), .sample(3)), "Bob"))

        #expect(changes == [entered(bob, 2)])
        #expect(chronicle.profile == bob)
    }

    @Test func `while the profile is changing nothing is reported, least of all that everything is gone`() {
        var chronicle = Application.Chronicle()
        _ = chronicle.changes(to: snapshot(ada, items(.sample(1)), "Ada"))

        let between = [
            Application.Snapshot(), Application.Snapshot(session: session(bob)),
            Application.Snapshot(session: session(bob), items: items(.sample(2))),
            Application.Snapshot(session: session(bob), settings: settings("Bob")),
        ].map { chronicle.changes(to: $0) }
        let returned = chronicle.changes(to: snapshot(ada, items(.sample(1)), "Ada"))

        #expect(between.allSatisfy(\.isEmpty) && returned.isEmpty)
    }

    /// Otherwise, changes made between a sign-in and the moment it is noticed would be lost.
    @Test func `a profile that returns gets the changes made since`() {
        var chronicle = Application.Chronicle()
        _ = chronicle.changes(to: snapshot(ada, items(.sample(1)), "Ada"))
        _ = chronicle.changes(to: snapshot(nil, items()))

        let changes = chronicle.changes(to: snapshot(ada, items(.sample(1), .sample(2)), "A."))

        #expect(changes == [entered(ada, 2), .items(.added(.sample(2))), .settings(.displayName("A."))])
    }

    @Test func `what can't be read is reported once, and what it hid when it can be read again`() throws {
        var chronicle = Application.Chronicle()
        _ = chronicle.changes(to: snapshot(nil, items(.sample(1))))
        var damaged = items(.sample(1))
        let error = ItemsServiceError(.invalidUTF8, file: "items.jsonl")
        damaged.reduce(.elsewhereFailed(error))

        let first = chronicle.changes(to: snapshot(nil, damaged))
        let second = chronicle.changes(to: snapshot(nil, damaged, "Ada"))
        damaged.reduce(.changedElsewhere(ItemsSnapshot(items: [], revision: 2)))
        let third = chronicle.changes(to: snapshot(nil, damaged, "Ada"))

        let problem = Application.Problem(error, .items)
        #expect(first == [.damaged(problem)])
        #expect(second == [.settings(.displayName("Ada"))])
        #expect(third == [.items(.deleted(.sample(1))), .mended(problem)])
    }

    @Test func `a list that can't be read initially is reported, and compared once it can be`() {
        var chronicle = Application.Chronicle()
        var damaged = Items.State()
        let error = ItemsServiceError(.invalidUTF8, file: "items.jsonl")
        damaged.reduce(.loadFailed(error))

        let first = chronicle.changes(to: snapshot(nil, damaged))
        damaged.reduce(.changedElsewhere(ItemsSnapshot(items: [.sample(1)], revision: 1)))
        let second = chronicle.changes(to: snapshot(nil, damaged))

        #expect(first == [entered(nil, nil, isFirst: true), .damaged(Application.Problem(error, .items))])
        #expect(second == [.mended(Application.Problem(error, .items))])
    }

    @Test func `an unknown session is reported, and so are the users`() {
        var chronicle = Application.Chronicle()
        var unknown = Session.State()
        unknown.reduce(.failed(full))
        let ann = User(id: "ann", name: "ann", presence: .online, since: .sample(1))

        let first = chronicle.changes(to: Application.Snapshot(session: unknown, users: users()))
        unknown.reduce(.elsewhereFailed(full))
        let second = chronicle.changes(to: Application.Snapshot(session: unknown, users: users("ann")))
        let third = chronicle.changes(
            to: Application.Snapshot(
                session: session(ada), items: items(), settings: settings(), users: users("ann")))

        let problem = Application.Problem(full, .session)
        #expect(first == [.damaged(problem)])
        #expect(second == [.users(.arrived(ann))])
        #expect(third == [entered(ada, 0, isFirst: true), .mended(problem)])
    }

    @Test func `the problems of one profile don't concern the next`() {
        var chronicle = Application.Chronicle()
        var damaged = items()
        damaged.reduce(.elsewhereFailed(ItemsServiceError(.invalidUTF8, file: "ada/items.jsonl")))
        _ = chronicle.changes(to: snapshot(ada, damaged))

        #expect(chronicle.changes(to: snapshot(nil, items())) == [entered(nil, 0)])
    }

    @Test func `a user's damaged file is reported once, as a problem`() {
        var chronicle = Application.Chronicle()
        _ = chronicle.changes(to: snapshot(nil, items()))
        let error = UsersServiceError(.damaged("it is no JSON object"), file: "ann.json")

        let changes = chronicle.changes(
            to: Application.Snapshot(
                session: session(nil), items: items(), settings: settings(), users: users(damages: [error])))

        #expect(changes == [.damaged(Application.Problem(error, .users))])
    }

    @Test func `a missing folder ends it, damage doesn't`() {
        let final: [StorageError.Reason] = [
            .folderVanished, .system(.watch, code: 24), .noPermission(.watch), .noPermission(.folder),
        ]
        for reason in final { #expect(Application.Problem(StorageError(reason, file: "f"), .items).isFinal) }
        for reason in [StorageError.Reason.invalidUTF8, .notAFile, .diskFull, .noPermission(.read)] {
            #expect(!Application.Problem(StorageError(reason, file: "f"), .users).isFinal)
        }
    }
}
