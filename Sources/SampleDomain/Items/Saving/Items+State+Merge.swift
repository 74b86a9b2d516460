import SampleServices

extension Items.State {
    /// Marks changes as saved. Whatever was changed again in the meantime stays unsaved.
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

    /// Replaces the list with the stored one, and applies the unsaved changes to it.
    ///
    /// If an unsaved item was also changed elsewhere, both changes are kept. An item that was deleted elsewhere but
    /// changed here is kept, and an item that was deleted here stays deleted. Changes that the snapshot already
    /// contains count as saved, even if the result of their save was lost. If nothing else is unsaved, the failure of
    /// the last save is cleared.
    mutating func take(_ snapshot: Snapshot<[Item]>) {
        if let revision, snapshot.revision < revision { return }
        revision = snapshot.revision
        // Changes that arrive from the service must not become part of the user's step.
        openStep = [:]
        var items = snapshot.value
        if hasUnsavedChanges {
            items.removeAll { isUnsaved($0.id) }
            var stored: [Item.ID: Item] = [:]
            for item in snapshot.value where isUnsaved(item.id) { stored[item.id] = item }
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
    /// The version from which the change started.
    fileprivate var base: Item? {
        if case .update(let old, _) = self { old } else { nil }
    }
}
