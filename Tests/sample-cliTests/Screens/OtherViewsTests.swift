import Foundation
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

/// The screens of settings, users and pets with a real store.
@MainActor @Suite(.timeLimit(.minutes(10))) struct OtherViewsTests {
    // MARK: Settings

    @Test func `settings are changed in place`() async throws {
        let screen = try await TestedScreen()

        screen.type("4\r\u{1B}[200~Ada\nL.\u{1B}[201~")
        #expect(screen.bottom == "Display name: Ada L.")
        screen.type("\rj\rTo buy\rj ")

        #expect(
            screen.body == [
                "Names", "  Display name  Ada L.", "  List name     To buy", "Appearance", "> Theme         collaroy",
                "Session", "  Signed in as  (nobody)",
            ])
        #expect(screen.view.props.settings?.theme == .collaroy)
        #expect(screen.picture(rows: 9, columns: 80)[0].hasPrefix(" 1 To buy  2 Pets"))
        screen.type(" ")
        #expect(screen.view.props.settings?.theme == .pilbara)
    }

    @Test func `a setting that is changed elsewhere while it is open is shown, and not overwritten`() async throws {
        let screen = try await TestedScreen()
        let account = screen.store.scope(of: Account.Module.self, id: Profile.guest)

        screen.type("4\r")
        await account.dispatch(Settings.State.Action.chosen(.displayName("Bob")))
        await screen.settle()
        #expect(screen.bottom == "Display name: Bob")
        screen.type("\r")
        #expect(screen.view.props.settings?.displayName == "Bob")

        screen.type("\r!")
        await account.dispatch(Settings.State.Action.chosen(.displayName("Cy")))
        await screen.settle()
        #expect(screen.bottom == "Display name: (now “Cy”) Bob!")
    }

    @Test func `each profile has its own list, and a name that isn't one is refused`() async throws {
        let screen = try await TestedScreen("Common")
        var remarks = screen.remarks.makeAsyncIterator()

        screen.type("4G\r\(String(repeating: "a", count: 65))\r")
        #expect(await remarks.next()?.hasPrefix("The name is too long.") == true)
        screen.type("\rAda\r")
        #expect(await remarks.next() == "Ada is signed in.")
        await screen.settle()
        #expect(screen.body.last == "> Signed in as  Ada")
        screen.type("1aSecret\r4\r\r")
        #expect(await remarks.next() == "Nobody is signed in.")
        await screen.settle()
        screen.type("1")

        #expect(screen.body == ["To do (1)", "> [ ] Common"])
    }

    @Test func `a setting that is being written when the profile changes is told`() async throws {
        let screen = try await TestedScreen()
        screen.type("4\rAda")

        try await screen.store.call(Session.SignIn(.named("Ben")))
        await screen.settle()

        #expect(screen.bottom == "Not saved, because it has no place any more: Ada")
        #expect(screen.body.contains("> Display name  (none)"))
    }

    // MARK: Users

    @Test func `the cursor follows a user from section to section`() async throws {
        let screen = try await TestedScreen()

        screen.type("3j")
        #expect(
            screen.body.map { $0.prefix(6) } == ["Online", "  Ada ", "> Chan", "  Eun-", "Offlin", "  Björ", "  Dmit"])
        await screen.store.dispatch(
            Users.State.Action.changed(User(id: "chandra", name: "Chandra", isOnline: false, since: .now)))
        await screen.settle()

        #expect(
            screen.body.map { $0.prefix(6) } == ["Online", "  Ada ", "  Eun-", "Offlin", "  Björ", "> Chan", "  Dmit"])
    }

    // MARK: Pets

    /// Opens the pet at the cursor.
    private func open(on screen: TestedScreen) async throws {
        screen.type("\r")
        let entry = try #require(await screen.store.state(of: Navigation.Stack.self).entries.last)
        _ = try await screen.store.scope(of: PetPage.Module.self, id: entry.id)
            .wait(until: PetPage.State.self) { !$0.pet.isLoading }
        await screen.settle()
    }

    @Test func `the catalogue is loaded when it is shown, and a pet is opened and closed`() async throws {
        let screen = try await TestedScreen()

        screen.type("2")
        await screen.settle()
        #expect(screen.body.prefix(2).map { $0.prefix(13) } == ["> ■ Biscuit  ", "  ■ Juniper  "])
        screen.type("j")
        try await open(on: screen)
        #expect(screen.body[0] == "Juniper" && screen.body.contains("  Species     cat"))
        screen.type("\u{1B}")

        #expect(screen.body[1].hasPrefix("> ■ Juniper"))
    }

    @Test func `a long page scrolls, and its end stays in view`() async throws {
        let screen = try await TestedScreen()
        screen.type("2")
        await screen.settle()

        try await open(on: screen)
        screen.type(String(repeating: "j", count: 40))
        let end = screen.lines(rows: 5)
        screen.type("k")

        #expect(end.contains { $0.contains("nearly") } || end.contains { $0.contains("them.") })
        #expect(screen.lines(rows: 5) != end)
    }
}
