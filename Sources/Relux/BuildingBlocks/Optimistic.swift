extension Relux {
    /// A change of a value that is shown before the server has confirmed it.
    ///
    /// ```swift
    /// enum Edit: Relux.Mutation, Equatable {
    ///     case rename(Note.ID, to: String), delete(Note.ID)
    ///
    ///     func apply(to notes: inout Relux.Entities<Note>) { … }
    /// }
    /// ```
    public protocol Mutation<Value>: Sendable {
        /// The type of the confirmed value.
        associatedtype Value

        /// Changes a value.
        ///
        /// This must be a pure function. It is applied again whenever the value below it has changed. It should
        /// therefore say what is wanted, such as a new title, and do nothing if that no longer makes sense, for example
        /// because the note has been deleted.
        func apply(to value: inout Value)
    }

    /// A confirmed value, and the mutations that are under way. The user sees the value with these mutations applied.
    ///
    /// ```swift
    /// var notes: Relux.Optimistic<Relux.Entities<Note>, Edit>
    ///
    /// notes.apply(.rename(id, to: title), id: request)    // shown at once, and sent
    /// notes.confirmed(id: request)                        // the server has done it
    /// notes.rejected(id: request)                         // it hasn't: the others are applied without it
    /// notes.refreshed(fetched)                            // a new confirmed value, below all that is under way
    /// ```
    ///
    /// If the server answers with its value, pass it to ``confirmed(id:as:)``. If a list may be asked for while a
    /// mutation is sent, take a ``mark`` before asking, and pass it to ``refreshed(_:asOf:)``: an answer that was asked
    /// for before a confirmation doesn't take it back.
    ///
    /// You need no rollback of your own and no copy of an old value. ``value`` is always the confirmed value with the
    /// mutations that are still under way, in the order in which they were applied, whichever answer arrives first.
    ///
    /// - A mutation that is confirmed before an earlier one has been settled stays in its place until then, because its
    ///   effect may depend on the earlier one. If ``refreshed(_:)`` sets another value in the meantime, the mutation is
    ///   applied to that value as well.
    /// - The ids are those of requests, and may be of any types. An unknown id changes nothing, so an answer that
    ///   arrives twice or too late does no harm.
    ///
    /// It is `Equatable` if the value is, and `Hashable` if the value and the mutations are.
    ///
    /// - Complexity: Reading ``value`` is O(1). Applying runs one mutation, and confirming at most one for each
    ///   mutation that it settles. ``rejected(id:)``, ``refreshed(_:)``, ``confirmed(id:as:)`` and applying with a
    ///   repeated id run all mutations under way again. An id is found in O(log *n*).
    public struct Optimistic<Value: Sendable, Mutation: Relux.Mutation<Value>>: Sendable {
        /// The confirmed value, without any mutation that is under way.
        public private(set) var confirmed: Value

        /// The value that the user sees: the confirmed one with all mutations under way applied, in order.
        public private(set) var value: Value

        private var pending = Entities<Pending>()

        /// The number of confirmations so far. It isn't part of the value.
        private var confirmations = 0

        private struct Pending: Identifiable, Sendable {
            let id: AnySendableHashable
            let mutation: Mutation
            /// Whether it has been confirmed, and only waits for earlier mutations.
            var isConfirmed = false
        }

        /// A moment in the life of a value, to tell whether a confirmation has happened since.
        public struct Mark: Hashable, Sendable {
            fileprivate let confirmations: Int
        }

        /// Creates a confirmed value, with nothing under way.
        public init(_ value: Value) {
            (confirmed, self.value) = (value, value)
        }
    }
}

extension Relux.Optimistic {
    /// The mutations under way, in the order in which they were applied.
    ///
    /// - Complexity: O(*n*).
    public var mutations: [Mutation] { pending.map(\.mutation) }

    /// Whether nothing is under way, so that the value is the confirmed one.
    public var isSettled: Bool { pending.isEmpty }

    /// Whether a mutation with the id is under way.
    public func isUnderWay(id: some Hashable & Sendable) -> Bool { pending.contains(id: AnySendableHashable(id)) }

