extension Relux {
    /// Instances of a module that follow a state: one for each id in a collection, or one for an optional id.
    ///
    /// The step that adds an id to the state registers the instance, and the step that removes the id cancels the
    /// instance's runs, ends its sequences, and drops its states, unless a lease or a registration by name holds the
    /// same instance. Nothing ever sees the state without the instances that belong to it.
    ///
    /// ```swift
    /// var children: [Relux.Children] {
    ///     [
    ///         .each(of: State.self, \.openChats) { id, state in Chat.Module(id: id, api: api) },
    ///         .optional(of: State.self, \.editedNote) { id, state in Editor.Module(id: id) },
    ///     ]
    /// }
    /// ```
    ///
    /// Lists that name the same id share its instance. If one action moves an id from one list to another, the instance
    /// stays. The entries of two ``Navigation/Stack``s that both count from 1 share it as well, which is probably a
    /// mistake, and is reported as ``Refusal/Reason/sharedChild(_:)``. An id that occurs twice in a list counts once,
    /// and is reported as ``Refusal/Reason/duplicateChild(_:)``. A child that can't be registered, or that has another
    /// id than the requested one, is reported as ``Refusal/Reason/childNotRegistered(_:)`` and left out, until its id
    /// has been removed and added again. So is one inside 50,000 others that the same step has opened, together with
    /// all that have yet to be added inside the same outermost one, so that children which contain themselves come to
    /// an end.
    ///
    /// - Isolation: The closures are called inside the store, synchronously, after the reducers of an action that
    ///   touches the state, and before anything else sees the state. Keep them short.
    /// - Complexity: Comparing the ids costs nothing while they share their storage with the previous ones, and
    ///   otherwise O(n) in the number of ids.
    public struct Children: Sendable {
        /// How many instances, one inside the other, a step opens.
        static let depthLimit = 50_000

        let body: any ChildrenBody

        var state: any State.Type { body.state }

        /// One instance for each id in a collection.
        ///
        /// - Parameters:
        ///   - state: A state of the module that lists this, or of one that it needs.
        ///   - ids: Selects the ids. Return a stored collection: comparing that with the previous one costs nothing
        ///     until it changes.
        ///   - make: Creates the module of an instance from its id and the state that asks for it. It may return
        ///     modules of different types. While an id stays, so does its instance, even if this closure would now
        ///     return another type.
        ///   - onDismiss: Removes an id whose instance asks to be dismissed, as a reducer of the state would; nil if
        ///     the instances can't be dismissed.
        @inlinable
        public static func each<S: State, IDs: Collection & Equatable & Sendable>(
            of state: S.Type, _ ids: @escaping @Sendable (S) -> IDs,
            _ make: @escaping @Sendable (IDs.Element, S) -> any Module & Identifiable<IDs.Element>,
            onDismiss: (@Sendable (inout S, IDs.Element) -> Void)? = nil
        ) -> Children where IDs.Element: Hashable & Sendable {
            each(of: state, ids, { id, state, _ in make(id, state) }, onDismiss: onDismiss)
        }

        /// One instance for each element of a collection, with the id of the element.
        ///
        /// The entries of a ``Navigation/Stack`` can be dismissed without an `onDismiss`.
        ///
        /// - Parameters:
        ///   - state: A state of the module that lists this, or of one that it needs.
        ///   - elements: Selects the elements, such as the entries of a navigation stack. An element that changes and
        ///     keeps its id keeps its instance.
        ///   - make: Creates the module of an instance from its element and the state that asks for it. It may return
        ///     modules of different types. While an element keeps its id, the instance stays, even if this closure
        ///     would now return another type.
        ///   - onDismiss: Removes the element with an id whose instance asks to be dismissed, as a reducer of the state
        ///     would; nil if the instances can't be dismissed.
        @inlinable
        public static func each<S: State, Elements: Collection & Equatable & Sendable>(
            of state: S.Type, _ elements: @escaping @Sendable (S) -> Elements,
            _ make: @escaping @Sendable (Elements.Element, S) -> any Module & Identifiable<Elements.Element.ID>,
            onDismiss: (@Sendable (inout S, Elements.Element.ID) -> Void)? = nil
        ) -> Children where Elements.Element: Identifiable, Elements.Element.ID: Sendable {
            each(of: state, elements, { element, state, _ in make(element, state) }, onDismiss: onDismiss)
        }

