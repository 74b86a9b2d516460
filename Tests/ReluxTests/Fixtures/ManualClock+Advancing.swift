import ReluxTesting

extension ManualClock {
    /// Advances the time once a number of tasks sleep.
    func advance(by duration: Duration, pastSleepers count: Int) async {
        await sleepers(atLeast: count)
        await advance(by: duration)
    }
}
