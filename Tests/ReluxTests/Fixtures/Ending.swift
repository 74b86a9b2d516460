import Relux

/// How a call ended, in a form that can be compared.
enum Ending: Sendable, Equatable {
    case returned
    case failed(TestFailure)
    case superseded
    case dropped
    case cancelled
    case unhandled
    case cycle(waiting: String, on: String)
    case storeShutDown
    /// Thrown as it is, without an `EffectError` around it.
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

    /// Calls something, and says how it ended.
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
    /// One word, and the errors if there are any: what a test compares.
    var endings: [Ending] {
        switch self {
        case .success: [.returned]
        case .cancelled: [.cancelled]
        case .failure(let errors): errors.map { Ending($0) }
        }
    }
}

extension Relux.RunRecord {
    /// What set the run off, in short.
    fileprivate var text: String {
        switch trigger {
        case let work as Work: work.name
        case let errand as Errand: errand.name
        case let chore as Chore: chore.name
        case let job as Job: job.name
        case .some(let action): "\(action)"
        case nil: "\(kind)"
        }
    }
}
