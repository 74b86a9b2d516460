import Observation

/// Calls the body once, when what is read here is about to change.
@MainActor
func beforeChange(of read: @autoclosure () -> Any, _ body: @escaping @Sendable () -> Void) {
    withObservationTracking {
        _ = read()
    } onChange: {
        body()
    }
}

/// Returns after all updates of view states that have been requested so far.
func turn() async { await Task.detached { @MainActor in }.value }