    /// Applies a mutation that has yet to be confirmed.
    ///
    /// - Parameter id: Identifies the mutation until it is settled. If a mutation with this id is under way, the new
    ///   one replaces it in its place, and is not confirmed.
    public mutating func apply(_ mutation: Mutation, id: some Hashable & Sendable) {
        let pending = Pending(id: AnySendableHashable(id), mutation: mutation)
        guard self.pending.upsert(pending) != nil else { return mutation.apply(to: &value) }
        applyAgain()
    }

    /// Makes a mutation part of the confirmed value, as soon as all before it are settled. Does nothing if the id is
    /// unknown.
    public mutating func confirmed(id: some Hashable & Sendable) {
        let id = AnySendableHashable(id)
        guard pending[id: id]?.isConfirmed == false else { return }
        // The value stays the same: the mutation keeps its place.
        pending[id: id]?.isConfirmed = true
        confirmations += 1
        settle()
    }

    /// Replaces the confirmed value by the server's, which includes a mutation, and everything that was confirmed
    /// before it. The other mutations under way are applied to it. Does nothing if the id is unknown, or has been
    /// confirmed.
    ///
    /// - Parameters:
    ///   - id: The id of the mutation that the server has confirmed.
    ///   - value: The value with which it has answered.
    public mutating func confirmed(id: some Hashable & Sendable, as value: Value) {
        let id = AnySendableHashable(id)
        guard pending[id: id]?.isConfirmed == false else { return }
        pending.remove(id: id)
        pending.removeAll { $0.isConfirmed }
        confirmations += 1
        confirmed = value
        applyAgain()
    }

    /// Removes a mutation, and with it its effect. Does nothing if the id is unknown, or has been confirmed.
    public mutating func rejected(id: some Hashable & Sendable) {
        let id = AnySendableHashable(id)
        guard pending[id: id]?.isConfirmed == false else { return }
        pending.remove(id: id)
        settle()
        applyAgain()
    }

    /// Replaces the confirmed value, for example after a poll or a refetch. The mutations under way are applied to the
    /// new one.
    public mutating func refreshed(_ value: Value) {
        confirmed = value
        applyAgain()
    }

    /// The present moment, for ``refreshed(_:asOf:)``. Take it before you ask for a value.
    public var mark: Mark { Mark(confirmations: confirmations) }

    /// Replaces the confirmed value, unless a mutation has been confirmed since it was asked for, so that the value may
    /// lack it.
    ///
    /// - Parameters:
    ///   - value: A value that was fetched.
    ///   - mark: The ``mark`` from the moment in which it was asked for.
    /// - Returns: Whether the value was taken. If not, ask again.
    @discardableResult
    public mutating func refreshed(_ value: Value, asOf mark: Mark) -> Bool {
        guard mark == self.mark else { return false }
        refreshed(value)
        return true
    }

    /// Moves the mutations that wait for no earlier one into the confirmed value.
    private mutating func settle() {
        while let first = pending.first, first.isConfirmed {
            first.mutation.apply(to: &confirmed)
            pending.remove(id: first.id)
        }
    }

    private mutating func applyAgain() {
        value = confirmed
        for pending in pending { pending.mutation.apply(to: &value) }
    }
}

extension Relux.Optimistic: Equatable where Value: Equatable {
    /// Whether both have the same confirmed value, and the same mutations under way.
    ///
    /// Mutations are compared by id and, if they are `Equatable`, by value. If they aren't, the values with all
    /// mutations applied are compared instead.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.confirmed == rhs.confirmed && lhs.value == rhs.value
            && lhs.pending.elementsEqual(rhs.pending) { one, other in
                one.id == other.id && one.isConfirmed == other.isConfirmed && areEqual(one.mutation, other.mutation)
            }
    }

    private static func areEqual(_ one: Mutation, _ other: Mutation) -> Bool {
        guard let one = one as? any Equatable, let other = other as? any Equatable else { return true }
        return one.isEqual(to: other)
    }
}

extension Relux.Optimistic: Hashable where Value: Hashable, Mutation: Hashable {
    /// Hashes the confirmed value and the mutations under way.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(confirmed)
        for pending in pending {
            hasher.combine(pending.id)
            hasher.combine(pending.mutation)
        }
    }
}

extension Relux.Optimistic: CustomReflectable {
    /// The confirmed value, the value, and the mutations under way.
    public var customMirror: Mirror {
        Mirror(
            self, children: ["confirmed": confirmed, "value": value, "mutations": mutations], displayStyle: .struct
        )
    }
}
