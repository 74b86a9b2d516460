import Foundation
public import Relux

extension Relux {
    /// Saves a state in a ``Storage``. This is the persistence that most modules list.
    ///
    /// ```swift
    /// var persistence: [any Relux.StatePersistence] {
    ///     [Saved(Drafts.State.self, as: "drafts", version: 2, in: storage, migrations: [Migration(from: 1) { … }])]
    /// }
    /// ```
    ///
    /// The part of a state that is saved is its *payload*. This can be the whole state if it is `Codable`. Otherwise,
    /// select a part, without values such as a selection or the phase of a load. Payloads are encoded as JSON or as a
    /// property list, below a line with the format, the version, the generation, and a checksum.
    ///
    /// - Isolation: Encoding, decoding, migrating, and merging happen outside the store. Only `saving` is called inside
    ///   it, because payloads are compared there.
    /// - Several writers: A save is one atomic operation on the storage. If somebody else has saved or erased since,
    ///   the save notices this by the generation, a random number, and does what ``Conflict`` says.
    /// - Errors: An error of the storage means that the value is unavailable, except for
    ///   ``StorageError/damaged(_:_:)``. A save never replaces data that can't be read, or that a newer version has
    ///   saved.
    /// - Lifetime: Copies share their knowledge of the saved value. Make one for each state of a store.
    public struct Saved<S: Relux.State, Payload: Codable & Equatable & Sendable>: Relux.StatePersistence {
        /// How long a change may wait to be saved.
        public let pace: Relux.SavingPace
        /// The rule for a saved value that can't be loaded.
        public let unreadable: Relux.UnreadableRule
        /// The rule for the saved data when the state is reset.
        public let onReset: Relux.SavedRule
        /// The rule for the saved data when the module or the instance is removed.
        public let onRemoval: Relux.SavedRule
        /// The id that is a part of the key.
        public let instanceID: (any Hashable & Sendable)?

        let key: String
        let version: Int
        let storage: any Storage
        let format: SavedFormat
        let migrations: [Migration]
        let conflict: Conflict<Payload>
        let follows: (@Sendable (Payload?) -> S.Action)?
        /// Nil if the payload is saved under one key.
        private(set) var elements: (any SavedElements<Payload>)?
        private(set) var elementMigrations: [Migration] = []
        let saving: @Sendable (S) -> Payload
        let restoring: @Sendable (inout S, Payload) -> Void
        let memory = SavedMemory<Payload>()

        /// Saves a part of a state.
        ///
        /// - Parameters:
        ///   - state: The state.
        ///   - name: The key in the storage. Never change it.
        ///   - version: The version of the payload. With each incompatible change, raise it and add a migration.
        ///   - storage: Where the payload is saved.
        ///   - id: The id of the instance, for a module that has many. It becomes part of the key: as its description
        ///     if that is lossless, as with strings and numbers, and otherwise encoded as JSON. If an id isn't
        ///     `Encodable`, its description is used, which must then be unique. An id must be the same in every
        ///     process, so a set can't be one, nor can the id of an entry of a `Navigation.Stack`: another process may
        ///     give it to another page.
        ///   - saving: Selects what is saved. Called inside the store to compare values: keep it short.
        ///   - restoring: Puts a loaded payload into the initial value.
        ///   - migrations: How to get from each earlier version to the next one, in any order.
        ///   - format: How the payload is encoded. Data that were saved in another format can still be read.
        ///   - pace: How long a change may wait to be saved.
        ///   - unreadable: What happens if the payload can't be loaded.
        ///   - onReset: What a reset means to what was saved.
        ///   - onRemoval: What the removal of the module or the instance means to what was saved.
        ///   - conflict: What a save does if somebody else has saved or erased since this store last loaded, saved,
        ///     or took in a change.
        ///   - follows: Makes the action by which the state takes in what somebody else has saved; its argument is nil
        ///     if that was erased. If `follows` is nil, the state doesn't follow the changes of others.
        public init(
            _ state: S.Type, as name: String, version: Int = 1, in storage: any Storage,
            id: (any Hashable & Sendable)? = nil,
            saving: @escaping @Sendable (S) -> Payload,
            restoring: @escaping @Sendable (inout S, Payload) -> Void,
            migrations: [Migration] = [], format: SavedFormat = .json,
            pace: Relux.SavingPace = .within(.milliseconds(250)), unreadable: Relux.UnreadableRule = .refuse,
            onReset: Relux.SavedRule = .save, onRemoval: Relux.SavedRule = .keep,
            conflict: Conflict<Payload> = .keepOurs,
            follows: (@Sendable (Payload?) -> S.Action)? = nil
        ) {
            (key, instanceID) = (SavedKey.of(name, id: id), id)
            (self.version, self.storage, self.format, self.migrations) = (version, storage, format, migrations)
            (self.saving, self.restoring) = (saving, restoring)
            (self.pace, self.unreadable, self.onReset, self.onRemoval) = (pace, unreadable, onReset, onRemoval)
            (self.conflict, self.follows) = (conflict, follows)
        }

