import TestFixtures

extension ThreadExecutor {
    /// Returns when the thread has run what was enqueued before.
    func rest() async {
        let isIdle = Gate()
        run { isIdle.open() }
        await isIdle.pass()
    }
}