        /// One instance for each id in a collection whose ids identify themselves, so that they are elements as well.
        ///
        /// The parameters are those of the other forms.
        @inlinable
        public static func each<S: State, IDs: Collection & Equatable & Sendable>(
            of state: S.Type, _ ids: @escaping @Sendable (S) -> IDs,
            _ make: @escaping @Sendable (IDs.Element, S) -> any Module & Identifiable<IDs.Element>,
            onDismiss: (@Sendable (inout S, IDs.Element) -> Void)? = nil
        ) -> Children where IDs.Element: Identifiable & Sendable, IDs.Element.ID == IDs.Element {
            each(of: state, ids, { id, state, _ in make(id, state) }, onDismiss: onDismiss)
        }

        /// One instance as long as there is an id.
        ///
        /// - Parameters:
        ///   - state: A state of the module that lists this, or of one that it needs.
        ///   - id: Selects the id. Another id ends the instance, and registers another one.
        ///   - make: Creates the module of the instance from its id and the state that asks for it. It may return
        ///     modules of different types.
        ///   - onDismiss: Removes the id if its instance asks to be dismissed, as a reducer of the state would; nil if
        ///     the instance can't be dismissed.
        @inlinable
        public static func optional<S: State, ID: Hashable & Sendable>(
            of state: S.Type, _ id: @escaping @Sendable (S) -> ID?,
            _ make: @escaping @Sendable (ID, S) -> any Module & Identifiable<ID>,
            onDismiss: (@Sendable (inout S, ID) -> Void)? = nil
        ) -> Children {
            optional(of: state, id, { id, state, _ in make(id, state) }, onDismiss: onDismiss)
        }

        /// The same, for children that start with values of other states.
        ///
        /// - Parameter make: Also receives a reader, from the scope of the module that lists this. It shows all states
        ///   as the action that opens the instance leaves them. Later changes of these states don't replace an
        ///   instance.
        @inlinable
        public static func each<S: State, IDs: Collection & Equatable & Sendable>(
            of state: S.Type, _ ids: @escaping @Sendable (S) -> IDs,
            _ make:
                @escaping @Sendable (IDs.Element, S, borrowing StateReader) -> any Module & Identifiable<IDs.Element>,
            onDismiss: (@Sendable (inout S, IDs.Element) -> Void)? = nil
        ) -> Children where IDs.Element: Hashable & Sendable {
            Children(of: ids, { Array($0) }, { $0 }, { commonEnds(of: $0, and: $1) { $0 } }, make, onDismiss)
        }

        /// The same, for children that start with values of other states.
        ///
        /// - Parameter make: Also receives a reader, from the scope of the module that lists this. It shows all states
        ///   as the action that opens the instance leaves them. Later changes of these states don't replace an
        ///   instance.
        @inlinable
        public static func each<S: State, Elements: Collection & Equatable & Sendable>(
            of state: S.Type, _ elements: @escaping @Sendable (S) -> Elements,
            _ make:
                @escaping @Sendable (Elements.Element, S, borrowing StateReader) -> any Module
                & Identifiable<Elements.Element.ID>,
            onDismiss: (@Sendable (inout S, Elements.Element.ID) -> Void)? = nil
        ) -> Children where Elements.Element: Identifiable, Elements.Element.ID: Sendable {
            Children(of: elements, { Array($0) }, { $0.id }, { commonEnds(of: $0, and: $1) { $0.id } }, make, onDismiss)
        }

        /// The same, for children that start with values of other states.
        ///
        /// - Parameter make: Also receives a reader, from the scope of the module that lists this. It shows all states
        ///   as the action that opens the instance leaves them. Later changes of these states don't replace an
        ///   instance.
        @inlinable
        public static func each<S: State, IDs: Collection & Equatable & Sendable>(
            of state: S.Type, _ ids: @escaping @Sendable (S) -> IDs,
            _ make:
                @escaping @Sendable (IDs.Element, S, borrowing StateReader) -> any Module & Identifiable<IDs.Element>,
            onDismiss: (@Sendable (inout S, IDs.Element) -> Void)? = nil
        ) -> Children where IDs.Element: Identifiable & Sendable, IDs.Element.ID == IDs.Element {
            Children(of: ids, { Array($0) }, { $0 }, { commonEnds(of: $0, and: $1) { $0 } }, make, onDismiss)
        }

        /// The same, for children that start with values of other states.
        ///
        /// - Parameter make: Also receives a reader, from the scope of the module that lists this. It shows all states
        ///   as the action that opens the instance leaves them. Later changes of these states don't replace an
        ///   instance.
        @inlinable
        public static func optional<S: State, ID: Hashable & Sendable>(
            of state: S.Type, _ id: @escaping @Sendable (S) -> ID?,
            _ make: @escaping @Sendable (ID, S, borrowing StateReader) -> any Module & Identifiable<ID>,
            onDismiss: (@Sendable (inout S, ID) -> Void)? = nil
        ) -> Children {
            Children(
                of: id, { $0.map { [$0] } ?? [] }, { $0 }, { commonEnds(of: $0, and: $1) { $0 } }, make, onDismiss)
        }

