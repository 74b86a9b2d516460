extension Relux.StateReader {
    /// The element with an id in a collection of a state, in the innermost scope that owns the state; nil if there
    /// is no such element or state.
    ///
    /// ```swift
    /// let title = try store.viewState { reader in reader[Notes.State.self, \.notes, id: id]?.title }
    /// ```
    ///
    /// A selection that reads nothing else of the state isn't made again when other elements change, so a change is
    /// as cheap beside a thousand rows, each with a selection of its own, as beside one. Elements that are equal count
    /// as unchanged.
    ///
    /// This holds for collections in stored properties of the state. A key path that leads through an optional, a
    /// subscript or a computed property may lead nowhere later, so the store never follows it by itself: it is a read
    /// of the whole state.
    ///
    /// - Complexity: O(log *n*) for *n* elements. While elements are followed in this way, the store also keeps the
    ///   collection as it was before the present action, which shares everything that the action leaves alone.
    public subscript<S: Relux.State, Element: Identifiable & Equatable>(
        _ type: S.Type, _ entities: KeyPath<S, Relux.Entities<Element>>, id id: Element.ID
    ) -> Element? {
        let cell = cell(of: type) { cell in
            cell.typed(as: type)?.source(of: id, in: entities) ?? cell.source
        }
        return cell?.typed(as: type)?.value[keyPath: entities][id: id]
    }
}

extension StateCell {
    fileprivate func source<Element: Identifiable & Equatable>(
        of id: Element.ID, in entities: KeyPath<S, Relux.Entities<Element>>
    ) -> Source {
        // Nothing has an id that differs from itself, and such an id isn't found again. Only a path of stored
        // properties, which has an offset, leads somewhere whatever the state is.
        guard id == id, MemoryLayout<S>.offset(of: entities) != nil else { return source }
        let elements = parts[entities] as? ElementSources<S, Element> ?? ElementSources(entities, of: self)
        return elements.source(of: id)
    }
}

/// The elements of a collection in a state that are read by their ids, each as a source of its own.
///
/// While there are readers of elements, it follows the state. A change of the state then concerns only the readers of
/// the elements that have changed: it is compared with what the state was at the last change, which shares everything
/// else.
///
/// - Isolation: The core's.
/// - Complexity: A change of *d* of *n* elements takes O(*d* log *n*), however many of them are read.
private final class ElementSources<S: Relux.State, Element: Identifiable & Equatable>: SourceReader {
    /// The state, which holds this while there are readers.
    private weak var cell: StateCell<S>?
    private let scope: UInt64
    private let entities: KeyPath<S, Relux.Entities<Element>>
    /// The elements that have readers, or that a selection has read that is about to follow them.
    private var followed: [Element.ID: ElementSource<S, Element>] = [:]
    /// The collection as the readers know it; empty while there are none.
    private var known = Relux.Entities<Element>()
    private var lastNumber: UInt64 = 0

    init(_ entities: KeyPath<S, Relux.Entities<Element>>, of cell: StateCell<S>) {
        (self.entities, self.cell, scope) = (entities, cell, cell.source.scope)
    }

    /// The element with an id as a source, whether there is one or not.
    func source(of id: Element.ID) -> Source {
        if let source = followed[id] { return source }
        if followed.isEmpty, let cell {
            known = cell.value[keyPath: entities]
            follow([cell.source])
            cell.parts[entities] = self
        }
        lastNumber += 1
        let source = ElementSource(id, number: lastNumber, in: scope, of: self)
        followed[id] = source
        return source
    }

    fileprivate func remove(_ source: ElementSource<S, Element>) {
        followed[source.id] = nil
        guard followed.isEmpty else { return }
        stopFollowing()
        known = []
        cell?.parts[entities] = nil
    }

    override func sourceChanged(in readers: Readers) {
        guard hasLostSource else { return markChanged().forEach(readers.note) }
        // Those who read it may not ask for long.
        known = []
        for source in inOrder {
            source.markGone()
            readers.note(source)
        }
    }

    override func keepLast(ofScopes removed: Set<UInt64>, in readers: Readers) {
        _ = markChanged()
        var told: Set<ObjectIdentifier> = []
        for reader in inOrder.flatMap(\.readers.elements) where told.insert(ObjectIdentifier(reader)).inserted {
            reader.keepLast(ofScopes: removed, in: readers)
        }
    }

    /// - Returns: The elements that have changed, in the order in which they were first read. That of the collection
    ///   may depend on hashes.
    private func markChanged() -> [Source] {
        guard let present = cell?.value[keyPath: entities] else { return [] }
        let changed = present.changedIDs(since: known).compactMap { followed[$0] }.sorted { $0.number < $1.number }
        known = present
        for source in changed { source.markChanged() }
        return changed
    }

    /// In the order in which they were first read.
    private var inOrder: [ElementSource<S, Element>] { followed.values.sorted { $0.number < $1.number } }
}

/// An element of a collection as a source, until its last reader has gone.
///
/// - Isolation: The core's.
private final class ElementSource<S: Relux.State, Element: Identifiable & Equatable>: Source {
    let id: Element.ID
    let number: UInt64
    private let elements: ElementSources<S, Element>

    init(_ id: Element.ID, number: UInt64, in scope: UInt64, of elements: ElementSources<S, Element>) {
        (self.id, self.number, self.elements) = (id, number, elements)
        super.init(in: scope, isState: true)
    }

    override func lastReaderHasGone() { elements.remove(self) }
}
