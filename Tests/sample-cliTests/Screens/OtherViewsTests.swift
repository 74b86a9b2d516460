import Foundation
import Relux
import SampleDomain
import SampleServices
import Testing

@testable import sample_cli

/// The screens of pets, users, and settings, without a terminal. Their props are derived from the states of real
/// stores.
@Suite(.timeLimit(.minutes(10))) struct OtherViewsTests {
    private func lines(_ view: some ScreenView, rows: Int = 8, columns: Int = 40) -> [String] {
        var view = view
        let size = TerminalSize(rows: rows, columns: columns)
        return view.lines(size).seen(on: size)
    }

    /// The first inputs of a callback.
    private func inputs<Input: Sendable>(
        _ count: Int, of act: (Relux.UI.ViewCallback<Input>) -> Void
    ) async -> [Input] {
        let (stream, continuation) = AsyncStream.makeStream(of: Input.self)
        act(Relux.UI.ViewCallback { continuation.yield($0) })
        var inputs: [Input] = []
        for await input in stream {
            inputs.append(input)
            if inputs.count == count { break }
        }
        return inputs
    }

    // MARK: Pets

    private func petsProps(opening id: Pet.ID? = nil) async throws -> PetsProps {
        let store = try await Relux.Store { Pets.Module(service: BundledPetsService()) }
        try await store.perform(Pets.Effect.load)
        var page: PetPage.State?
        if let id {
            await store.dispatch(Pets.Command.open(id))
            let scope = store.scope(of: PetPage.Module.self, id: 1)
            page = try await scope.wait(until: PetPage.State.self) { $0.pet.isLoaded }
        }
        return PetsContainer(dispatcher: store.dispatcher).props(try await store.state(of: Pets.State.self), page)
    }

    @Test func `pets are listed in a table, and the chosen one is opened`() async throws {
        let props = try await petsProps()
        let seen = lines(PetsView(props: props, callbacks: PetsCallbacks()))

        let opened = await inputs(2) { open in
            var view = PetsView(props: props, callbacks: PetsCallbacks(open: open))
            for key: Key in [.down, .enter, .end, .right] { _ = view.handle(key) }
        }

        #expect(seen[0].hasPrefix("> ■ Biscuit    dog"))
        #expect(seen[1].hasPrefix("  ■ Juniper    cat"))
        #expect(opened == ["juniper", props.listing?.rows.last?.id])
    }

    @Test func `a page shows everything that is known, and scrolls if there isn't enough space`() async throws {
        var view = PetsView(props: try await petsProps(opening: "biscuit"), callbacks: PetsCallbacks())

        let wide = lines(view, rows: 10, columns: 60)
        for _ in 0..<50 { _ = view.handle(.down) }
        let narrow = lines(view, rows: 3, columns: 18)

        #expect(wide[0] == "Biscuit" && wide[1] == "  Species     dog")
        #expect(narrow.last?.isEmpty == false && !narrow.contains("Biscuit"))
        #expect(narrow.allSatisfy { $0.columns <= 18 })
    }

    @Test func `a catalogue that hasn't been requested isn't shown as empty`() {
        #expect(lines(PetsView(callbacks: PetsCallbacks())).joined().isEmpty)
        #expect(PetsContainer(dispatcher: .none).props(Pets.State(), nil).listing == nil)
    }

    @Test func `a catalogue is requested once, and again if it disappears`() async throws {
        let props = try await petsProps()
        let loads = await inputs(3) { (load: Relux.UI.ViewCallback<String>) in
            var view = PetsView(callbacks: PetsCallbacks(load: load.map { "load" }))
            view.appear()
            view.appear()
            view.props = props
            view.appear()
            view.props = PetsProps()
            view.appear()
            load.fire("end")
        }

        #expect(loads == ["load", "load", "end"])
    }

    @Test func `colours are parsed in the form in which they are written`() {
        #expect(Look(hex: "#C68642") == .colour(red: 0xC6, green: 0x86, blue: 0x42))
        #expect(Look(hex: "C68642") == nil && Look(hex: "#C6864") == nil && Look(hex: "#C6864G") == nil)
    }

    // MARK: Users

    private func user(_ id: String, _ presence: User.Presence) -> User {
        User(id: id, name: id.capitalized, presence: presence, since: .sample(1))
    }

    private func usersProps(_ users: [User]) -> UsersProps {
        var state = Users.State()
        state.reduce(.changed(Snapshot(UserDirectory(users), revision: 1)))
        return UsersContainer().props(state)
    }

    private func marked(_ view: UsersView) -> String? {
        lines(view).first { $0.hasPrefix(">") }.map { String($0.dropFirst(2).prefix(3)) }
    }

    @Test func `users are listed in two sections, and the cursor follows one of them`() {
        let (ann, bob, cat) = (user("ann", .online), user("bob", .online), user("cat", .offline))
        var view = UsersView(props: usersProps([ann, bob, cat]))

        _ = view.handle(.down)
        let before = marked(view)
        let titles = lines(view).filter { $0.contains("line (") }
        view.props = usersProps([ann, user("bob", .offline), cat])

        #expect(before == "Bob" && marked(view) == "Bob")
        #expect(titles == ["Online (2)", "Offline (1)"])
    }

    @Test func `a list that is longer than the screen scrolls to its cursor`() throws {
        var users = UsersView(props: usersProps((1...9).map { user("user\($0)", .online) }))
        var settings = SettingsView(props: try table(), callbacks: SettingsCallbacks())

        _ = users.handle(.end)
        _ = settings.handle(.end)

        #expect(lines(users, rows: 2).last?.hasPrefix("> User9") == true)
        #expect(lines(settings, rows: 2).last?.hasPrefix("> Theme") == true)
    }

    // MARK: Settings

    private func table(profile: String? = nil) throws -> SettingsProps {
        SettingsProps(
            table: Settings.Table(
                of: Settings.State(), Settings.Appearance(), profile: try profile.map { try ProfileName($0) }))
    }

    @Test func `each cell has its own action`() async throws {
        let props = try table()
        let choices = await inputs(4) { (note: Relux.UI.ViewCallback<String>) in
            var view = SettingsView(
                props: props,
                callbacks: SettingsCallbacks(
                    choose: note.map { "\($0)" }, chooseNextTheme: note.map { "next theme" }))
            let keys: [Key] = [
                .enter, .character("A"), .enter, .down, .enter, .character("L"), .enter, .down, .character(" "), .right,
            ]
            for key in keys { _ = view.handle(key) }
        }

        #expect(choices == [#"displayName("A")"#, #"listName("L")"#, "next theme", "next theme"])
    }

    @Test func `signing out takes a question`() throws {
        var view = SettingsView(props: try table(profile: "Ada"), callbacks: SettingsCallbacks())

        _ = view.handle(.end)
        _ = view.handle(.enter)
        let question = view.prompt
        _ = view.handle(.character("n"))

        #expect(question == .question("Sign out? y/n  Ada"))
        #expect(view.prompt == nil)
        #expect(lines(view, rows: 10).contains { $0.hasPrefix("> Signed in as") })
    }
}
