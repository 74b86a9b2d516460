/// A clock that records the duration of every sleep.
struct NotingClock: Clock {
    let clock: ManualClock
    let notebook: SagaNotebook

    var now: ManualClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        notebook.slept(now.duration(to: deadline))
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}
