extension Relux {
    /// An ordered collection of elements that are unique by id, with fast lookup and update by id. Copies share storage
    /// for everything that has not changed since.
    ///
    /// ```swift
    /// items[id: id]?.title = title            // in place, wherever it stands
    /// guard case .inserted = items.append(item) else { return }
    /// ```
    ///
    /// - In place: An update through ``subscript(id:)`` or ``update(id:_:)`` moves no other element. It copies nothing
    ///   if no copy of the collection exists.
    /// - Shared: A copy shares everything with the original until one of them changes. A change then copies the few
    ///   nodes that lead to the changed element, each with at most 32 elements or references, and both continue to
    ///   share the others. The next change of the same element copies nothing.
    /// - Unique: No two elements ever have the same id. An element that would violate this is refused, and the refusal
    ///   is a result, which may be ignored; nothing traps. Only ``upsert(_:)``, ``upsert(contentsOf:)`` and changes by
    ///   id replace elements.
    /// - Positions count from zero. Those passed to ``insert(_:at:)`` and ``move(id:to:)`` are clamped, because the
    ///   list may have become shorter before the action that carries the position is reduced.
    /// - Reading by position, as in `entities[2]`, requires a valid position, as with any collection; ``element(at:)``
    ///   accepts any. There is no writing by position, because it could break uniqueness.
    ///
    /// Lookup by id, reading by position, and every change of one element take O(log *n*) steps, to the base of 16: at
    /// most five steps for 100,000 elements, and usually four. That is constant time for practical purposes, and relies
    /// on ids that hash well, as a dictionary does. Iterating takes constant time for each element. Algorithms that use
    /// positions instead, such as iterating over `indices`, `reversed()` or a slice, take O(log *n*) for each.
    ///
    /// Elements must be values: if an element is an object, its id must not change while the object is in the
    /// collection.
    ///
    /// It is `Sendable`, `Equatable`, `Hashable` and `Codable` if the elements are.
    ///
    /// The elements are in a B+-tree, which finds them by position and by label. A label is a number that belongs to an
    /// element, and labels ascend in the order of the elements. A second tree, ordered by the hashes of the ids, has
    /// the label of each id.
    public struct Entities<Element: Identifiable> {
        // Slots are optional so that an element can be moved out, changed and emptied in place. Between two calls,
        // every slot is filled, and `labels` has exactly one entry for each slot, under the id of its element.
        //
        // Both are usable from inlined code because lookup and update are several times as fast if the compiler knows
        // the types.
        @usableFromInline var slots = PersistentList<Element?>()
        @usableFromInline var labels = PersistentMap<Element.ID, UInt64>()

        /// Whether the first element precedes the second; nil if the order isn't maintained.
        @usableFromInline var order: (@Sendable (Element, Element) -> Bool)?

        /// Creates an empty collection.
        public init() {}

        /// Creates a collection of elements with distinct ids, in order.
        ///
        /// - Throws: ``Relux/DuplicateEntity`` for the first element that has the id of an earlier one.
        /// - Complexity: O(*n* log *n*) comparisons of numbers, and O(*n*) hashes of ids.
        public init(_ elements: some Sequence<Element>) throws(DuplicateEntity) {
            let elements = Array(elements)
            let duplicates = fill(elements)
            if let (position, first) = duplicates.min(by: { $0.position < $1.position }) {
                throw DuplicateEntity(id: "\(elements[position].id)", position: position, firstPosition: first)
            }
        }

        /// Creates a collection of elements in order, keeping one of those that have the same id.
        ///
        /// - Parameter kept: Which of several elements with the same id to keep. It takes the place of the first of
        ///   them.
        /// - Complexity: O(*n* log *n*) comparisons of numbers, and O(*n*) hashes of ids.
        public init(_ elements: some Sequence<Element>, keeping kept: Kept) {
            let elements = Array(elements)
            let duplicates = fill(elements)
            guard !duplicates.isEmpty else { return }
            var unique = elements.map(Optional.some)
            for (position, first) in duplicates.sorted(by: { $0.position < $1.position }) {
                if kept == .last { unique[first] = elements[position] }
                unique[position] = nil
            }
            fill(unique.compactMap(\.self))
        }

        /// Which of several elements with the same id to keep.
        public enum Kept: Sendable, Hashable {
            /// The first of them.
            case first
            /// The last of them.
            case last
        }
    }

    /// The error for elements that must be unique by id but are not.
    public struct DuplicateEntity: Error, Hashable, CustomStringConvertible {
        /// The duplicate id, as text.
        public let id: String

        /// The position of the later element with the id, counted from zero.
        public let position: Int

        /// The position of the earlier element with the id, counted from zero.
        public let firstPosition: Int

        /// The mistake, in one sentence.
        public var description: String {
            "The element at position \(position) has the id \(id), which the one at position \(firstPosition) has already."
        }
    }
}

extension Relux.Entities: Sendable where Element: Sendable, Element.ID: Sendable {}

extension Relux.Entities: ExpressibleByArrayLiteral {
    /// Creates a collection of elements in order, keeping the first of those that have the same id.
    public init(arrayLiteral elements: Element...) {
        self.init(elements, keeping: .first)
    }
}

extension Relux.Entities {
    /// Whether an element has the id.
    ///
    /// - Complexity: O(log *n*), to the base of 16.
    @inlinable
    public func contains(id: Element.ID) -> Bool {
        labels[id] != nil
    }

    /// The position of the element with an id.
    ///
    /// - Returns: The position, counted from zero, or nil if no element has the id.
    /// - Complexity: O(log *n*), to the base of 16.
    @inlinable
    public func position(id: Element.ID) -> Int? {
        labels[id].flatMap(slots.position(of:))
    }

    /// The element at a position, if the position is valid.
    ///
    /// - Parameter position: A position counted from zero. Any integer is allowed.
    /// - Returns: The element, or nil if the position is not valid.
    /// - Complexity: O(log *n*), to the base of 16.
    public func element(at position: Int) -> Element? {
        indices.contains(position) ? slots[position] : nil
    }

    /// The ids, in the order of the elements.
    ///
    /// - Complexity: O(*n*).
    public var ids: [Element.ID] {
        map(\.id)
    }

    /// Does nothing: the elements are stored in small nodes, each allocated when it is needed.
    ///
    /// - Parameter capacity: Ignored.
    public mutating func reserveCapacity(_ capacity: Int) {}

    /// Replaces all elements. If elements with the same id are found, the collection must be filled again or discarded.
    ///
    /// - Returns: For each element whose id an earlier one has, its position and that of the first with the id.
    @discardableResult
    mutating func fill(_ elements: [Element]) -> [(position: Int, first: Int)] {
        let count = elements.count
        var duplicates: [(position: Int, first: Int)] = []
        slots = PersistentList(elements.map(Optional.some))
        labels = PersistentMap(elements.map(\.id)) { position in
            PersistentList<Element?>.label(of: position, in: count)
        } foundAgain: { position, first in
            duplicates.append((position, first))
        }
        return duplicates
    }
}
