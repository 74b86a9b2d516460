import Relux

/// How a call ended, in comparable form.
enum Ending: Sendable, Equatable {
    case returned
    case failed(TestFailure)
    case superseded
    case dropped
    case cancelled
    case unhandled
    case cycle(waiting: String, on: String)
    case storeShutDown
    /// The call threw this error itself, not wrapped in an `EffectError`.
    case threw(TestFailure)
    case cancellationError
    case timeout(Duration)
    case other(String)

    init(_ error: any Error) {
        self =
            switch error {
            case Relux.EffectError.failed(let error as TestFailure): .failed(error)
            case Relux.EffectError.superseded: .superseded
            case Relux.EffectError.dropped: .dropped
            case Relux.EffectError.cancelled: .cancelled
            case Relux.EffectError.unhandled: .unhandled
            case Relux.EffectError.serialCycle(let waiting, let on): .cycle(waiting: waiting.text, on: on.text)
            case Relux.EffectError.storeShutDown: .storeShutDown
            case let error as TestFailure: .threw(error)
            case is CancellationError: .cancellationError
            case let error as Relux.TimeoutError: .timeout(error.limit)
            default: .other("\(error)")
            }
    }

    /// Executes the body and returns how it ended.
    nonisolated(nonsending) static func of(
        _ body: nonisolated(nonsending) () async throws -> some Any
    ) async -> Ending {
        do {
            _ = try await body()
            return .returned
        } catch {
            return Ending(error)
        }
    }
}

extension Relux.ActionResult {
    /// The result in comparable form: one ending, or one for each error.
    var endings: [Ending] {
        switch self {
        case .success: [.returned]
        case .cancelled: [.cancelled]
        case .failure(let errors): errors.map { Ending($0) }
        }
    }
}

extension Relux.RunRecord {
    /// A short name for the run: that of its trigger.
    fileprivate var text: String {
        switch trigger {
        case let named as any Named: named.name
        case .some(let action): "\(action)"
        case nil: "\(kind)"
        }
    }
}
