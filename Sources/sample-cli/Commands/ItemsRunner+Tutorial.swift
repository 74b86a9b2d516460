import Relux
import SampleDomain
import SampleServices

/// The items that explain the program.
extension ItemsRunner {
    /// Adds the items if they are due. A failure is reported and prevents nothing else.
    func offerTutorial(on store: Relux.Store) async throws {
        do throws(Relux.EffectError) {
            try await store.perform(Items.Tutorial.offer)
        } catch {
            switch error {
            case .failed(let failure as ProfileServiceError): console.complain(Texts.untaught(failure))
            case .failed(let failure as ItemsError):
                // If the list can't be read, the command itself reports it.
                if case .notLoaded = failure { return }
                console.complain(Texts.explain(failure, shortIDs: Items.ShortIDs(of: [])))
            default: throw error
            }
        }
    }

    /// Adds the items now, or the next time the list is shown.
    func teach(_ tutorial: Items.Tutorial, on store: Relux.Store) async throws -> ExitStatus {
        let additions: [Items.Addition]
        do throws(Relux.EffectError) {
            additions = try await store.perform(tutorial)
        } catch {
            switch error {
            case .failed(let failure as ProfileServiceError): console.complain(Texts.explain(failure))
            case .failed(let failure as ItemsError):
                console.complain(Texts.explain(failure, shortIDs: Items.ShortIDs(of: [])))
            default: throw error
            }
            return .failure
        }
        let list = try await store.state(of: Items.State.self).list
        let items = additions.compactMap { list[$0.id] }
        if options.isJSON {
            console.print([try ItemsJSON(tutorial, items, in: list).line()])
        } else if tutorial == .reset {
            console.print([Texts.tutorialReset])
        } else if items.isEmpty {
            console.error(Texts.tutorialIsThere + "\n")
        } else {
            console.print(ItemsRenderer(list: list, style: console.style).lines(added: items))
        }
        return .success
    }
}
