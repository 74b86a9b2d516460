import Relux
import SampleDomain

/// Reports why loading takes longer than expected.
struct PetsProgress: Relux.StoreObserver {
    let console: Console
    let presenter: Pets.Presenter

    func actionReduced(_ record: Relux.ActionRecord) {
        let setback: Pets.Setback
        switch record.action {
        case Pets.State.Action.setBack(let last), PetPage.State.Action.setBack(let last): setback = last
        default: return
        }
        console.error(presenter.notice(of: setback).lines.map(\.visible).joined(separator: " ") + "\n")
    }
}
