// This is a model of SwiftUI for the tests of this folder, and not Apple's engine.
//
// It covers what a view depends on: its state, the environment, observation, transactions with animations, and controls
// with a buffer of their own. A frame is drawn when a test says so.

import Observation

@testable import Relux

/// A view that is drawn frame by frame.
@MainActor
final class ScreenModel {
    /// The parts of a frame.
    enum Element {
        case text(String)
        case field(String, Relux.UI.ViewBinding<String>)
        /// A view that presents something while its binding has a value.
        case sheet(String, presented: String?, dismiss: @MainActor () -> Void)
    }

    /// A text field, which shows its own buffer until it gets another binding.
    private struct Control {
        var binding: Relux.UI.ViewBinding<String>
        var shown: String
    }

    /// A presented sheet, which dismisses what it was presented for.
    private struct Sheet {
        let presented: String
        let dismiss: @MainActor () -> Void
    }

    /// The store in the environment.
    private let store: Relux.Store
    private let body: @MainActor (ScreenModel) -> [Element]
    private var elements: [Element] = []
    private var isDirty = true
    private var state: [String: Any] = [:]
    private var controls: [String: Control] = [:]
    private var sheets: [String: Sheet] = [:]

    /// The animation of the present transaction.
    private static var animation: String?
    /// The animations with which the view has changed; "-" for none.
    private(set) var animations: [String] = []
    /// What was drawn in all frames.
    private(set) var frames: [[String]] = []

    init(_ store: Relux.Store, _ body: @escaping @MainActor (ScreenModel) -> [Element]) {
        (self.store, self.body) = (store, body)
        draw()
    }

    /// Like `@Relux.UI.Selected`, from the store in the environment: made once for the view.
    func selected<S: Relux.State, Value: Equatable & Sendable>(
        _ select: @escaping @Sendable (S) -> Value, otherwise: Value
    ) -> Relux.UI.ViewState<Value> {
        let name = "\(S.self) \(Value.self)"
        let value = state[name] as? Relux.UI.SelectedValue<Value> ?? Relux.UI.SelectedValue<Value>()
        state[name] = value
        let site = Relux.CallSite()
        value.follow(store.handle, id: nil, otherwise: otherwise, at: site) { .selection(select, at: site) }
        return value.state ?? Relux.UI.ViewState(constant: otherwise)
    }

    /// Like `withAnimation`.
    static func withAnimation(_ name: String, _ body: () -> Void) {
        let outer = animation
        animation = name
        body()
        animation = outer
    }

    // MARK: Frames

    /// Draws a frame: evaluates the body if it is concerned, and brings the controls up to date.
    @discardableResult
    func draw() -> [String] {
        if isDirty {
            isDirty = false
            elements = withObservationTracking {
                body(self)
            } onChange: {
                // As the engine does, when the value is about to change: with the transaction of that moment.
                MainActor.assumeIsolated {
                    self.isDirty = true
                    self.animations.append(Self.animation ?? "-")
                }
            }
        }
        var drawn: [String] = []
        var (controls, sheets): ([String: Control], [String: Sheet]) = ([:], [:])
        for element in elements {
            switch element {
            case .text(let text): drawn.append(text)
            case .field(let name, let binding):
                // Only another binding makes a control show what that reads.
                var control = self.controls[name] ?? Control(binding: binding, shown: binding.wrappedValue)
                if control.binding != binding { control = Control(binding: binding, shown: binding.wrappedValue) }
                controls[name] = control
                drawn.append("\(name): \(control.shown)")
            case .sheet(let name, let presented, let dismiss):
                guard let presented else { break }
                let sheet = self.sheets[name].flatMap { $0.presented == presented ? $0 : nil }
                sheets[name] = sheet ?? Sheet(presented: presented, dismiss: dismiss)
                drawn.append("[\(presented)]")
            }
        }
        (self.controls, self.sheets) = (controls, sheets)
        frames.append(drawn)
        return drawn
    }

    // MARK: What people do

    /// Types into a text field: the field shows the text, and sets its binding twice, as SwiftUI does.
    func type(_ text: String, into name: String) {
        guard var control = controls[name] else { return }
        control.shown += text
        controls[name] = control
        for _ in 0..<2 { control.binding.wrappedValue = control.shown }
    }

    /// Begins to dismiss a sheet, as a swipe does.
    ///
    /// - Returns: Ends the dismissal, which sets the binding with which the sheet was presented.
    func swipeDown(_ name: String) -> @MainActor () -> Void {
        guard let sheet = sheets[name] else { return {} }
        return sheet.dismiss
    }
}
