extension Relux {
    /// One instance of a module, or the root of a store, as seen from outside.
    ///
    /// ```swift
    /// let chat = store.scope(of: Chat.Module.self, id: "c1")
    /// await chat.dispatch(Chat.Action.sent("Hello"))
    /// let messages = try await chat.state(of: Chat.State.self).messages
    /// ```
    ///
    /// A scope is an address: it refers to the instance that has the id at the time of the call. Two scopes are equal
    /// if they refer to the same instance of the same store.
    ///
    /// - Resolution: Lexical. An action goes to the innermost scope, from this one outward, in which a module takes its
    ///   exact type. A state is read in the innermost scope that owns it. An action stream belongs to the innermost
    ///   scope whose modules take the type when the stream is created, or to this one if there is none.
    /// - Missing instances: If there is no such instance, nothing is looked up outward, and
    ///   ``Refusal/Reason/noInstance(_:)`` is reported. `dispatch` returns no sequence number, `perform` throws
    ///   ``EffectError/noInstance(_:)``, `state(of:)` throws ``StoreError/noInstance(_:at:)``, and sequences end at
    ///   once. While the states of an instance are being loaded, ``Refusal/Reason/instanceLoading(_:_:)`` is reported
    ///   instead, and `values` and `wait(until:)` wait for it.
    /// - Runs: Used in the task of a run, it acts on behalf of that run, as ``Store`` does.
    /// - Lifetime: It keeps neither the instance nor the store alive. The sequences of an instance end with it.
    public struct Scope: Sendable, Hashable, CustomStringConvertible {
        let core: Core
        /// Nil for the root.
        let address: ScopeAddress?

        init(_ core: Core, _ address: ScopeAddress?) {
            self.core = core
            self.address = address
        }

        /// The module of the instance; nil for the root.
        public var module: (any Module.Type)? { address?.module }

        /// The id of the instance; nil for the root, and if the id is of another type.
        ///
        /// A list of scopes of several kinds is told apart by ``module`` and this, without a text:
        /// `scope.module == Chat.Module.self`, `scope.id(as: Chat.ID.self)`.
        public func id<ID: Hashable & Sendable>(as type: ID.Type = ID.self) -> ID? { address?.id.value(as: type) }

        /// The scope around the instance; nil if that is the root, or if this is the root.
        package var enclosing: Scope? { address?.parent.map { Scope(core, $0) } }

        /// The instance, such as `Chat.Module["c1"]`, with those around it: `Inbox.Module["work"]/Chat.Module["c1"]`.
        public var description: String { address?.description ?? "the root" }

        /// Whether both refer to the same instance of the same store.
        public static func == (lhs: Scope, rhs: Scope) -> Bool {
            lhs.core === rhs.core && lhs.address == rhs.address
        }

        /// Hashes the store and the path to the instance.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(core))
            hasher.combine(address)
        }
    }
}

extension Relux {
    /// A state of a store, with the scope that owns it.
    public struct ScopedState: Sendable {
        /// The instance that owns the state; nil for the root.
        public let scope: Scope?

        /// The value.
        public let state: any State

        /// Creates a value to compare with what a store has.
        ///
        /// - Parameters:
        ///   - scope: The instance that owns the state; nil for the root.
        ///   - state: The value.
        package init(scope: Scope?, state: any State) {
            self.scope = scope
            self.state = state
        }
    }
}
