/// A wait for an action or a state that ends with the run whose context was used.
protocol WaitOfRun: AnyObject, Sendable {
    /// The run has ended, or has been halted. Called inside the store.
    func runEnded()
}

extension Signal: WaitOfRun {
    func runEnded() { fire() }
}

extension StreamBuffer: WaitOfRun {
    func runEnded() { finish() }
}
