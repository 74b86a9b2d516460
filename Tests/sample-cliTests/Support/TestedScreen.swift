import Relux
import ReluxPersistence
import SampleDomain
import SampleServices

@testable import sample_cli

/// The whole screen with a real store, without a terminal: keys in, lines out.
@MainActor final class TestedScreen {
    let store: Relux.Store
    var view = RootView()
    /// What has been said about the keys.
    let remarks: AsyncStream<String>
    private let containers: Containers

    /// Shows a list with these items, with the cursor on the first one.
    init(
        _ titles: String..., storage: Relux.MemoryStorage = Relux.MemoryStorage(),
        pets: any PetsService = BundledPetsService()
    ) async throws {
        // Nobody comes or goes during a test.
        let presence = BundledPresence(rhythm: .seconds(86_400))
        store = try await Relux.Store { Application.Module(storage: storage, pets: pets, presence: presence) }
        let (remarks, remark) = AsyncStream.makeStream(of: String.self)
        self.remarks = remarks
        containers = try Containers(store) { remark.yield($0) }
        try await store.idle()
        _ = try await store.wait(until: Users.State.self) { $0.roster.isLoaded }
        for title in titles { await change(.added(Item(title), .end)) }
        await settle()
    }

    /// Types text, in which a line feed is the Enter key, and escape characters start sequences.
    func type(_ text: String) {
        var parser = KeyParser()
        for key in parser.take(text.utf8) + parser.flush() {
            view.handle(key)
            containers.fill(&view)
        }
    }

    /// Shows what the store contains when nothing is going on any more.
    func settle() async {
        try? await store.idle()
        containers.fill(&view)
    }

    /// Changes the list as somebody else does, and shows it.
    func change(_ action: Items.List.Action, as profile: Profile = .guest) async {
        await store.scope(of: Account.Module.self, id: profile).dispatch(action)
        containers.fill(&view)
    }

    func takeRetry() -> Bool { view.takeRetry() }

    /// The items in the store, those of completed ones in parentheses.
    func titles(of profile: Profile = .guest) async throws -> [String] {
        try await store.scope(of: Account.Module.self, id: profile).state(of: Items.State.self).present.items
            .map { $0.completed == nil ? $0.title : "(\($0.title))" }
    }

    func item(_ number: Int) async throws -> Item.ID {
        try await store.scope(of: Account.Module.self, id: .guest).state(of: Items.State.self).present
            .ids(numbered: [number])[0]
    }

    /// What a user sees, one line for each row.
    func picture(rows: Int, columns: Int) -> [String] {
        view.lines(TerminalSize(rows: rows, columns: columns)).map { $0.seen(width: columns) }
    }

    /// The lines below the tabs that aren't empty.
    func lines(rows: Int = 20, columns: Int = 40) -> [String] {
        picture(rows: rows, columns: columns).dropFirst().filter { !$0.isEmpty }
    }

    /// The lines between the tabs and the bottom line.
    var body: [String] { Array(lines().dropLast()) }

    /// The bottom line: a prompt, a remark, or hints.
    var bottom: String { lines(columns: 80).last ?? "" }
}

extension Line {
    /// What a user sees of the line, without trailing spaces.
    func seen(width: Int) -> String {
        let text = spans(fitting: width).map(\.text).joined()
        return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
    }
}
