/// Something whose cost is measured: an operation that can be repeated.
package struct Workload: Sendable {
    /// What it does, unique among all workloads.
    package let name: String

    /// Operations come in multiples of this many: a batch of 1,000 can't be cut.
    package let step: Int

    /// Whether its tasks get into each other's way, so that it tells something only where they really run at once.
    package let isParallel: Bool

    /// Makes everything that the operation needs. That is never part of what is measured.
    package let prepare: @Sendable () async throws -> Session

    package init(
        _ name: String, step: Int = 1, isParallel: Bool = false,
        prepare: @escaping @Sendable () async throws -> Session
    ) {
        self.name = name
        self.step = step
        self.isParallel = isParallel
        self.prepare = prepare
    }
}

/// A workload that is ready to run.
package struct Session: Sendable {
    /// Runs this many operations and tells how long they took.
    package let run: @Sendable (_ operations: Int) async throws -> Duration

    /// Lets go of what was made, once no more will be run.
    package let close: @Sendable () async -> Void

    /// A session all of whose work counts.
    package init(
        _ body: @escaping @Sendable (_ operations: Int) async throws -> Void,
        close: @escaping @Sendable () async -> Void = {}
    ) {
        run = { operations in
            let start = ContinuousClock.now
            try await body(operations)
            return start.duration(to: .now)
        }
        self.close = close
    }

    /// A session that measures only a part of what it does.
    package static func timingItself(
        _ run: @escaping @Sendable (_ operations: Int) async throws -> Duration,
        close: @escaping @Sendable () async -> Void = {}
    ) -> Session {
        Session(run: run, close: close)
    }

    private init(
        run: @escaping @Sendable (_ operations: Int) async throws -> Duration,
        close: @escaping @Sendable () async -> Void
    ) {
        self.run = run
        self.close = close
    }
}
