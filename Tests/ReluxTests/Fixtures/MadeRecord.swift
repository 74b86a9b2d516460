@testable import Relux

/// Records that otherwise only a store makes.
enum MadeRecord {
    static func run(
        _ id: UInt64, _ kind: Relux.RunRecord.Kind = .saga, of saga: Any.Type = WorkSaga.self,
        trigger: (any Relux.Action)? = Work(), at site: Relux.CallSite = Relux.CallSite()
    ) -> Relux.RunRecord {
        Relux.RunRecord(id: id, kind: kind, saga: saga, trigger: trigger, callSite: site)
    }

    static func refusal(
        _ reason: Relux.Refusal.Reason, _ action: (any Relux.Action)?, at site: Relux.CallSite?
    ) -> Relux.Refusal {
        Relux.Refusal(reason: reason, action: action, callSite: site, time: .zero)
    }

    static func busyRun(
        _ run: Relux.RunRecord, _ phase: Relux.NotIdle.Phase, waitsFor others: [Relux.RunRecord] = []
    ) -> Relux.NotIdle.BusyRun {
        Relux.NotIdle.BusyRun(run: run, phase: phase, waitsFor: others)
    }

    static func notIdle(_ reason: Relux.NotIdle.Reason, _ busy: [Relux.NotIdle.BusyRun] = []) -> Relux.NotIdle {
        Relux.NotIdle(reason: reason, busy: busy)
    }
}
