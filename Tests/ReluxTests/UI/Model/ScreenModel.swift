// This is a model of SwiftUI for the tests of this folder, and not Apple's engine.
//
// It covers what screens depend on: the identity of views and their state, the environment, observation, transactions
// with animations, tasks, and controls with a buffer of their own. A frame is drawn when a test says so.

import Observation

@testable import Relux

/// A tree of views that is drawn frame by frame.
@MainActor
final class ScreenModel {
    /// The views of a frame.
    indirect enum Element {
        case text(String)
        case field(String, Relux.UI.ViewBinding<String>)
        case toggle(String, Relux.UI.ViewBinding<Bool>)
        /// A view with an identity, whose body is evaluated again if its input differs or something that it read has
        /// changed.
        case view(String, input: AnyHashable, @MainActor (Node) -> [Element])
        /// A view that presents something while its binding has a value.
        case sheet(String, presented: String?, dismiss: @MainActor () -> Void)
        case task(String, @Sendable () async -> Void)
    }

    /// What a view keeps for as long as its identity exists.
    @MainActor
    final class Node {
        fileprivate var state: [String: Any] = [:]
        fileprivate var children: [String: Node] = [:]
        fileprivate var input: AnyHashable?
        fileprivate var elements: [Element] = []
        fileprivate var body: (@MainActor (Node) -> [Element])?
        fileprivate var controls: [String: Control] = [:]
        fileprivate var tasks: [String: Task<Void, Never>] = [:]
        fileprivate var sheets: [String: Sheet] = [:]
        fileprivate var isDirty = true
        fileprivate(set) var evaluations = 0
        let model: ScreenModel

        fileprivate init(_ model: ScreenModel) { self.model = model }

        /// Like `@State`: made once for the identity of the view.
        func state<Value>(_ name: String, _ make: () throws -> Value) rethrows -> Value {
            if let value = state[name] as? Value { return value }
            let value = try make()
            state[name] = value
            return value
        }

        /// Like `@Relux.UI.Selected`, from the store in the environment.
        func selected<S: Relux.State, Value: Equatable & Sendable>(
            _ select: @escaping @Sendable (S) -> Value, otherwise: Value, id: Int = 0
        ) -> Relux.UI.ViewState<Value> {
            let value = state("selected \(S.self) \(Value.self)") { Relux.UI.SelectedValue<Value>() }
            let site = Relux.CallSite()
            value.follow(model.store?.handle, id: AnySendableHashable(id), otherwise: otherwise, at: site) {
                .selection(select, at: site)
            }
            return value.state ?? Relux.UI.ViewState(constant: otherwise)
        }

        fileprivate func remove() {
            for task in tasks.values { task.cancel() }
            for child in children.values { child.remove() }
            // SwiftUI ends the editing of a field that it removes, and writes its text once more.
            for control in controls.values { control.binding.wrappedValue = control.shown }
        }
    }

    /// A text field, which shows its own buffer until it gets another binding.
    fileprivate struct Control {
        var binding: Relux.UI.ViewBinding<String>
        var shown: String
    }

    /// A presented sheet, which dismisses what it was presented for.
    fileprivate struct Sheet {
        let presented: String
        let dismiss: @MainActor () -> Void
    }

    private let root: @MainActor (Node) -> [Element]
    private lazy var tree = Node(self)
    /// The store in the environment. Changing it evaluates everything again.
    var store: Relux.Store? {
        didSet { markAll(tree) }
    }

    /// The animation of the present transaction.
    private static var animation: String?
    /// The animations with which the views of the last frame have changed; "-" for none.
    private(set) var animations: [String] = []
    /// What was drawn in all frames.
    private(set) var frames: [[String]] = []

    init(_ store: Relux.Store?, _ root: @escaping @MainActor (Node) -> [Element]) {
        (self.store, self.root) = (store, root)
        draw()
    }

    /// Like `withAnimation`.
    static func withAnimation(_ name: String, _ body: () -> Void) {
        let outer = animation
        animation = name
        body()
        animation = outer
    }

    private func markAll(_ node: Node) {
        node.isDirty = true
        for child in node.children.values { markAll(child) }
    }

    // MARK: Frames

    /// Draws a frame: evaluates the bodies that are concerned, and brings the controls up to date.
    @discardableResult
    func draw() -> [String] {
        tree.body = root
        let drawn = draw(tree)
        frames.append(drawn)
        return drawn
    }

    private func draw(_ node: Node) -> [String] {
        if node.isDirty, let body = node.body {
            node.isDirty = false
            node.evaluations += 1
            node.elements = withObservationTracking {
                body(node)
            } onChange: {
                // As the engine does, when the value is about to change: with the transaction of that moment.
                MainActor.assumeIsolated {
                    node.isDirty = true
                    self.animations.append(Self.animation ?? "-")
                }
            }
        }
        var drawn: [String] = []
        var (children, controls, sheets): ([String: Node], [String: Control], [String: Sheet]) = ([:], [:], [:])
        var tasks: [String: Task<Void, Never>] = [:]
        for element in node.elements {
            switch element {
            case .text(let text): drawn.append(text)
            case .toggle(let name, let binding): drawn.append("\(name): \(binding.wrappedValue)")
            case .field(let name, let binding):
                // Only another binding makes a control show what that reads.
                var control = node.controls[name] ?? Control(binding: binding, shown: binding.wrappedValue)
                if control.binding != binding { control = Control(binding: binding, shown: binding.wrappedValue) }
                controls[name] = control
                drawn.append("\(name): \(control.shown)")
            case .view(let name, let input, let body):
                let child = node.children[name] ?? Node(self)
                if child.input != input { (child.input, child.isDirty) = (input, true) }
                child.body = body
                children[name] = child
                drawn += draw(child)
            case .sheet(let name, let presented, let dismiss):
                guard let presented else { break }
                let sheet = node.sheets[name].flatMap { $0.presented == presented ? $0 : nil }
                sheets[name] = sheet ?? Sheet(presented: presented, dismiss: dismiss)
                drawn.append("[\(presented)]")
            case .task(let name, let body):
                tasks[name] = node.tasks[name] ?? Task { await body() }
            }
        }
        for (name, task) in node.tasks where tasks[name] == nil { task.cancel() }
        let gone = node.children.filter { children[$0.key] == nil }
        let goneControls = node.controls.filter { controls[$0.key] == nil }
        (node.children, node.controls, node.sheets, node.tasks) = (children, controls, sheets, tasks)
        for child in gone.values { child.remove() }
        for control in goneControls.values { control.binding.wrappedValue = control.shown }
        return drawn
    }

    /// Removes the screen.
    func remove() { tree.remove() }

    // MARK: What people do

    private func node(_ path: [String]) -> Node? {
        path.reduce(Optional(tree)) { $0?.children[$1] }
    }

    /// How often the body of a view was evaluated.
    func evaluations(of path: String...) -> Int { node(path)?.evaluations ?? 0 }

    /// Types into a text field: the field shows the text, and sets its binding twice, as SwiftUI does.
    func type(_ text: String, into name: String, of path: String...) {
        guard let node = node(path), var control = node.controls[name] else { return }
        control.shown += text
        node.controls[name] = control
        for _ in 0..<2 { control.binding.wrappedValue = control.shown }
    }

    /// Begins to dismiss a sheet, as a swipe does.
    ///
    /// - Returns: Ends the dismissal, which sets the binding with which the sheet was presented.
    func swipeDown(_ name: String, of path: String...) -> @MainActor () -> Void {
        guard let sheet = node(path)?.sheets[name] else { return {} }
        return sheet.dismiss
    }
}
