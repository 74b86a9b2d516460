extension Relux.UI {
    /// A part of a value that a binding reads and sets.
    struct BoundPath<Root, Part>: Sendable {
        let keyPath: KeyPath<Root, Part> & Sendable

        /// Whether reading the path could end the program, because it leads to an element of a collection that may have
        /// gone, such as `\.rows[1].title`.
        let mayLeadNowhere: Bool

        /// Whether the element that the path names by its id is there. Otherwise, the path leads to another value.
        private(set) var isElementThere: @Sendable (Root) -> Bool = { _ in true }

        /// - Parameter path: Makes the key path.
        init(_ path: () -> KeyPath<Root, Part> & Sendable) {
            keyPath = path()
            // A key path that captures nothing is the same object each time. One that captures an index is made again.
            // A path to something optional is always read, because that is meant to be missing.
            mayLeadNowhere =
                !(Part.self is any OptionalValue.Type) && MemoryLayout<Root>.offset(of: keyPath) == nil
                && keyPath !== path()
        }

        private init(_ keyPath: KeyPath<Root, Part> & Sendable, mayLeadNowhere: Bool) {
            (self.keyPath, self.mayLeadNowhere) = (keyPath, mayLeadNowhere)
        }

        /// A part of the element with an id.
        ///
        /// - Parameter other: Where the path leads if there is no such element.
        init<Element: Sendable>(
            _ entities: () -> KeyPath<Root, Relux.Entities<Element>> & Sendable, id: Element.ID,
            _ part: KeyPath<Element, Part> & Sendable, otherwise other: Part
        ) where Element.ID: Sendable, Part: Hashable & Sendable {
            let entities = BoundPath<Root, Relux.Entities<Element>>(entities)
            self = entities.appending(\.[part, id: id, otherwise: other])
            isElementThere = { $0[keyPath: entities.keyPath].contains(id: id) }
        }

        /// A path to a part of the part, which is always there.
        func appending<Next>(_ path: KeyPath<Part, Next> & Sendable) -> BoundPath<Root, Next> {
            let whole = keyPath.appending(path: path)
            // unsafeBitCast: both paths are sendable, so the whole captures nothing that isn't.
            let sendable = unsafeBitCast(whole, to: (KeyPath<Root, Next> & Sendable).self)
            return BoundPath<Root, Next>(sendable, mayLeadNowhere: mayLeadNowhere)
        }
    }
}

extension Relux.Entities {
    /// A part of the element with an id, or another value if there is none.
    fileprivate subscript<Part>(part: KeyPath<Element, Part>, id id: Element.ID, otherwise other: Part) -> Part {
        self[id: id]?[keyPath: part] ?? other
    }
}

private protocol OptionalValue {}

extension Optional: OptionalValue {}

/// The last reading of a binding, for a path that may lead nowhere.
@MainActor
final class LastReading<Part> {
    var part: Part
    var shape: ValueShape?

    init(_ part: Part, _ shape: ValueShape?) {
        (self.part, self.shape) = (part, shape)
    }
}
