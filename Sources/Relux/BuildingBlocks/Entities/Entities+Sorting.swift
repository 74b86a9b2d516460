extension Relux.Entities {
    /// Creates an empty collection that keeps its elements sorted.
    ///
    /// ```swift
    /// var messages = Relux.Entities<Message>(sortedBy: \.date, .descending)
    /// ```
    ///
    /// An element is added at its place in the order, after the elements that are equal to it. If a change by id gives
    /// an element another place, it moves there at once, again after the elements equal to it. An element whose place
    /// is still right stays there, so changes of other values move nothing.
    ///
    /// The order belongs to this collection and its copies. A position passed to ``insert(_:at:)`` is ignored, and
    /// ``move(id:to:)``, ``sort(by:)`` and ``sort()`` change nothing. Equality, hashing and coding concern the elements
    /// alone. A decoded collection therefore isn't sorted; pass its elements to ``init(_:keeping:sortedBy:_:)``.
    ///
    /// - Parameters:
    ///   - value: The value to sort by.
    ///   - direction: Whether the smallest or the greatest value comes first.
    public init<Value: Comparable & SendableMetatype>(
        sortedBy value: KeyPath<Element, Value> & Sendable, _ direction: Direction = .ascending
    ) where Element: SendableMetatype {
        order = direction.order(by: value)
    }

    /// Creates an empty collection that keeps its elements sorted, as ``init(sortedBy:_:)`` does, by a predicate.
    ///
    /// - Parameter areInIncreasingOrder: Whether the first element must precede the second. The predicate must be a
    ///   strict weak ordering. With any other predicate, the resulting order is unspecified, but no element is lost.
    public init(sortedBy areInIncreasingOrder: @escaping @Sendable (Element, Element) -> Bool) {
        order = areInIncreasingOrder
    }

    /// Creates a collection that keeps its elements sorted, as ``init(sortedBy:_:)`` does.
    ///
    /// - Parameters:
    ///   - elements: The elements. Those that are equal in the order keep the order that they have here.
    ///   - kept: Which of several elements with the same id to keep.
    ///   - value: The value to sort by.
    ///   - direction: Whether the smallest or the greatest value comes first.
    /// - Complexity: O(*n* log *n*).
    public init<Value: Comparable & SendableMetatype>(
        _ elements: some Sequence<Element>, keeping kept: Kept,
        sortedBy value: KeyPath<Element, Value> & Sendable, _ direction: Direction = .ascending
    ) where Element: SendableMetatype {
        self.init(elements, keeping: kept, sortedBy: direction.order(by: value))
    }

    /// Creates a collection that keeps its elements sorted, as ``init(sortedBy:_:)`` does, by a predicate.
    ///
    /// - Parameters:
    ///   - elements: The elements. Those that are equal in the order keep the order that they have here.
    ///   - kept: Which of several elements with the same id to keep.
    ///   - areInIncreasingOrder: Whether the first element must precede the second. The predicate must be a strict weak
    ///     ordering. With any other predicate, the resulting order is unspecified, but no element is lost.
    /// - Complexity: O(*n* log *n*).
    public init(
        _ elements: some Sequence<Element>, keeping kept: Kept,
        sortedBy areInIncreasingOrder: @escaping @Sendable (Element, Element) -> Bool
    ) {
        self.init(elements, keeping: kept)
        sort(by: areInIncreasingOrder)
        order = areInIncreasingOrder
    }

    /// Whether the smallest or the greatest value comes first.
    public enum Direction: Sendable, Hashable {
        /// The smallest value comes first.
        case ascending
        /// The greatest value comes first.
        case descending

        fileprivate func order<Value: Comparable & SendableMetatype>(
            by value: KeyPath<Element, Value> & Sendable
        ) -> @Sendable (Element, Element) -> Bool where Element: SendableMetatype {
            switch self {
            case .ascending: { $0[keyPath: value] < $1[keyPath: value] }
            case .descending: { $0[keyPath: value] > $1[keyPath: value] }
            }
        }
    }

    /// Where a new element belongs in a sorted collection: after all that don't follow it.
    @usableFromInline
    func sortedPosition(of element: Element) -> Int {
        slots.tree.partitionPoint { other in
            guard let order, let other else { return false }
            return order(element, other)
        }
    }

    /// Moves an element of a sorted collection to its place if it has to precede or follow a neighbour.
    @usableFromInline
    mutating func restoreOrder(of id: Element.ID) {
        guard let order, let position = position(id: id) else { return }
        let element = self[position]
        let fitsBefore = position == 0 || !order(element, self[position - 1])
        let fitsAfter = position == count - 1 || !order(self[position + 1], element)
        if fitsBefore, fitsAfter { return }
        slots.remove(at: position)
        place(element, id: id, at: sortedPosition(of: element))
    }
}
