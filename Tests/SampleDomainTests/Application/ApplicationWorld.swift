import Relux
import ReluxTesting
import SampleServices

@testable import SampleDomain

/// The environment of the application in a simulation: slow and failing services, users, other processes, and a ledger.
enum ApplicationWorld {
    /// Events that must occur in some of the orders. Otherwise the simulation would prove less than it claims.
    enum Occurrence: CaseIterable {
        case signedIn, signedOut, switched, refusedByService, gaveUp, overruled, leftUnsaved, heldBack, staleWrite
        case cancelledSave, cancelledLoad, itemSaved, settingSaved, stepSaved, petShown, newsArrived, pageLost
        case sessionFollowed, userSeen, wentBack
    }

    /// A text that identifies whose data it is: an id or a name.
    typealias Mark = String
}

extension Items.State {
    var marks: [ApplicationWorld.Mark] {
        let steps = (history.done + history.undone).flatMap(\.changes).compactMap { $0.id?.uuidString }
        return list.all.map(\.id.uuidString) + steps + (draft.map { [$0.id.uuidString] } ?? [])
    }
}

extension Settings.State {
    var marks: [ApplicationWorld.Mark] { [settings.displayName].filter { !$0.isEmpty } }
}

extension Relux.Navigation.Stack<Navigation.Page> {
    var marks: [ApplicationWorld.Mark] {
        path.map { page in
            switch page {
            case .pet(let id): id
            }
        }
    }
}

extension Pets.State {
    var marks: [ApplicationWorld.Mark] { seen.keys.sorted() + (catalogue.value?.map(\.name) ?? []) }
}

extension Simulation.World {
    func always<S: Relux.State>(
        _ name: String,
        of marks: KeyPath<S, [ApplicationWorld.Mark]> & Sendable,
        _ ledger: ApplicationWorld.Ledger
    ) {
        always(name) { states in
            guard let state = states[S.self], let session = states[Session.State.self] else { return true }
            return ledger.permits(state[keyPath: marks], to: session.standing)
        }
    }
}
