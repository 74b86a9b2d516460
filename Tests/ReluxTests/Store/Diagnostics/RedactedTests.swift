import Relux
import Testing

@Suite("Redacted", .timeLimit(.minutes(10)))
struct RedactedTests {
    private struct SignIn: Relux.Action, Hashable {
        var name: String
        var password: Relux.Redacted<String>
    }

    private enum Token: Relux.Action {
        case got(Relux.Redacted<String>)
        case list([Relux.Redacted<Int>], key: [String: Relux.Redacted<String>])
    }

    private let secret = Relux.Redacted("hunter2")

    @Test("it never prints its value, however it is printed, nor do the values that contain it")
    func printsNothing() {
        #expect("\(secret)" == "<private>")
        #expect(String(reflecting: secret) == "<private>")
        #expect("\(Optional(secret) as Any)" == "Optional(<private>)")
        #expect(Mirror(reflecting: secret).children.isEmpty)
        let values: [Any] = [
            secret, SignIn(name: "ada", password: secret), Token.got(secret),
            Token.list([.init(42_195)], key: ["a": secret]), [secret], (1, secret), Relux.Redacted(secret),
        ]

        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in ["\(value)", String(reflecting: value), dumped] {
                #expect(!text.contains("hunter2"))
                #expect(!text.contains("42195"))
                #expect(text.contains("<private>"))
            }
        }
    }

    @Test("its value can be read, changed, compared and hashed")
    func isAValue() {
        var other = secret
        let same = Relux.Redacted("hunter2")
        other.value = "hunter3"

        #expect(secret.value == "hunter2")
        #expect(secret == same)
        #expect(secret != other)
        #expect(Set([secret, same, other]).count == 2)
    }

    @Test("a logger doesn't print its value")
    func isLoggedAsPrivate() async throws {
        let lines = Trace<String>()
        let store = Relux.Store(.init(observers: [Relux.ConsoleLogger { lines.note($0) }]))

        await store.dispatch(SignIn(name: "ada", password: secret))

        #expect(lines.entries.contains { $0.contains("ada") && $0.contains("<private>") })
        #expect(!lines.entries.contains { $0.contains("hunter2") })
    }
}
