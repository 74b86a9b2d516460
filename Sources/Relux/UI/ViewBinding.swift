extension Relux.UI {
    /// A value that a control shows and sets, for controls that need a binding: a toggle, a picker, a text field, a
    /// path, a sheet, an alert.
    ///
    /// Reading gives what the ``ViewState`` shows, but isn't observed. The view that makes a binding observes the view
    /// state, and a control that only reads the binding doesn't. Setting dispatches an action, as `dispatchNow` does,
    /// so that reading afterwards gives what the reducer made of the value.
    ///
    /// - Setting a value that is equal to the present one does nothing, because SwiftUI may set a value twice.
    /// - The value may stay as it was, because the action was refused or ignored, the value was normalised back, or no
    ///   action was made. The view state then calls its observers nevertheless, and bindings that are made from then on
    ///   differ from earlier ones. A control that shows the refused value therefore shows the store's value again.
    /// - If the state, the instance, or the store no longer exists, a set changes nothing. It is reported as
    ///   ``Refusal/Reason/lateBinding``, which fails no test. So is a set that makes no action because the binding was
    ///   made when another value was shown: bindings of paths and sheets are made in each `body`, or where they are
    ///   used.
    /// - A path with an index, such as `\.rows[1].title`, is a mistake waiting for the row to go: name the row by its
    ///   id (``ViewState/binding(_:id:_:otherwise:to:fileID:line:column:_:)``). The library doesn't read such a path
    ///   when a collection of the value has become shorter, or has lost one of its keys or ids, unless the binding was
    ///   made again since. Reading then gives the last value, and a set is a late one. Each of its sets counts as
    ///   refused when bindings are compared.
    /// - Paths with `[id:otherwise:]` or `[_:default:]` are judged in the same way, whichever element has gone. Make
    ///   their bindings in each `body`, or where they are used.
    /// - What it can't notice ends the program when the element has gone: a computed collection, such as
    ///   `rows.filter(\.isOpen)`, an optional that is unwrapped with `!`, apart from that of an id or a key, and
    ///   whatever is nested more than 8 levels deep, comes after the first 1,000 elements, or is in a larger
    ///   dictionary. Write the path in the call: of one that is kept in a variable, it can't be told that it has an
    ///   index. A path to something optional is always read, so it must not contain an index. A path with an index
    ///   costs O(*n*) in the parts of the value, once for each value.
    /// - If a binding is set during an update of view states, the value changes in a further round of that update. Of
    ///   several sets of one path, the last one counts, even if it sets what is shown.
    ///
    /// Bindings can be props of a view. Two of them are equal if they have the same view state, path, call site,
    /// captured value, and store, and if, when they were made, the same value was shown and the same number of sets had
    /// been refused.
    ///
    /// - Isolation: A binding can be made and compared anywhere, and read and set on the main actor.
    /// - Lifetime: It keeps its view state alive, and no store.
    public struct ViewBinding<Value: Hashable & Sendable>: Hashable, Sendable {
        private let id: BindingIdentity
        private let get: @MainActor @Sendable () -> Value
        private let set: @MainActor @Sendable (Value, (@MainActor (_ isLate: Bool) -> Void)?) -> Void

        init(
            _ id: BindingIdentity, get: @escaping @MainActor @Sendable () -> Value,
            set: @escaping @MainActor @Sendable (Value, (@MainActor (_ isLate: Bool) -> Void)?) -> Void
        ) {
            (self.id, self.get, self.set) = (id, get, set)
        }

        /// The part that the view state shows. Setting it dispatches an action.
        @MainActor public var wrappedValue: Value {
            get { get() }
            nonmutating set { set(newValue, nil) }
        }

        /// Sets the value.
        ///
        /// - Parameter completion: Called when the resulting value is known: before this returns or, during an update
        ///   of view states, at the end of the update. It gets whether the set came too late.
        @MainActor func set(_ value: Value, then completion: @escaping @MainActor (_ isLate: Bool) -> Void) {
            set(value, completion)
        }

        /// A binding that always has the same value, for previews. Setting it does nothing.
        public static func constant(_ value: Value) -> ViewBinding {
            ViewBinding(
                .constant(AnySendableHashable(value)), get: { value }, set: { _, completion in completion?(false) })
        }

        /// Whether both show and set the same in the same way.
        public static func == (lhs: ViewBinding, rhs: ViewBinding) -> Bool { lhs.id == rhs.id }

        /// Hashes what makes two bindings equal.
        public func hash(into hasher: inout Hasher) { hasher.combine(id) }
    }
}

/// The identity of a binding: equal ones are equal bindings.
enum BindingIdentity: Sendable, Hashable {
    case constant(AnySendableHashable)
    /// - `object`: The view state, which the binding keeps alive.
    /// - `path`: A key path, which is hashable, whatever it captures.
    indirect case state(
        object: ObjectIdentifier, path: AnySendableHashable, site: Relux.UI.CallbackIdentity,
        captured: AnySendableHashable?, shown: AnySendableHashable, refusedSets: Int
    )
}

