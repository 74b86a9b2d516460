import Relux
import SampleServices

extension Items {
    /// Carries out imports, one after the other.
    struct Importer: Relux.Flow {
        let source: Source

        func policy(for effect: Import) -> Relux.Policy { .serial }

        func actionOnCancel(_ effect: Import) -> (any Relux.Action)? {
            ImportStop(id: effect.id)
        }

        func run(_ effect: Import, in context: Relux.SagaContext) async throws -> ImportProgress {
            _ = try await context.loadedItems()
            await context.dispatch(State.Action.importBegan(effect.id))
            do {
                while let batch = try await lines(of: effect, in: context) {
                    try await add(batch, of: effect, in: context)
                    try Task.checkCancellation()
                }
            } catch let error as ItemsError {
                await end(in: context)
                throw error
            }
            await end(in: context)
            return try await context.state(of: State.self).importing ?? ImportProgress()
        }

        private func lines(of effect: Import, in context: Relux.SagaContext) async throws -> [String]? {
            let count = await context.read { states in states[State.self]?.list.count ?? 0 }
            do throws(StorageError) {
                return try await effect.titles.next(Import.batch(for: count))
            } catch {
                if error.reason == .cancelled { throw CancellationError() }
                throw ItemsError.notImported(error)
            }
        }

        private func add(_ lines: [String], of effect: Import, in context: Relux.SagaContext) async throws {
            let titles = lines.map(\.titleTrimmed).filter { !$0.isEmpty }
            let additions = titles.map { Addition(id: source.makeID(), title: $0) }
            let blank = lines.count - titles.count
            await context.dispatch(State.Action.imported(additions, blank: blank, at: source.now()))
            guard !additions.isEmpty else { return }
            try await context.perform(Effect.save)
            let saving = try await context.state(of: State.self).saving
            if let failure = saving.failure { throw ItemsError.notSaved(failure) }
            await context.dispatch(State.Action.importSaved(effect.id))
        }

        /// Ends the import. If its last batch couldn't be saved, the step without that batch still has to be.
        private func end(in context: Relux.SagaContext) async {
            await context.dispatch(State.Action.importEnded)
            let changes = (try? await context.state(of: State.self).unsavedHistory) ?? []
            if !changes.isEmpty { await context.dispatch(HistoryEffect.save) }
        }
    }

    /// Saves what a cancelled import has left unsaved.
    static let importStopper = Relux.Reaction(to: ImportStop.self) { stop, context in
        // This waits for the cancelled save. Whether or not that save wrote the batch, the batch is stored exactly once
        // afterwards.
        try await context.perform(Effect.save)
        let saving = try await context.state(of: State.self).saving
        if saving.failure == nil { await context.dispatch(State.Action.importSaved(stop.id)) }
    }
}

extension Relux.SagaContext {
    /// The state after the list has been read. No decision is made about a list that isn't known.
    func loadedItems() async throws -> Items.State {
        let state = try await state(of: Items.State.self)
        if state.isLoaded { return state }
        try await perform(Items.Effect.load)
        let loaded = try await self.state(of: Items.State.self)
        if !loaded.isLoaded, let failure = loaded.loading.failure { throw ItemsError.notLoaded(failure) }
        return loaded
    }

    /// The state after the history has been read, if one is kept.
    func itemsWithHistory(_ state: Items.State) async throws -> Items.State {
        if !state.isHistoryKept || state.isHistoryLoaded { return state }
        try await perform(Items.HistoryEffect.load)
        let loaded = try await self.state(of: Items.State.self)
        if !loaded.isHistoryLoaded, let failure = loaded.historyFailure { throw ItemsError.noHistory(failure) }
        return loaded
    }
}
