import Relux
import SampleDomain

/// Reports why loading takes longer than expected.
struct PetsProgress: Relux.StoreObserver {
    let console: Console
    let presenter: Pets.Presenter

    func actionReduced(_ record: Relux.ActionRecord) {
        guard case .setBack(_, let setback)? = record.action as? Pets.State.Action else { return }
        console.error(presenter.notice(of: setback).lines.map(\.visible).joined(separator: " ") + "\n")
    }
}
