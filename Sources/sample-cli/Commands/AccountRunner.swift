import Relux
import SampleDomain
import SampleServices

/// A store with the account of the profile that is signed in, for one command.
struct AccountRunner: Sendable {
    let invocation: Invocation
    let store: Relux.Store
    /// Keeps the account for as long as the command runs.
    private let lease: Relux.Lease

    var scope: Relux.Scope { lease.scope }

    /// Loads the account. Throws why it can't be loaded.
    init(_ invocation: Invocation) async throws {
        let storage = invocation.storage
        self.invocation = invocation
        store = try await invocation.store { Session.Module(storage: storage) }
        let profile = try await store.state(of: Session.State.self).profile
        lease = try await store.attach(Account.Module(id: profile, storage: storage))
    }

    func list() async throws -> Items.List { try await scope.state(of: Items.State.self).present }

    /// Changes the list, and shows what has been changed when it is saved.
    func edit(_ word: String, _ action: Items.List.Action) async throws -> ExitStatus {
        let items = try await scope.call(Items.Edit(action))
        try await store.saved()
        return try show(items.map { "\(word)  \($0.title.visible)" }, items)
    }

    func show(_ lines: [String], _ items: [Item]) throws -> ExitStatus {
        try invocation.show(["items": items], lines)
    }

    func show(list: Items.List) throws -> ExitStatus {
        let lines = invocation.console.style.lines(of: Presenter().listing(of: list))
        return try show(lines.isEmpty ? [Texts.emptyList] : lines, Array(list.items))
    }

    func showSettings() async throws -> ExitStatus {
        let settings = try await scope.state(of: Settings.State.self).values
        let table = Settings.Table(settings, try await store.state(of: Session.State.self).profile)
        return try invocation.show(settings, invocation.console.style.lines(of: table))
    }
}
