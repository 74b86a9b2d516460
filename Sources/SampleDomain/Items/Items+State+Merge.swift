import SampleServices

extension Items.State {
    /// Takes note of what the service has saved. What was changed again in the meantime stays unsaved.
    mutating func settle(_ changes: [ItemChange]) {
        let present = list.items(changes.map(\.id))
        for change in changes where isUnsaved(change.id) {
            let saved = change.applied(to: change.base)
            if present[change.id] == saved {
                bases[change.id] = nil
            } else {
                bases.updateValue(saved, forKey: change.id)
            }
        }
    }

    /// Takes in what the service holds, and keeps on top of it what isn't saved.
    ///
    /// Where an unsaved item was changed elsewhere too, both changes are shown; what was deleted elsewhere but changed
    /// here stays, and what was deleted here stays away. What the service turns out to hold is saved, even if nobody
    /// has heard of its success; where nothing else is unsaved, the failure of the last save is over.
    mutating func take(_ snapshot: ItemsSnapshot) {
        if let revision, snapshot.revision < revision { return }
        revision = snapshot.revision
        // What is taken in now must not pass for a part of the user's step.
        openStep = [:]
        var items = snapshot.items.filter { !isUnsaved($0.id) }
        if hasUnsavedChanges {
            let stored = Dictionary(snapshot.items.map { ($0.id, $0) }) { _, last in last }
            for change in unsavedChanges {
                let version = stored[change.id]
                bases.updateValue(version, forKey: change.id)
                guard let merged = change.applied(to: version) else { continue }
                items.append(merged)
                if merged == version { bases[change.id] = nil }
            }
        }
        list = Items.List(items)
        if !hasUnsavedChanges, saving.failure != nil { saving = .idle }
    }
}

extension ItemChange {
    /// The version that the change started from.
    fileprivate var base: Item? {
        if case .update(let old, _) = self { old } else { nil }
    }
}
