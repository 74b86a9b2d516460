/// A part of a state that an action changed.
struct ValueChange: Sendable, Hashable {
    /// The keys that lead to the part. Empty for the whole state.
    let path: [String]
    /// The new value; nil if the part is gone.
    let new: ValueTree?
    /// The key of the element after which a new element is inserted; empty for the first, nil for a part that was
    /// there.
    var after: String?

    /// The change as one of a part; nil if it isn't inside that.
    ///
    /// - Parameter part: The path of the part, as text.
    func inside(_ part: String) -> ValueChange? {
        (0...path.count).first { pathText(path.prefix($0)) == part }
            .map { ValueChange(path: Array(path.dropFirst($0)), new: new, after: after) }
    }

    /// The parts in which two values of one type differ, each as small as possible.
    ///
    /// Parts that are equal according to `==` are not examined further, so apart from the comparisons, the cost depends
    /// only on the changes. If parts that aren't equal look the same, the smallest `Equatable` part that contains them
    /// is replaced. A NaN that remains in its place is no change.
    static func between(_ old: Any, _ new: Any) -> [ValueChange] {
        var changes: [ValueChange] = []
        compare(old, new, at: [], inObject: false, &changes)
        return changes
    }

    private static func compare(
        _ old: Any, _ new: Any, at path: [String], inObject isInObject: Bool, _ changes: inout [ValueChange]
    ) {
        func isUnchanged<E: Equatable>(_ old: E) -> Bool { (new as? E) == old }
        // A changed secret counts as a change, even if its text is the same.
        if let old = old as? any Equatable, isUnchanged(old) { return }
        func replaced() {
            changes.append(ValueChange(path: path, new: ValueTree(of: new, inObject: isInObject)))
        }
        let isPartInObject = isInObject || type(of: new) is AnyClass
        guard path.count < ValueTree.depthLimit else { return replaced() }
        if let array = old as? any ComparableArray, let parts = array.differingParts(from: new) {
            if !compareArrays(parts, at: path, inObject: isInObject, &changes) { replaced() }
            return
        }
        if let entities = old as? any ComparableEntities, let parts = entities.differingElements(from: new) {
            for element in parts.removals { changes.append(ValueChange(path: path + [element], new: nil)) }
            for (element, old, new) in parts.updates {
                compare(old, new, at: path + [element], inObject: isInObject, &changes)
            }
            for (element, value, previous) in parts.insertions {
                changes.append(
                    ValueChange(
                        path: path + [element], new: ValueTree(of: value, inObject: isInObject), after: previous))
            }
            return
        }
        let count = changes.count
        switch (ValueShape(of: old, inObject: isInObject), ValueShape(of: new, inObject: isInObject)) {
        case (.wrapped(let old), .wrapped(let new)): compare(old, new, at: path, inObject: isInObject, &changes)
        case (.fields(let oldName, let old), .fields(let newName, let new))
        where oldName == newName && old.map(\.key) == new.map(\.key):
            for (old, new) in zip(old, new) {
                compare(old.value, new.value, at: path + [new.key], inObject: isPartInObject, &changes)
            }
        case (.elements(let name, let old), .elements(_, let new)):
            compareElements(old, new, named: name, after: "", at: path, inObject: isPartInObject, &changes)
        case (.leaf("<private>"), .leaf("<private>")):
            replaced()
        case (.leaf(let old), .leaf(let new)):
            if old != new { replaced() }
        default: replaced()
        }
        // Not every difference is visible: the text of a date has no fractions of a second.
        if changes.count == count, old is any Equatable, !isSame(old, new) { replaced() }
    }

    /// - Returns: False if the whole array has to be replaced.
    private static func compareArrays(
        _ parts: DifferingParts, at path: [String], inObject isInObject: Bool, _ changes: inout [ValueChange]
    ) -> Bool {
        func key(_ element: Any, _ index: Int) -> String {
            parts.isIdentified ? ValueShape.idKey(of: element, inObject: isInObject) ?? "[\(index)]" : "[\(index)]"
        }
        func keyed(_ elements: [Any]) -> [(key: String, value: Any)] {
            elements.enumerated().map { (key($1, parts.start + $0), $1) }
        }
        // After an insertion, elements that are identified by their indices have other keys. The parts include them.
        let (old, new) = (keyed(parts.old), keyed(parts.new))
        let isMoved = parts.isIdentified && !isInOrder(old, new)
        if isMoved || parts.isRenamed { return false }
        let previous = parts.previous.map { key($0, parts.start - 1) } ?? ""
        compareElements(old, new, named: "[]", after: previous, at: path, inObject: isInObject, &changes)
        return true
    }

    private static func isInOrder(_ old: [(key: String, value: Any)], _ new: [(key: String, value: Any)]) -> Bool {
        let (before, present) = (Set(old.map(\.key)), Set(new.map(\.key)))
        return old.map(\.key).filter { present.contains($0) } == new.map(\.key).filter { before.contains($0) }
    }

    private static func compareElements(
        _ old: [(key: String, value: Any)], _ new: [(key: String, value: Any)], named name: String,
        after previous: String,
        at path: [String], inObject isInObject: Bool, _ changes: inout [ValueChange]
    ) {
        let before = Dictionary(old.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        let newKeys = new.map(\.key)
        let present = Set(newKeys)
        // If elements have moved, the whole collection is replaced.
        guard isInOrder(old, new) else {
            let parts = new.map { ValueTree.Part(key: $0.key, value: ValueTree(of: $0.value, inObject: isInObject)) }
            return changes.append(ValueChange(path: path, new: .branch(name, parts)))
        }
        for element in old where !present.contains(element.key) {
            changes.append(ValueChange(path: path + [element.key], new: nil))
        }
        for (index, element) in new.enumerated() {
            if let previous = before[element.key] {
                compare(previous, element.value, at: path + [element.key], inObject: isInObject, &changes)
            } else {
                changes.append(
                    ValueChange(
                        path: path + [element.key], new: ValueTree(of: element.value, inObject: isInObject),
                        after: index == 0 ? previous : newKeys[index - 1]
                    )
                )
            }
        }
    }
}

extension ValueTree {
    /// The tree after changes of its parts.
    func applying(_ changes: some Sequence<ValueChange>) -> ValueTree {
        changes.reduce(self) { tree, change in tree.replacing(change.path, with: change.new, after: change.after) }
    }
}
