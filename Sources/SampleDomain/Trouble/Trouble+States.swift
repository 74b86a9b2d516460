public import Relux
import SampleServices

extension Trouble {
    /// All current troubles, those with imminent data loss first.
    public static func all(in states: borrowing Relux.StateReader) -> [Trouble] {
        let items = states[Items.State.self].map(troubles) ?? []
        let settings = states[Settings.State.self].map(troubles) ?? []
        let session = states[Session.State.self].map(troubles) ?? []
        let pets = (states[Pets.State.self]?.catalogue.failure).map { [Trouble.pets($0)] } ?? []
        let page = PetPage.visible(in: states).flatMap(trouble)
        let users = (states[Users.State.self]?.roster.failure).map { [Trouble.users($0)] } ?? []
        let all = session + items + settings + users + pets + (page.map { [$0] } ?? [])
        return all.filter(\.isLossAhead) + all.filter { !$0.isLossAhead }
    }

    private static func troubles(of state: Session.State) -> [Trouble] {
        // The same failure of a command and of following changes is reported only once.
        let elsewhere = state.elsewhereFailure == state.failure ? nil : state.elsewhereFailure
        return [state.failure.map(Trouble.session), elsewhere.map(Trouble.sessionElsewhere)].compactMap(\.self)
    }

    private static func troubles(of state: Items.State) -> [Trouble] {
        // A step that can't be recorded prevents the save of its change, which is reported only once.
        let historyFailure = state.historyFailure == state.saving.failure ? nil : state.historyFailure
        let failures: [(Work, ItemsServiceError?)] = [
            (.saving, state.saving.failure), (.reading, state.loading.failure),
            (.following, state.elsewhereFailure), (.remembering, historyFailure),
        ]
        return failures.compactMap { work, failure in failure.map { .items(work, $0) } }
    }

    private static func troubles(of state: Settings.State) -> [Trouble] {
        let failures: [(Work, ProfileServiceError?)] = [
            (.saving, state.saving.failure), (.reading, state.loading.failure), (.following, state.elsewhereFailure),
        ]
        return failures.compactMap { work, failure in failure.map { .settings(work, $0) } }
    }

    /// The failure of a page. That of a covered page is no trouble until the user goes back to it.
    private static func trouble(of page: (id: PetPage.Module.ID, state: PetPage.State)) -> Trouble? {
        page.state.pet.failure.map { .petPage(page.id, $0) }
    }
}
