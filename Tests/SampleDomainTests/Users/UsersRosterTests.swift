import SampleServices
import Testing

@testable import SampleDomain

@Suite struct UsersRosterTests {
    @Test func `online users are above offline ones, each sorted by name`() {
        let roster = Users.Roster([.away("Dan"), .here("Zoe"), .away("Ann"), .here("Bob")])

        #expect(roster.all.map(\.name) == ["Bob", "Zoe", "Ann", "Dan"])
        #expect(roster.users(in: .online).map(\.name) == ["Bob", "Zoe"])
        #expect(roster.users(in: .offline).map(\.name) == ["Ann", "Dan"])
        #expect(!roster.isEmpty && Users.Section.allCases == [.online, .offline])
    }

    /// A locale would put Ångström next to Ann, or after Zoe, and Turkish maps cases differently.
    @Test func `the order is the same in every language, and ignores case`() {
        let names = ["zoe", "Ångström", "ann", "Bob", "Éva", "eva", "İpek", "10", "9", "李"]

        let roster = Users.Roster(names.map { User.here($0) })

        #expect(roster.all.map(\.name) == ["10", "9", "ann", "Bob", "eva", "İpek", "zoe", "Ångström", "Éva", "李"])
    }

    @Test func `equal names are sorted by id, whatever their original order`() {
        let users = ["c", "a", "b"].map {
            User(id: $0, name: $0 == "b" ? "ANN" : "Ann", presence: .online, since: .sample(0))
        }

        let rosters = [users, users.reversed(), [users[1], users[0], users[2]]].map { Users.Roster($0) }

        #expect(rosters.allSatisfy { $0.all.map(\.id) == ["a", "b", "c"] && $0 == rosters[0] })
    }

    @Test func `if an id is repeated, the first user is kept`() {
        let roster = Users.Roster([.here("Ann", since: 1), .away("Ann", since: 2)])

        #expect(roster.all == [.here("Ann", since: 1)])
        #expect(!roster.isEmpty && Users.Roster().isEmpty)
    }
}
