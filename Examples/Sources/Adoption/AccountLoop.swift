import Relux

// What the app has had for years: a state, a function that reduces it, and a loop that calls the function.

struct Account: Hashable, Sendable {
    var user: String?
}

enum AccountAction: Hashable, Sendable { case signedIn(String), signedOut }

func reduce(_ account: inout Account, _ action: AccountAction) {
    switch action {
    case .signedIn(let user): account.user = user
    case .signedOut: account.user = nil
    }
}

@MainActor
final class AccountLoop {
    private(set) var account = Account()
    var onAction: (AccountAction) -> Void = { _ in }

    func dispatch(_ action: AccountAction) {
        reduce(&account, action)
        onAction(action)
    }
}

// What is new: features hear the actions of the loop. Those that nobody listens to are not reported.

extension AccountAction: Relux.Broadcast {}

extension AccountLoop {
    /// Passes on each action. When `dispatch` returns, the features have reduced it.
    func announceActions(to store: Relux.Store) {
        onAction = { [dispatcher = store.dispatcher] action in dispatcher.dispatchNow(action) }
    }
}

// What may come later: the state moves into the store, and its reducer stays as it is.

struct AccountState: Relux.State {
    var account = Account()

    mutating func reduce(_ action: AccountAction) { Adoption.reduce(&account, action) }
}
