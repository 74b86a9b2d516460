#if canImport(SwiftUI)
    import SwiftUI

    extension SwiftUI.View {
        /// A view that creates a store. It shows a placeholder until the store exists, and then the content.
        ///
        /// The view on which this is called is not shown. In a `body`, call it without one:
        ///
        /// ```swift
        /// var body: some SwiftUI.View {
        ///     resolvingStore {
        ///         try await Relux.Store { Notes.Module(service: service) }
        ///     } content: { store in
        ///         NotesScreen(store: store)
        ///     } placeholder: { error, retry in
        ///         if error == nil { ProgressView() } else { Button("Try again", action: retry) }
        ///     }
        /// }
        /// ```
        ///
        /// The store is created once, however often the view disappears and appears again, and lives as long as the
        /// view's identity. When the view appears again, it shows its content at once. Views in the content find it in
        /// the environment (`reluxStore`, `reluxDispatcher`). A store that can be made without awaiting is made with
        /// ``Relux/Store/init(_:modules:fileID:line:)`` instead.
        ///
        /// - Parameters:
        ///   - make: Creates the store.
        ///   - content: Shown with the store.
        ///   - placeholder: Shown while there is no store. It receives the error of a failed attempt, or nil during an
        ///     attempt, and a closure that tries again.
        public func resolvingStore<Content: SwiftUI.View, Placeholder: SwiftUI.View>(
            _ make: @escaping @Sendable () async throws -> Relux.Store,
            @ViewBuilder content: @escaping (Relux.Store) -> Content,
            @ViewBuilder placeholder: @escaping ((any Error)?, _ retry: @escaping @MainActor () -> Void) -> Placeholder
        ) -> some SwiftUI.View {
            StoreResolver(make: make, content: content, placeholder: placeholder)
        }
    }

    private struct StoreResolver<Content: SwiftUI.View, Placeholder: SwiftUI.View>: SwiftUI.View {
        let make: @Sendable () async throws -> Relux.Store
        let content: (Relux.Store) -> Content
        let placeholder: ((any Error)?, @escaping @MainActor () -> Void) -> Placeholder

        @SwiftUI.State private var resolution = Relux.UI.StoreResolution()

        var body: some SwiftUI.View {
            // A ZStack exists even if its content is empty. A task on an `EmptyView`, or on a `Group` of one, never
            // runs inside a stack, and the store would never be created.
            ZStack {
                if let store = resolution.store {
                    content(store).environment(\.reluxStore, store)
                } else {
                    placeholder(resolution.error) { resolution.retry(make) }
                }
            }
            .task { await resolution.resolve(make) }
        }
    }
#endif
