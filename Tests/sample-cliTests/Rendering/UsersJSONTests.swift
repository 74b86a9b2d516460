import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

@Suite struct UsersJSONTests {
    private let ann = User(id: "ann", name: "Ann \u{9B}\u{1B}/", presence: .offline, since: .sample(0))

    @Test func `a list has every user with every key, in order`() throws {
        var state = Users.State()
        let bob = User(id: "bob", name: "Bob", presence: .online, since: .sample(1))
        state.reduce(.changed(Snapshot(UserDirectory([ann, bob]), revision: 1)))

        let line = try UsersJSON(state).line()

        #expect(
            line.lowercased() == """
                {"outcome":"listed","users":[\
                {"id":"bob","name":"bob","presence":"online","since":"2023-11-14t22:13:21.000z"},\
                {"id":"ann","name":"ann \\u009b\\u001b/","presence":"offline","since":"2023-11-14t22:13:20.000z"}]}
                """
        )
    }
}
