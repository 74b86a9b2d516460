#if canImport(SwiftUI)
    import SwiftUI

    extension EnvironmentValues {
        /// The store of the views below; nil if there is none. `resolvingStore` sets it.
        ///
        /// Setting another store clears ``reluxScope`` and ``reluxDispatcher`` if they belong to the one above.
        public var reluxStore: Relux.Store? {
            get { self[StoreKey.self] }
            set {
                let core = self[StoreKey.self]?.handle.core
                self[StoreKey.self] = newValue
                guard let core, newValue?.handle.core !== core else { return }
                if self[ScopeKey.self]?.handle.core === core { self[ScopeKey.self] = nil }
                if self[DispatcherKey.self]?.handle.core === core { self[DispatcherKey.self] = nil }
            }
        }

        /// The instance in which the views below read and dispatch; nil for the root of ``reluxStore``.
        ///
        /// It doesn't keep the store alive.
        public var reluxScope: Relux.Scope? {
            get { self[ScopeKey.self] }
            set { self[ScopeKey.self] = newValue }
        }

        /// The dispatcher of the views below. Unless another one is set, it is that of ``reluxScope`` or, without a
        /// scope, that of ``reluxStore``. Without either, it is ``Relux/Dispatcher/none``.
        public var reluxDispatcher: Relux.Dispatcher {
            get { self[DispatcherKey.self] ?? reluxScope?.dispatcher ?? reluxStore?.dispatcher ?? .none }
            set { self[DispatcherKey.self] = newValue }
        }
    }

    private struct StoreKey: EnvironmentKey {
        static let defaultValue: Relux.Store? = nil
    }

    private struct ScopeKey: EnvironmentKey {
        static let defaultValue: Relux.Scope? = nil
    }

    private struct DispatcherKey: EnvironmentKey {
        static let defaultValue: Relux.Dispatcher? = nil
    }

    extension SwiftUI.View {
        /// Performs an effect when the view appears and when the id changes, and cancels its work when the view
        /// disappears or the id changes again. The work for the next id doesn't wait for the end of what was cancelled.
        ///
        /// The effect goes to the `reluxDispatcher` of the environment. A failure appears in the store's `failures`.
        ///
        /// - Parameters:
        ///   - effect: What to perform.
        ///   - id: Performs again when it changes.
        nonisolated public func performing(
            _ effect: some Relux.Effect, id: some Hashable & Sendable = 0, fileID: StaticString = #fileID,
            line: UInt = #line
        ) -> some SwiftUI.View {
            modifier(Performing(effect: effect, id: id, site: Relux.CallSite(fileID: fileID, line: line)))
        }
    }

    private struct Performing<E: Relux.Effect, ID: Hashable & Sendable>: ViewModifier {
        private struct Key: Hashable {
            let id: ID
            let dispatcher: Relux.Dispatcher
        }

        let effect: E
        let id: ID
        let site: Relux.CallSite

        @SwiftUI.Environment(\.reluxDispatcher) private var dispatcher

        nonisolated init(effect: E, id: ID, site: Relux.CallSite) {
            (self.effect, self.id, self.site) = (effect, id, site)
        }

        func body(content: Content) -> some SwiftUI.View {
            content.task(id: Key(id: id, dispatcher: dispatcher)) { [dispatcher, effect, site] in
                await dispatcher.performing(effect, at: site)
            }
        }
    }
#endif