extension Relux.UI.ViewState {
    /// Makes a binding of a part of the value.
    ///
    /// ```swift
    /// state.binding(\.editedNote) { shown, new in
    ///     new == nil ? shown.map { Notes.Action.endedEditing($0.id) } : nil
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - path: The part.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    ///   - action: Makes the action from the value that was shown when the binding was made, and the new one; nil if
    ///     there is nothing to do. Its captures must never change for this call site. A late dismissal names what
    ///     was shown, and therefore never closes something newer.
    public func binding<V: Hashable & Sendable, A: Relux.Action>(
        _ path: @autoclosure () -> KeyPath<Value, V> & Sendable, to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        _ action: @escaping @Sendable (_ shown: V, _ new: V) -> A?
    ) -> Relux.UI.ViewBinding<V> {
        makeBinding(.init(path), nil, to: dispatcher, at: Relux.CallSite(fileID: fileID, line: line), column, action)
    }

    /// Makes a binding of a part of the value, whose action also needs a captured value.
    ///
    /// - Parameters:
    ///   - path: The part.
    ///   - captured: A value that the action needs. It is part of the binding's identity.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    ///   - action: Makes the action from the captured value, the value that was shown when the binding was made, and
    ///     the new one; nil if there is nothing to do.
    public func binding<V: Hashable & Sendable, Captured: Hashable & Sendable, A: Relux.Action>(
        _ path: @autoclosure () -> KeyPath<Value, V> & Sendable, capturing captured: Captured,
        to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        _ action: @escaping @Sendable (_ captured: Captured, _ shown: V, _ new: V) -> A?
    ) -> Relux.UI.ViewBinding<V> {
        makeBinding(
            .init(path), AnySendableHashable(captured), to: dispatcher, at: Relux.CallSite(fileID: fileID, line: line),
            column
        ) { shown, new in action(captured, shown, new) }
    }

    /// Makes a binding of a part of the value that sends an action with each new value, such as a case of an enum.
    ///
    /// ```swift
    /// state.binding(\.title, sending: Items.Action.titleChanged)
    /// ```
    ///
    /// - Parameters:
    ///   - path: The part.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    ///   - action: Makes the action from the new value. Its captures must never change for this call site.
    public func binding<V: Hashable & Sendable, A: Relux.Action>(
        _ path: @autoclosure () -> KeyPath<Value, V> & Sendable, to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        sending action: @escaping @Sendable (V) -> A
    ) -> Relux.UI.ViewBinding<V> {
        makeBinding(.init(path), nil, to: dispatcher, at: .init(fileID: fileID, line: line), column) { action($1) }
    }

    /// Makes a binding of a part of an element, which is named by its id.
    ///
    /// ```swift
    /// state.binding(\.notes, id: id, \.title, otherwise: "") { id, _, title in Notes.Action.renamed(id, title) }
    /// ```
    ///
    /// It leads to the element wherever that is, whatever else comes and goes. While there is no such element, reading
    /// gives the last value, and a set is a late one.
    ///
    /// - Parameters:
    ///   - entities: The elements.
    ///   - id: The id of the element. It is part of the binding's identity.
    ///   - part: The part of the element.
    ///   - other: The value if there is no such element when the binding is made.
    ///   - dispatcher: Receives the action; nil for the store and the scope that this object follows.
    ///   - action: Makes the action from the id, the value that was shown when the binding was made, and the new one;
    ///     nil if there is nothing to do. Its captures must never change for this call site.
    public func binding<Element: Identifiable & Sendable, V: Hashable & Sendable, A: Relux.Action>(
        _ entities: @autoclosure () -> KeyPath<Value, Relux.Entities<Element>> & Sendable, id: Element.ID,
        _ part: KeyPath<Element, V> & Sendable, otherwise other: V, to dispatcher: Relux.Dispatcher? = nil,
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
        _ action: @escaping @Sendable (_ id: Element.ID, _ shown: V, _ new: V) -> A?
    ) -> Relux.UI.ViewBinding<V> where Element.ID: Sendable {
        makeBinding(
            .init(entities, id: id, part, otherwise: other), AnySendableHashable(id), to: dispatcher,
            at: Relux.CallSite(fileID: fileID, line: line), column
        ) { shown, new in action(id, shown, new) }
    }

    func makeBinding<V: Hashable & Sendable, A: Relux.Action>(
        _ path: Relux.UI.BoundPath<Value, V>, _ captured: AnySendableHashable?, to dispatcher: Relux.Dispatcher?,
        at site: Relux.CallSite, _ column: UInt, _ action: @escaping @Sendable (V, V) -> A?
    ) -> Relux.UI.ViewBinding<V> {
        // Observed: a view that makes a binding is made again when the value changes or a set is refused.
        let shown = value[keyPath: path.keyPath]
        let last = LastReading(shown, noteReading(of: path))
        let id = BindingIdentity.state(
            object: ObjectIdentifier(self), path: AnySendableHashable(unchecked: path.keyPath as AnyKeyPath),
            site: Relux.UI.CallbackIdentity(site.fileID, site.line, column, to: dispatcher ?? ownDispatcher),
            captured: captured, shown: AnySendableHashable(shown), refusedSets: refusedSets
        )
        return Relux.UI.ViewBinding(id) {
            self.read(path, last) ?? last.part
        } set: { new, completion in
            self.set(path, last, from: shown, to: new, by: dispatcher, at: site, action, completion: completion)
        }
    }
}
