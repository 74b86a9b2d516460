import Relux
import SampleServices

extension Pets.State {
    /// Records the progress of a load. If the catalogue isn't being loaded, for example after a cancellation, nothing
    /// changes.
    ///
    /// - Complexity: O(*n*) in the number of pets for a catalogue, otherwise O(1).
    public mutating func reduce(_ action: Action) {
        guard catalogue.isLoading else { return }
        setback = nil
        switch action {
        case .loaded(let pets): catalogue = .loaded(Relux.Entities(pets, keeping: .first))
        case .setBack(let setback): self.setback = setback
        case .failed(let error): catalogue.fail(with: error)
        case .cancelled: catalogue.cancelLoading()
        }
    }

    /// Marks the catalogue as loading from the moment it is requested.
    public mutating func reduce(_ effect: Pets.Effect) {
        setback = nil
        catalogue.startLoading()
    }

    /// Remembers what a page has loaded.
    mutating func reduce(_ action: PetPage.State.Action) {
        if case .loaded(let pet) = action { seen[pet.id] = pet }
    }
}
