/// A state that has to be loaded before its module is connected.
struct LoadRequest: Sendable {
    let persistence: any Relux.StatePersistence
    /// The value that the module lists.
    let initial: any Relux.State

    /// Loads states concurrently. Unreadable data are set aside only if every state may be used afterwards.
    nonisolated(nonsending) static func load<Place: Hashable & Sendable>(
        _ requests: [(place: Place, request: LoadRequest)]
    ) async -> LoadOutcome<Place> {
        let loaded = await forEach(requests) { await $0.request.load() }
        for ((_, request), loaded) in zip(requests, loaded) {
            if let refusal = request.refusal(after: loaded) { return LoadOutcome(found: .failure(refusal)) }
        }
        let results = await forEach(Array(zip(requests, loaded))) { await $0.0.request.setAside(after: $0.1) }
        let found = Result { () throws(Relux.StoreError) in
            let values = try results.map { (result) throws(Relux.StoreError) in try result.found.get() }
            return Dictionary(uniqueKeysWithValues: zip(requests.map(\.place), values))
        }
        return LoadOutcome(found: found, setAside: results.compactMap(\.setAside))
    }

    private nonisolated(nonsending) static func forEach<Element: Sendable, Output: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) async -> Output
    ) async -> [Output] {
        await withTaskGroup(of: (Int, Output).self) { group in
            for (index, element) in elements.enumerated() {
                group.addTask { (index, await body(element)) }
            }
            var outputs: [Int: Output] = [:]
            for await (index, output) in group { outputs[index] = output }
            return elements.indices.compactMap { outputs[$0] }
        }
    }

    private func load() async -> Loaded {
        func load<P: Relux.StatePersistence>(_ persistence: P) async -> Loaded {
            guard let initial = initial as? P.S else { return Loaded() }
            do {
                return Loaded(value: try await persistence.load(into: initial))
            } catch {
                return Loaded(failure: error)
            }
        }
        return await load(persistence)
    }

    /// Why the module can't be registered after a load; nil if it can.
    private func refusal(after loaded: Loaded) -> Relux.StoreError? {
        guard let failure = loaded.failure else { return nil }
        switch (persistence.unreadable.kind, failure) {
        case (.startUnsaved, _), (.setAside, .damaged), (.setAside, .newer): return nil
        default: return .notLoaded(persistence.state, failure)
        }
    }

    /// Keeps what can't be read under another name, if that is the rule.
    private func setAside(
        after loaded: Loaded
    ) async -> (found: Result<Loaded, Relux.StoreError>, setAside: SetAside?) {
        func refused(_ failure: Relux.LoadFailure) -> Result<Loaded, Relux.StoreError> {
            .failure(.notLoaded(persistence.state, failure))
        }
        guard let failure = loaded.failure, persistence.unreadable.kind == .setAside else {
            return (.success(loaded), nil)
        }
        do { try await persistence.setAside() } catch { return (refused(.unavailable(error)), nil) }
        // Others may have done so since the load, and saved.
        let found = await load()
        if found.value != nil { return (.success(found), nil) }
        return (found.failure.map(refused) ?? .success(Loaded()), SetAside(state: persistence.state, failure: failure))
    }
}

/// The outcome of the loads for a registration.
struct LoadOutcome<Place: Hashable & Sendable>: Sendable {
    /// The values that were found, or why the modules can't be registered.
    var found: Result<[Place: Loaded], Relux.StoreError> = .success([:])
    /// What was set aside, in both cases.
    var setAside: [SetAside] = []
}

/// The result of loading a state.
struct Loaded: Sendable {
    /// Nil if nothing has been saved yet, if it can't be read, or if it was set aside.
    var value: (any Relux.State)?
    var failure: Relux.LoadFailure?
}

/// Data that were set aside, and why. This is reported even if the modules can't be registered after all, because a
/// later load finds nothing to report.
struct SetAside: Sendable {
    let state: any Relux.State.Type
    let failure: Relux.LoadFailure
}

extension Relux.StatePersistence {
    var state: any Relux.State.Type { S.self }
}
