import Foundation
import Relux
import ReluxPersistence
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

/// What surrounds the screens.
@MainActor @Suite(.timeLimit(.minutes(10))) struct RootViewTests {
    @Test func `digits and the tab keys go from screen to screen`() async throws {
        let screen = try await TestedScreen()
        var tabs: [RootView.Tab] = []

        for keys in ["4", "\t", "\u{1B}[Z", "2", "3", "9", "1"] {
            screen.type(keys)
            tabs.append(screen.view.tab)
        }

        #expect(tabs == [.settings, .items, .settings, .pets, .users, .users, .items])
    }

    @Test func `the top line shows the screens and the profile, as far as there is space`() async throws {
        let screen = try await TestedScreen()

        let wide = screen.picture(rows: 9, columns: 80)[0]
        let narrow = screen.picture(rows: 9, columns: 40)[0]

        #expect(wide == " 1 Items  2 Pets  3 Users  4 Settings                           nobody signed in")
        #expect(narrow == " 1 Items  2 Pets  3 Users  4 Settings")
    }

    /// A service with much to say about its failure.
    private struct BrokenPets: PetsService {
        let origin = "nowhere"

        func pets() async throws(PetsServiceError) -> [Pet.Summary] {
            throw PetsServiceError(.malformed(String(repeating: "broken ", count: 500)), place: origin)
        }

        func pet(id: Pet.ID) async throws(PetsServiceError) -> Pet {
            throw PetsServiceError(.notFound(id), place: origin)
        }
    }

    @Test(arguments: 1...6, ["1", "2", "3", "4", "?"])
    func `every height is filled, and none is exceeded, on each screen`(rows: Int, key: String) async throws {
        let screen = try await TestedScreen("a", pets: BrokenPets())
        screen.view.unsaved = "The disk is full."

        screen.type(key)
        await screen.settle()

        for columns in [1, 10, 80] { #expect(screen.picture(rows: rows, columns: columns).count == rows) }
    }

    @Test(arguments: 1...6)
    func `a question is shown at every height`(rows: Int) async throws {
        let screen = try await TestedScreen("a")

        screen.type("d")
        let lines = screen.picture(rows: rows, columns: 80)

        #expect(lines.count == rows && lines.last == "Delete? y/n  a")
    }

    @Test func `help shows every key, and any key goes back`() async throws {
        let screen = try await TestedScreen("a")

        screen.type("?")
        #expect(screen.body.count == Texts.keys.count && screen.bottom == "Any key goes back.")
        screen.type("d")

        #expect(screen.body == ["To do (1)", "> [ ] a"])
    }

    @Test func `what can't be saved is shown with the key that tries again`() async throws {
        let screen = try await TestedScreen()

        screen.type("r")
        #expect(!screen.takeRetry())
        screen.view.unsaved = "The disk is full."
        #expect(screen.lines(columns: 80).contains("(r tries again) The disk is full."))
        screen.type("r")
        #expect(screen.takeRetry() && !screen.takeRetry())
        screen.view.noteSaved()

        #expect(!screen.lines(columns: 80).contains { $0.contains("disk") } && !screen.view.isLeft)
    }

    @Test func `leaving with unsaved changes tries to save them, and asks meanwhile`() async throws {
        let screen = try await TestedScreen()
        screen.view.unsaved = "The disk is full."

        screen.type("q")
        #expect(screen.bottom == Texts.reallyLeave && screen.takeRetry())
        screen.type("n")
        screen.view.noteSaved()
        #expect(!screen.view.isLeft)
        screen.view.unsaved = "The disk is full."
        screen.type("q")
        screen.view.noteSaved()

        #expect(screen.view.isLeft)
    }

    @Test(arguments: [(nil, "q"), ("The disk is full.", "qy")])
    func `the user leaves with q, and a yes if something is lost`(unsaved: String?, keys: String) async throws {
        let screen = try await TestedScreen()
        screen.view.unsaved = unsaved

        screen.type(keys)

        #expect(screen.view.isLeft)
    }

    @Test func `a list that can't be loaded says why, until another one is there`() async throws {
        let screen = try await TestedScreen(storage: Relux.MemoryStorage(["items": Data("garbage".utf8)]))
        screen.view.unloaded = "It is damaged."

        #expect(screen.lines().prefix(2) == ["Loading.", "It is damaged."])
        #expect(screen.bottom == "? keys  q quit")
        screen.type("a b")
        try await screen.store.call(Session.SignIn(.named("Ada")))
        await screen.settle()

        #expect(screen.body == ["There is nothing on the list: a adds an…"])
    }
}
