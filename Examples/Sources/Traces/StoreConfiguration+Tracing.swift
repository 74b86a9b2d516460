import Relux
import Tracing

extension Relux.StoreConfiguration {
    /// Opens a span for each run. The spans of the services that the run calls, and of the runs that it triggers, nest
    /// under it.
    ///
    /// The span of a run nests under that of the task which dispatched or performed its trigger. A run that a `send`
    /// triggers begins a trace of its own, as nothing is inherited from its sender. Replaces `aroundRun`.
    mutating func trace(with tracer: any Tracer) {
        aroundRun = { run, body in
            // A watcher lives as long as its module. Its span would never end.
            if run.kind == .watcher { return try await body() }

            try await tracer.withAnySpan(String(reflecting: run.saga)) { span in
                span.attributes["relux.run"] = Int64(run.id)
                span.attributes["relux.trigger"] = run.trigger.map { String(reflecting: type(of: $0)) }
                span.attributes["code.line"] = run.callSite.description
                do {
                    try await body()
                } catch {
                    // A cancellation is an outcome, as is an effect that was superseded or dropped. The span would show
                    // an error if it were thrown on.
                    if Relux.EffectError(error).failure != nil { throw error }
                    span.attributes["relux.outcome"] = "cancelled"
                }
            }
        }
    }
}
