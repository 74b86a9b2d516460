extension Relux {
    /// Elements in an order, unique by id, each of which is found and changed in constant time.
    ///
    /// ```swift
    /// items[id: id]?.title = title            // in place, wherever it stands
    /// guard case .inserted = items.append(item) else { return }
    /// ```
    ///
    /// - In place: an update through ``subscript(id:)`` or ``update(id:_:)`` moves no other element and copies nothing
    ///   that only this collection holds. A copy of the collection that lives elsewhere costs one copy of the array at
    ///   the next change, as with any array.
    /// - Unique: no two elements have the same id, whatever is done. An element that would break that is refused, and
    ///   the refusal is a result; nothing traps. Writing that replaces on purpose has names of its own,
    ///   ``upsert(_:)`` and the setter of ``subscript(id:)``.
    /// - Positions count from zero. Those given to ``insert(_:at:)`` and ``move(id:to:)`` are clamped, because an
    ///   action that carries one may come after a change that made the list shorter.
    /// - Reading by position, `entities[2]`, is that of any collection, and needs a valid one; ``element(at:)``
    ///   doesn't. There is no writing by position: it could break uniqueness.
    ///
    /// Constant time means on average, as for a dictionary, and relies on ids that hash well. Inserting and removing
    /// shift what stands behind, so they take time in proportion to it. The id of an element that is an object must not
    /// change behind the collection's back: elements are values.
    ///
    /// It is `Sendable`, `Equatable`, `Hashable` and `Codable` where the elements are.
    public struct Entities<Element: Identifiable> {
        // Slots are optional so that one of them can be lent out, changed and emptied where it is. Between two calls
        // all of them are filled, and `positions` has exactly one entry for each: the id of its element.
        //
        // Both can be used from inlined code: look-up and update are five times as fast where the compiler knows
        // the types.
        @usableFromInline var slots: [Element?] = []
        @usableFromInline var positions: [Element.ID: Int] = [:]

        /// No elements.
        public init() {}

        /// The elements in their order, if no two of them have the same id.
        ///
        /// - Parameter elements: The elements.
        /// - Throws: ``Relux/DuplicateEntity`` for the first element whose id an earlier one has.
        /// - Complexity: O(*n*).
        public init(_ elements: some Sequence<Element>) throws(DuplicateEntity) {
            reserveCapacity(elements.underestimatedCount)
            for element in elements {
                if case .duplicate(let first) = append(element) {
                    throw DuplicateEntity(id: "\(element.id)", position: count, firstPosition: first)
                }
            }
        }

        /// The elements in their order, with one of those that have the same id.
        ///
        /// - Parameters:
        ///   - elements: The elements.
        ///   - kept: Which of several with the same id is kept. It stands where the first of them stood.
        /// - Complexity: O(*n*).
        public init(_ elements: some Sequence<Element>, keeping kept: Kept) {
            reserveCapacity(elements.underestimatedCount)
            for element in elements {
                if case .duplicate(let position) = append(element), kept == .last {
                    slots[position] = element
                }
            }
        }

        /// Which of several elements with the same id is kept.
        public enum Kept: Sendable, Hashable {
            /// The one that comes first.
            case first
            /// The one that comes last.
            case last
        }
    }

    /// Elements that should be unique by id are not.
    public struct DuplicateEntity: Error, Hashable, CustomStringConvertible {
        /// The id, as text.
        public let id: String

        /// The position of the element whose id is taken, counted from zero.
        public let position: Int

        /// The position of the element that has the id.
        public let firstPosition: Int

        /// What is wrong, in one sentence.
        public var description: String {
            "The element at position \(position) has the id \(id), which the one at position \(firstPosition) has already."
        }
    }
}

extension Relux.Entities: Sendable where Element: Sendable, Element.ID: Sendable {}

extension Relux.Entities {
    /// Whether an element has the id.
    ///
    /// - Parameter id: The id.
    /// - Returns: Whether there is one.
    /// - Complexity: O(1).
    @inlinable
    public func contains(id: Element.ID) -> Bool {
        positions[id] != nil
    }

    /// Where the element with an id stands.
    ///
    /// - Parameter id: The id.
    /// - Returns: Its position, counted from zero, or nil where no element has the id.
    /// - Complexity: O(1).
    @inlinable
    public func position(id: Element.ID) -> Int? {
        positions[id]
    }

    /// The element at a position, if the position is valid.
    ///
    /// - Parameter position: A position counted from zero; any number will do.
    /// - Returns: The element, or nil where there is none.
    /// - Complexity: O(1).
    public func element(at position: Int) -> Element? {
        slots.indices.contains(position) ? slots[position] : nil
    }

    /// The ids, in the order of the elements.
    ///
    /// - Complexity: O(*n*).
    public var ids: [Element.ID] {
        map(\.id)
    }

    /// Makes room for a number of elements, so that adding them allocates only once.
    ///
    /// - Parameter capacity: The number of elements, those that are there included.
    public mutating func reserveCapacity(_ capacity: Int) {
        slots.reserveCapacity(capacity)
        positions.reserveCapacity(capacity)
    }

    /// Writes down the positions of the elements in a range of slots.
    mutating func reindex(_ range: Range<Int>) {
        for position in range {
            if let id = slots[position]?.id {
                positions[id] = position
            }
        }
    }

    /// Writes down that the elements behind a new slot have moved.
    mutating func slotWasInserted(at position: Int) {
        shift(from: position, by: 1)
    }

    /// Writes down that the elements behind a slot that is gone have moved.
    @usableFromInline
    mutating func slotWasRemoved(at position: Int) {
        shift(from: position + 1, by: -1)
    }

    private mutating func shift(from former: Int, by offset: Int) {
        let moved = former + offset..<slots.count
        // Passing over all positions is many times quicker than hashing the ids of most elements.
        if moved.count < slots.count / 8 {
            reindex(moved)
        } else {
            Self.add(offset, to: &positions.values, from: former)
        }
    }

    private static func add(_ offset: Int, to values: inout [Element.ID: Int].Values, from former: Int) {
        // By hand, because `indices` would hold the dictionary and make the first change copy it.
        var index = values.startIndex
        while index != values.endIndex {
            if values[index] >= former {
                values[index] += offset
            }
            values.formIndex(after: &index)
        }
    }
}
