import Relux
import SampleDomain
import SampleServices

/// Runs the full-screen interface on the main actor, as an app would: view states hold what is shown, keys fire
/// callbacks, and what a key has changed is in the next picture.
@MainActor final class Interface {
    /// The events of the interface, whatever they come from, in one order.
    enum Event: Sendable {
        case keys([Key])
        /// Something has changed: a view state, or the size of the terminal.
        case changed
        case remark(String)
        /// Something can't be saved.
        case unsaved(any Error)
        /// The list and the settings can't be loaded.
        case unloaded(any Error)
        case saved
        /// Ends the run as if the user left, whatever is on the screen.
        case end
    }

    private let store: Relux.Store
    private let screen: FullScreen
    private let environment: [String: String]
    private let containers: Containers
    private var view = RootView()
    private var observations: [Relux.UI.ViewObservation] = []
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation

    /// - Parameter events: The events since the store was made, and the place for further ones.
    init(
        _ store: Relux.Store, _ screen: FullScreen,
        events: (all: AsyncStream<Event>, continuation: AsyncStream<Event>.Continuation),
        environment: [String: String]
    ) throws(Relux.StoreError) {
        (self.store, self.screen, self.environment) = (store, screen, environment)
        (self.events, continuation) = events
        let continuation = continuation
        containers = try Containers(store) { continuation.yield(.remark($0)) }
        containers.fill(&view)
        observations = containers.observe { continuation.yield(.changed) }
    }

    /// Runs until the user leaves.
    func run() async {
        screen.enter(
            keys: { [continuation] in continuation.yield(.keys($0)) },
            resized: { [continuation] in continuation.yield(.changed) })
        draw()
        for await event in events {
            switch event {
            case .keys(let keys): for key in keys where !view.isLeft { handle(key) }
            case .changed: if view.unsaved != nil { save() }
            case .remark(let text): view.remark = text
            case .unsaved(let error): view.unsaved = Complaint(of: error).lines.joined(separator: " ")
            case .unloaded(let error): view.unloaded = Complaint(of: error).lines.joined(separator: " ")
            case .saved: view.noteSaved()
            case .end: return
            }
            if view.isLeft { return }
            containers.fill(&view)
            draw()
        }
    }

    private func handle(_ key: Key) {
        view.handle(key)
        // Changes by the key are on the screen when the next one comes.
        containers.fill(&view)
        if view.takeRetry() { save() }
    }

    /// Tries again to save everything. The store does so too, with the next change, but reports only failures.
    private func save() {
        Task { [store, continuation] in
            do {
                try await store.saved()
                continuation.yield(.saved)
            } catch {
                continuation.yield(.unsaved(error))
            }
        }
    }

    private func draw() {
        let size = screen.size
        let palette = Palette(theme: view.props.settings?.theme ?? .pilbara, environment: environment)
        screen.show(view.lines(size).map { palette.output(of: $0, width: size.columns) })
    }
}
