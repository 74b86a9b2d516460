import Relux
import SampleServices

extension Pets.State {
    /// Records the progress of a load. If its subject isn't being loaded, for example after a cancellation, nothing
    /// changes.
    ///
    /// - Complexity: O(*n*) in the number of pets for a catalogue, otherwise O(1).
    public mutating func reduce(_ action: Action) {
        let subject = action.subject
        guard isLoading(subject) else { return }
        setbacks[subject] = nil
        switch action {
        case .catalogueLoaded(let pets): catalogue = .loaded(Relux.Entities(pets, keeping: .first))
        case .petLoaded(let pet): details[pet.id] = .loaded(pet)
        case .setBack(_, let setback): setbacks[subject] = setback
        case .loadFailed(_, let error):
            switch subject {
            case .catalogue: catalogue.fail(with: error)
            case .pet(let id): details[id, default: .idle].fail(with: error)
            }
        case .loadCancelled:
            switch subject {
            case .catalogue: catalogue.cancelLoading()
            case .pet(let id): details[id]?.cancelLoading()
            }
        }
    }

    /// Marks the requested subject as loading.
    public mutating func reduce(_ effect: Pets.Effect) {
        switch effect {
        case .load(let subject):
            setbacks[subject] = nil
            switch subject {
            case .catalogue: catalogue.startLoading()
            case .pet(let id): details[id, default: .idle].startLoading()
            }
        }
    }

    private func isLoading(_ subject: Pets.Subject) -> Bool {
        switch subject {
        case .catalogue: catalogue.isLoading
        case .pet(let id): details(of: id).isLoading
        }
    }
}

extension Pets.State.Action {
    /// The subject of the action.
    fileprivate var subject: Pets.Subject {
        switch self {
        case .catalogueLoaded: .catalogue
        case .petLoaded(let pet): .pet(pet.id)
        case .setBack(let subject, _), .loadFailed(let subject, _), .loadCancelled(let subject): subject
        }
    }
}