        /// Saves a whole state. The parameters are those of the other form.
        ///
        /// Of an ``Relux/Undoable``, this saves the present state, and each step under a key of its own, once. The
        /// migrations are those of the state, and are applied to each of them.
        public init(
            _ state: S.Type, as name: String, version: Int = 1, in storage: any Storage,
            id: (any Hashable & Sendable)? = nil, migrations: [Migration] = [], format: SavedFormat = .json,
            pace: Relux.SavingPace = .within(.milliseconds(250)), unreadable: Relux.UnreadableRule = .refuse,
            onReset: Relux.SavedRule = .save, onRemoval: Relux.SavedRule = .keep,
            conflict: Conflict<S> = .keepOurs,
            follows: (@Sendable (S?) -> S.Action)? = nil
        ) where Payload == S {
            let history = savedHistory(of: S.self)
            self.init(
                state, as: name, version: version, in: storage, id: id,
                saving: { history?.configured($0, as: $0) ?? $0 }, restoring: { $0 = $1 },
                migrations: migrations, format: format, pace: pace, unreadable: unreadable, onReset: onReset,
                onRemoval: onRemoval, conflict: conflict, follows: follows)
            (elements, elementMigrations) = (history, migrations)
        }

        /// Saves a part of a state, and each of its elements under a key of its own, so that changing one element
        /// writes one record.
        ///
        /// The elements are sorted by a rank that is stored with each of them, so an insertion writes one record as
        /// well. A save writes its elements and the rest in one operation of the storage. After a conflict, an element
        /// that only one of both has changed needs no rule: `merge` gets payloads that differ only in what both have
        /// changed.
        ///
        /// - Parameters:
        ///   - elements: Where the payload has its entities. Their ids become part of the keys, as `id` does.
        ///   - elementMigrations: The migrations of an element from one version of the payload to the next. Without a
        ///     migration from a version, elements stay as they are. `migrations` are for the payload without its
        ///     elements.
        ///   - follows: As in the other form, as are all other parameters.
        public init<Element: Identifiable & Codable & Equatable & Sendable>(
            _ state: S.Type, as name: String, version: Int = 1, in storage: any Storage,
            id: (any Hashable & Sendable)? = nil,
            saving: @escaping @Sendable (S) -> Payload,
            restoring: @escaping @Sendable (inout S, Payload) -> Void,
            migrations: [Migration] = [], format: SavedFormat = .json,
            pace: Relux.SavingPace = .within(.milliseconds(250)), unreadable: Relux.UnreadableRule = .refuse,
            onReset: Relux.SavedRule = .save, onRemoval: Relux.SavedRule = .keep,
            conflict: Conflict<Payload> = .keepOurs,
            elements: WritableKeyPath<Payload, Relux.Entities<Element>> & Sendable,
            elementMigrations: [Migration] = [], follows: (@Sendable (Payload?) -> S.Action)? = nil
        ) where Element.ID: Sendable {
            self.init(
                state, as: name, version: version, in: storage, id: id, saving: saving, restoring: restoring,
                migrations: migrations, format: format, pace: pace, unreadable: unreadable, onReset: onReset,
                onRemoval: onRemoval, conflict: conflict, follows: follows)
            (self.elements, self.elementMigrations) = (SavedElementsAt(path: elements), elementMigrations)
        }

