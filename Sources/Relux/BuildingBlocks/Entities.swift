extension Relux {
    /// An ordered collection of elements that are unique by id, with lookup and update in constant time.
    ///
    /// ```swift
    /// items[id: id]?.title = title            // in place, wherever it stands
    /// guard case .inserted = items.append(item) else { return }
    /// ```
    ///
    /// - In place: An update through ``subscript(id:)`` or ``update(id:_:)`` moves no other element, and copies nothing
    ///   if no copy of the collection exists. If one does, the next change copies the array once, as with any array.
    /// - Unique: No two elements ever have the same id. An element that would violate this is refused, and the refusal
    ///   is a result to handle; nothing traps. Only ``upsert(_:)``, ``upsert(contentsOf:)`` and changes by id replace
    ///   elements.
    /// - Positions count from zero. Those passed to ``insert(_:at:)`` and ``move(id:to:)`` are clamped, because the
    ///   list may have become shorter before the action that carries the position is reduced.
    /// - Reading by position, as in `entities[2]`, requires a valid position, as with any collection; ``element(at:)``
    ///   accepts any. There is no writing by position, because it could break uniqueness.
    ///
    /// Constant time means on average, as for a dictionary, and relies on ids that hash well. Inserting and removing
    /// take time proportional to the number of elements after the position, because those are shifted. Elements must be
    /// values: if an element is an object, its id must not change while the object is in the collection.
    ///
    /// It is `Sendable`, `Equatable`, `Hashable` and `Codable` if the elements are.
    public struct Entities<Element: Identifiable> {
        // Slots are optional so that an element can be moved out, changed and emptied in place. Between two calls,
        // every slot is filled, and `positions` has exactly one entry for each slot, under the id of its element.
        //
        // Both are usable from inlined code because lookup and update are five times as fast if the compiler knows the
        // types.
        @usableFromInline var slots: [Element?] = []
        @usableFromInline var positions: [Element.ID: Int] = [:]

        /// Creates an empty collection.
        public init() {}

        /// Creates a collection of elements with distinct ids, in order.
        ///
        /// - Throws: ``Relux/DuplicateEntity`` for the first element that has the id of an earlier one.
        /// - Complexity: O(*n*).
        public init(_ elements: some Sequence<Element>) throws(DuplicateEntity) {
            reserveCapacity(elements.underestimatedCount)
            for element in elements {
                if case .duplicate(let first) = append(element) {
                    throw DuplicateEntity(id: "\(element.id)", position: count, firstPosition: first)
                }
            }
        }

        /// Creates a collection of elements in order, keeping one of those that have the same id.
        ///
        /// - Parameter kept: Which of several elements with the same id to keep. It takes the place of the first of
        ///   them.
        /// - Complexity: O(*n*).
        public init(_ elements: some Sequence<Element>, keeping kept: Kept) {
            reserveCapacity(elements.underestimatedCount)
            for element in elements {
                if case .duplicate(let position) = append(element), kept == .last {
                    slots[position] = element
                }
            }
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
    /// - Complexity: O(1).
    @inlinable
    public func contains(id: Element.ID) -> Bool {
        positions[id] != nil
    }

    /// The position of the element with an id.
    ///
    /// - Returns: The position, counted from zero, or nil if no element has the id.
    /// - Complexity: O(1).
    @inlinable
    public func position(id: Element.ID) -> Int? {
        positions[id]
    }

    /// The element at a position, if the position is valid.
    ///
    /// - Parameter position: A position counted from zero. Any integer is allowed.
    /// - Returns: The element, or nil if the position is not valid.
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

    /// Reserves storage for a number of elements, so that adding them allocates only once.
    ///
    /// - Parameter capacity: The total number of elements, including those already in the collection.
    public mutating func reserveCapacity(_ capacity: Int) {
        slots.reserveCapacity(capacity)
        positions.reserveCapacity(capacity)
    }

    /// Updates `positions` for the elements in a range of slots.
    mutating func reindex(_ range: Range<Int>) {
        for position in range {
            if let id = slots[position]?.id {
                positions[id] = position
            }
        }
    }

    /// Updates `positions` for the elements after an inserted slot.
    mutating func slotWasInserted(at position: Int) {
        shift(from: position, by: 1)
    }

    /// Updates `positions` for the elements after a removed slot.
    @usableFromInline
    mutating func slotWasRemoved(at position: Int) {
        shift(from: position + 1, by: -1)
    }

    private mutating func shift(from former: Int, by offset: Int) {
        let moved = former + offset..<slots.count
        // A pass over all positions is many times faster than hashing the ids of most elements.
        if moved.count < slots.count / 8 {
            reindex(moved)
        } else {
            Self.add(offset, to: &positions.values, from: former)
        }
    }

    private static func add(_ offset: Int, to values: inout [Element.ID: Int].Values, from former: Int) {
        // A manual loop, because `indices` would retain the dictionary and make the first change copy it.
        var index = values.startIndex
        while index != values.endIndex {
            if values[index] >= former {
                values[index] += offset
            }
            values.formIndex(after: &index)
        }
    }
}
