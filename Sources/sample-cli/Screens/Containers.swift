import Relux
import SampleDomain
import SampleServices

/// The only place of the interface that reads from the store and dispatches: one view state for each screen, and the
/// callbacks that its view gets.
@MainActor struct Containers {
    private let store: Relux.Store
    private let say: @Sendable (String) -> Void
    private let root: Relux.UI.ViewState<RootProps>
    private let items: Relux.UI.ViewState<ItemsSelection>
    private let pets: Relux.UI.ViewState<PetsSelection>
    private let users: Relux.UI.ViewState<Users.State>
    private let presenter = Presenter()

    init(_ store: Relux.Store, say: @escaping @Sendable (String) -> Void) throws(Relux.StoreError) {
        (self.store, self.say) = (store, say)
        root = try store.viewState { RootProps($0) }
        items = try store.viewState { ItemsSelection($0) }
        pets = try store.viewState { PetsSelection($0) }
        users = try store.viewState(of: Users.State.self)
    }

    /// Calls a closure whenever something that is shown has changed.
    func observe(_ changed: @escaping @MainActor () -> Void) -> [Relux.UI.ViewObservation] {
        [
            root.observe { _, _ in changed() }, items.observe { _, _ in changed() },
            pets.observe { _, _ in changed() }, users.observe { _, _ in changed() },
        ]
    }

    /// Gives the views what they show now, and the callbacks that belong to it.
    func fill(_ view: inout RootView) {
        view.props = root.value
        view.fill(items: itemsProps, callbacks: itemsCallbacks)
        view.fill(
            pets: PetsProps(
                listing: pets.value.pets == Pets.State() ? nil : presenter.listing(of: pets.value.pets),
                page: pets.value.page.map { presenter.page(of: $0, in: pets.value.pets) }),
            callbacks: PetsCallbacks(to: store.dispatcher))
        view.fill(users: UsersProps(listing: presenter.listing(of: users.value)))
        view.fill(
            settings: SettingsProps(
                table: root.value.settings.map { Settings.Table($0, root.value.profile) },
                profile: root.value.profile),
            callbacks: settingsCallbacks)
    }

    // MARK: The list

    private var itemsProps: ItemsProps {
        guard let account = items.value.account else { return ItemsProps(profile: root.value.profile) }
        return ItemsProps(
            listing: presenter.listing(of: account.list, account.selection), profile: account.profile)
    }

    private var itemsCallbacks: ItemsCallbacks? {
        guard let account = items.value.account else { return nil }
        // Whatever is signed in meanwhile, a key concerns the list that is on the screen.
        let dispatcher = store.scope(of: Account.Module.self, id: account.profile).dispatcher
        let filter = items.binding(\.filter, to: dispatcher, sending: Items.Selection.Action.filtered)
        return ItemsCallbacks(to: dispatcher, filter: filter)
    }

    // MARK: The settings

    private var settingsCallbacks: SettingsCallbacks {
        let dispatcher = store.dispatcher
        let account = store.scope(of: Account.Module.self, id: root.value.profile).dispatcher
        return SettingsCallbacks(
            choose: .init(to: account, sending: { Settings.State.Action.chosen($0) }),
            signIn: .init(capturing: dispatcher) { [say] dispatcher, name in
                do {
                    let profile = name.isEmpty ? .guest : try Profile(name: name)
                    try await dispatcher.call(Session.SignIn(profile))
                    say(Texts.describe(profile))
                } catch let error as ProfileNameError {
                    say(error.description)
                } catch {
                    say(Complaint(of: error).lines.joined(separator: " "))
                }
            })
    }
}

// MARK: - What is selected inside the store

/// The values around every screen.
struct RootProps: Relux.UI.ViewProps {
    var profile = Profile.guest
    /// Nil until they have been loaded.
    var settings: UserSettings?

    init() {}

    init(_ reader: borrowing Relux.StateReader) {
        profile = reader[Session.State.self]?.profile ?? .guest
        settings = Account.state(Settings.State.self, in: reader)?.state.values
    }
}

/// A selection must be quick, because it blocks the store, so it copies states. Texts are made of them outside.
private struct ItemsSelection: Sendable, Equatable {
    struct Account: Sendable, Equatable {
        let profile: Profile
        let list: Items.List
        let selection: Items.Selection
    }

    /// The list with the profile to which it belongs, from one point in the store's order; nil until it is loaded.
    let account: Account?

    var filter: String { account?.selection.filter ?? "" }

    init(_ reader: borrowing Relux.StateReader) {
        guard let items = SampleDomain.Account.state(Items.State.self, in: reader),
            let selection = SampleDomain.Account.state(Items.Selection.self, in: reader)
        else {
            account = nil
            return
        }
        account = Account(profile: items.profile, list: items.state.present, selection: selection.state)
    }
}

private struct PetsSelection: Sendable, Equatable {
    let pets: Pets.State
    let page: PetPage.State?

    init(_ reader: borrowing Relux.StateReader) {
        pets = reader[Pets.State.self] ?? Pets.State()
        page = PetPage.visible(in: reader)?.state
    }
}
