import Relux
import SampleDomain

/// Prints every action as it is reduced, followed by the resulting state.
///
/// It doesn't access the store. Reducers are pure, so reducing the same actions from the same state here gives the same
/// result.
final class DemoObserver: Relux.StoreObserver {
    private struct Mirror {
        var state = Items.State()
        var sequence: UInt64 = 0
    }

    private let console: Console
    private let renderer: DemoRenderer
    private let mirror = Lock(Mirror())

    init(console: Console, renderer: DemoRenderer) {
        self.console = console
        self.renderer = renderer
    }

    /// The state that results from the actions so far.
    var state: Items.State { mirror.withLock { $0.state } }

    /// The number of actions so far.
    var count: UInt64 { mirror.withLock { $0.sequence } }

    func actionReduced(_ record: Relux.ActionRecord) {
        let state = mirror.withLock { mirror in
            switch record.action {
            case let action as Items.State.Action: mirror.state.reduce(action)
            case let effect as Items.Effect: mirror.state.reduce(effect)
            default: break
            }
            mirror.sequence = record.sequence
            return mirror.state
        }
        console.output(renderer.lines(record.sequence, record.action, state))
    }
}