        @usableFromInline
        init<S: State, Selection: Equatable & Sendable, Element, ID: Hashable & Sendable>(
            of select: @escaping @Sendable (S) -> Selection, _ elements: @escaping @Sendable (Selection) -> [Element],
            _ id: @escaping @Sendable (Element) -> ID,
            _ commonEnds: @escaping @Sendable ([Element], [Element]) -> (start: Int, end: Int),
            _ make: @escaping @Sendable (Element, S, borrowing StateReader) -> any Module & Identifiable<ID>,
            _ onDismiss: (@Sendable (inout S, ID) -> Void)?
        ) {
            body = TypedChildren(
                select: select, elements: elements, id: id, commonEnds: commonEnds, make: make,
                dismiss: onDismiss ?? Self.dismissal())
        }

        /// How many elements two lists begin and end with in common, as their ids say.
        ///
        /// Inlinable, because comparing two ids costs a hundred times as much where their type isn't known.
        @inlinable
        static func commonEnds<Element, ID: Equatable>(
            of old: [Element], and new: [Element], by id: (Element) -> ID
        ) -> (start: Int, end: Int) {
            let shorter = Swift.min(old.count, new.count)
            let start = (0..<shorter).prefix { id(old[$0]) == id(new[$0]) }.count
            let (oldLast, newLast) = (old.count - 1, new.count - 1)
            let end = (0..<shorter - start).prefix { id(old[oldLast - $0]) == id(new[newLast - $0]) }.count
            return (start, end)
        }

        /// How a state removes an element by itself, if it can.
        private static func dismissal<S: State, ID>() -> (@Sendable (inout S, ID) -> Void)? {
            func opened<D: DismissingState>(_ type: D.Type) -> (@Sendable (inout S, ID) -> Void)? {
                guard D.self == S.self, D.ElementID.self == ID.self else { return nil }
                return { state, id in
                    guard var dismissing = state as? D, let element = id as? D.ElementID else { return }
                    dismissing.dismissElement(element)
                    if let changed = dismissing as? S { state = changed }
                }
            }
            return (S.self as? any DismissingState.Type).flatMap { opened($0) }
        }
    }

    /// A state that can remove the elements whose instances ask to be dismissed, such as ``Navigation/Stack``.
    ///
    /// ``Children`` that follow such a state need no `onDismiss`.
    public protocol DismissingState: State {
        /// The ids of the elements.
        associatedtype ElementID: Hashable & Sendable

        /// Removes an element. Does nothing if it no longer exists.
        mutating func dismissElement(_ id: ElementID)
    }
}

/// An element whose id tells its place in one list: an equal one in another list is another element.
protocol OccurringOnce {}

/// A state that counts the ids of its elements, and begins again in each process unless it is saved.
protocol CountingState {
    /// Whether it has given an id to an element, which no caller has chosen.
    func hasCounted(_ id: AnySendableHashable) -> Bool
}

/// Children whose types can be recovered by opening the existential.
protocol ChildrenBody<S, Selection, Element, ID>: Sendable {
    associatedtype S: Relux.State
    associatedtype Selection: Equatable & Sendable
    associatedtype Element
    associatedtype ID: Hashable & Sendable

    /// The selection that the children follow. It is compared before anything else is done.
    var select: @Sendable (S) -> Selection { get }
    var elements: @Sendable (Selection) -> [Element] { get }
    var id: @Sendable (Element) -> ID { get }
    /// How many elements two lists begin and end with in common, as their ids say.
    var commonEnds: @Sendable ([Element], [Element]) -> (start: Int, end: Int) { get }
    var make: @Sendable (Element, S, borrowing Relux.StateReader) -> any Relux.Module & Identifiable<ID> { get }
    var dismiss: (@Sendable (inout S, ID) -> Void)? { get }
}

extension ChildrenBody {
    fileprivate var state: any Relux.State.Type { S.self }
}

private struct TypedChildren<
    S: Relux.State, Selection: Equatable & Sendable, Element, ID: Hashable & Sendable
>: ChildrenBody {
    let select: @Sendable (S) -> Selection
    let elements: @Sendable (Selection) -> [Element]
    let id: @Sendable (Element) -> ID
    let commonEnds: @Sendable ([Element], [Element]) -> (start: Int, end: Int)
    let make: @Sendable (Element, S, borrowing Relux.StateReader) -> any Relux.Module & Identifiable<ID>
    let dismiss: (@Sendable (inout S, ID) -> Void)?
}
