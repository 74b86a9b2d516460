import Foundation
import Relux
import SampleServices

extension Presenter {
    /// Returns the list of all pets to show.
    public func listing(of state: Pets.State) -> Pets.Listing {
        let rows = (state.catalogue.value ?? Relux.Entities()).map { summary in
            Pets.Listing.Row(
                id: summary.id,
                name: known(summary.name),
                species: known(summary.species),
                age: summary.birthday.flatMap(age) ?? Self.unknown,
                colour: summary.colour?.hex
            )
        }
        let isEmpty = state.catalogue.isLoaded && rows.isEmpty
        let emptiness = isEmpty ? Pets.Notice(.information, ["There are no pets."]) : nil
        let notice = notice(of: state.catalogue, state.setback, isOld: state.catalogue.value != nil)
        return Pets.Listing(rows: rows, notice: notice ?? emptiness)
    }

    /// Returns the page of one pet to show. Before the pet has been loaded, the page includes what an earlier page has
    /// loaded, or else the values from the catalogue.
    public func page(of page: PetPage.State, in state: Pets.State) -> Pets.Page {
        let pet = page.pet.value ?? state.seen[page.id]
        var fields: [Pets.Page.Field] = []
        let summary = pet?.summary ?? state.catalogue.value?[id: page.id]
        if let summary {
            fields = [
                Pets.Page.Field(.species, known(summary.species)),
                Pets.Page.Field(.born, summary.birthday.map(day) ?? Self.unknown),
                Pets.Page.Field(.age, summary.birthday.flatMap(age) ?? Self.unknown),
                Pets.Page.Field(.colour, summary.colour?.hex ?? Self.unknown),
            ]
        }
        if let pet {
            fields += [
                Pets.Page.Field(.arrived, pet.arrived.map(date) ?? Self.unknown),
                Pets.Page.Field(.phone, known(pet.phone)),
                Pets.Page.Field(.about, known(pet.about)),
            ]
        }
        let notice = notice(of: page.pet, page.setback, isOld: pet != nil)
        return Pets.Page(id: page.id, name: known(summary?.name), fields: fields, notice: notice)
    }

    /// Returns the message to show while a load is being retried.
    public func notice(of setback: Pets.Setback) -> Pets.Notice {
        let next = (setback.attempt + 1).formatted(.number.locale(locale))
        let limit = setback.limit.formatted(.number.locale(locale))
        return Pets.Notice(.progress, [explain(setback.failure), "Trying again (\(next) of \(limit))."])
    }

    private func notice<Value>(
        of loadable: Relux.Loadable<Value, PetsServiceError>,
        _ setback: Pets.Setback?,
        isOld: Bool
    ) -> Pets.Notice? {
        switch loadable {
        case .idle, .loaded: return nil
        case .loading: return setback.map(notice) ?? Pets.Notice(.progress, ["Loading."])
        case .failed(let error, _):
            let rest = isOld ? ["What is shown was loaded before."] : []
            return Pets.Notice(.failure, [explain(error), error.advice] + rest)
        }
    }

    private func explain(_ error: PetsServiceError) -> String { "\(error.place): \(error.explanation)" }

    private func known(_ text: String?) -> String {
        let text = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        return text.isEmpty ? Self.unknown : text
    }

    /// A day, which doesn't depend on a time zone.
    private func day(_ day: Pet.Day) -> String {
        day.noon.map { date($0, in: .gmt) } ?? day.description
    }
}
