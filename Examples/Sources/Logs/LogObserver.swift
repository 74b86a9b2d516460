import Logging
import Relux

/// Writes what a store does to a logger.
///
/// Messages and metadata are built only if the logger's level lets them through. A handler is called inside the store:
/// it should hand over what it gets, and not wait for a disk or a network.
struct LogObserver: Relux.StoreObserver {
    let logger: Logger

    func actionReduced(_ record: Relux.ActionRecord, leaving _: borrowing Relux.StateReader) {
        logger.debug(
            "\(record.action)",
            metadata: metadata([
                "sequence": record.sequence, "action": name(of: type(of: record.action)), "cause": record.cause,
                "instance": record.scope, "line": record.callSite,
            ]))
    }

    func runStarted(_ run: Relux.RunRecord) { logger.trace("\(run) started", metadata: metadata(of: run)) }

    func runEnded(_ run: Relux.RunRecord, _ outcome: Relux.RunOutcome, lateError: (any Error)?) {
        logger.debug("\(run) \(word(for: outcome))", error: lateError, metadata: metadata(of: run))
    }

    /// Errors that a caller of `perform` receives are left to that caller.
    func failureUnreceived(of run: Relux.RunRecord, _ error: any Error) {
        logger.error("\(run) failed", error: error, metadata: metadata(of: run))
    }

    func refused(_ refusal: Relux.Refusal) {
        logger.warning("\(refusal)", metadata: metadata(["line": refusal.callSite]))
    }

    func moduleRegistered(
        _ module: any Relux.Module.Type, in scope: Relux.Scope?, leaving _: borrowing Relux.StateReader
    ) {
        logger.info("\(name(of: module)) registered", metadata: metadata(["instance": scope]))
    }

    func moduleUnregistered(_ module: any Relux.Module.Type, in scope: Relux.Scope?) {
        logger.info("\(name(of: module)) unregistered", metadata: metadata(["instance": scope]))
    }

    /// An outcome without its error, which is logged where it is received.
    private func word(for outcome: Relux.RunOutcome) -> String {
        if case .failed = outcome { "failed" } else { "\(outcome)" }
    }

    private func metadata(of run: Relux.RunRecord) -> Logger.Metadata {
        metadata([
            "run": run.id, "saga": name(of: run.saga), "cause": run.triggerSequence.map { "#\($0)" },
            "instance": run.scope, "line": run.callSite,
        ])
    }

    private func metadata(_ values: [String: Any?]) -> Logger.Metadata {
        values.compactMapValues { value in value.map { "\($0)" } }
    }

    private func name(of type: Any.Type) -> String { String(reflecting: type) }
}

extension Relux.StoreConfiguration {
    /// Logs what the store does, and adds the run to what services log with `Logger.current`. Replaces `aroundRun`.
    mutating func log(to logger: Logger) {
        observers.append(LogObserver(logger: logger))
        aroundRun = { run, body in
            try await withLogger(mergingMetadata: ["run": "\(run)"]) { _ in try await body() }
        }
    }
}