        /// Saves a whole state, and each of its elements under a key of its own. The parameters are those of the other
        /// forms.
        public init<Element: Identifiable & Codable & Equatable & Sendable>(
            _ state: S.Type, as name: String, version: Int = 1, in storage: any Storage,
            id: (any Hashable & Sendable)? = nil, migrations: [Migration] = [], format: SavedFormat = .json,
            pace: Relux.SavingPace = .within(.milliseconds(250)), unreadable: Relux.UnreadableRule = .refuse,
            onReset: Relux.SavedRule = .save, onRemoval: Relux.SavedRule = .keep,
            conflict: Conflict<S> = .keepOurs,
            elements: WritableKeyPath<S, Relux.Entities<Element>> & Sendable,
            elementMigrations: [Migration] = [], follows: (@Sendable (S?) -> S.Action)? = nil
        ) where Payload == S, Element.ID: Sendable {
            self.init(
                state, as: name, version: version, in: storage, id: id, saving: { $0 }, restoring: { $0 = $1 },
                migrations: migrations, format: format, pace: pace, unreadable: unreadable, onReset: onReset,
                onRemoval: onRemoval, conflict: conflict, elements: elements, elementMigrations: elementMigrations,
                follows: follows)
        }

        /// The storage and the key, so that no two states of a store have the same. Nil if the storage is neither
        /// hashable nor an object.
        public var location: (any Hashable & Sendable)? {
            func located(_ storage: some Hashable & Sendable) -> any Hashable & Sendable {
                SavedLocation(storage: storage, key: key)
            }
            if let storage = storage as? any Storage & Hashable { return located(storage) }
            return type(of: storage) is AnyObject.Type ? located(ObjectIdentifier(storage as AnyObject)) : nil
        }

        /// Whether the payloads differ.
        public func isWorthSaving(_ old: S, _ new: S) -> Bool { saving(old) != saving(new) }
    }
}

/// The key of a saved state. Different names or ids give different keys.
enum SavedKey {
    static func of(_ name: String, id: (any Hashable & Sendable)?) -> String {
        let name = escaped(name, "/", "%")
        return id.map { "\(name)/\(part(of: text(of: $0)))" } ?? name
    }

    /// The text of an id. Different ids of one type have different texts: descriptions that leave something out, such
    /// as those of dates, are not used.
    static func text(of id: some Hashable) -> String {
        // Equal, but with another description.
        if let number = id as? any BinaryFloatingPoint, number.isZero { return "0.0" }
        if id is any LosslessStringConvertible || id is UUID { return "\(id)" }
        let data = (id as? any Encodable).flatMap { try? Relux.SavedFormat.json.encode($0) }
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(id)"
    }

    /// The keys of the elements of a state, which all start with this.
    static func elements(of key: String) -> String { "\(key)//" }

    /// The part of a key that stands for the text of an id. It has no dot, as what is set aside has.
    static func part(of text: String) -> String { text.isEmpty ? "%_" : escaped(text, "/", "%", ".") }

    private static func escaped(_ text: String, _ reserved: Unicode.Scalar...) -> String {
        percentEncoded(text.precomposedStringWithCanonicalMapping) { index, scalar in
            // A mark at the beginning would combine with the separator before it.
            reserved.contains(scalar) || (index == 0 && !scalar.isASCII)
        }
    }
}

/// A key in a storage. The storage is identified by its value if that is hashable, and otherwise by its object.
private struct SavedLocation<Place: Hashable & Sendable>: Hashable, Sendable {
    let storage: Place
    let key: String
}
