import Relux
import ReluxDiagnostics

extension Row {
    /// All rows of the table, in order.
    package static let all: [Row] = probes + counted + budgeted + further

    /// Verifies that the probes that other rows rely on count correctly.
    private static let probes: [Row] = [
        Row(
            "probe-allocations", "probe: an operation that makes one object", .allocations, of: .makingAnObject,
            budget: .exactly(1)
        ),
        Row(
            "probe-bytes", "probe: an operation that keeps a block of 1,000 bytes", .bytes(of: 10_000),
            of: .keepingABlock, budget: .exactly(1_008)
        ),
    ]

    /// What the library promises, counted in instructions, which don't depend on the machine.
    private static let counted: [Row] = [
        Row("dispatch-count", "one awaited `dispatch`", .instructions, of: .dispatch, budget: .atMost(2_150)),
        Row("now-count", "`dispatchNow`", .instructions, of: .dispatchNow, budget: .atMost(2_000)),
        Row(
            "observer-count", "`dispatch` with one observer that does nothing", .instructions,
            of: .dispatch(observedBy: 1), budget: .atMost(5_100)
        ),
        Row(
            "batch-count", "an action in a given batch of 1,000", .instructions, of: .givenBatch, budget: .atMost(1_350)
        ),
        Row(
            "batch-built-count", "an action in a batch of 1,000 built by the builder", .instructions, of: .builtBatch,
            budget: .atMost(1_250)
        ),
        Row(
            "flight-recorder-count", "`dispatch` with the flight recorder", .instructions,
            of: .dispatch(recordedBy: "the flight recorder") { Relux.FlightRecorder() }, budget: .atMost(8_150)
        ),
        Row(
            "trace-recorder-count", "`dispatch` with a trace that keeps states", .instructions,
            of: .dispatch(recordedBy: "a trace") { Relux.TraceRecorder(states: .changed, capacity: 1_000) },
            budget: .atMost(11_500)
        ),
        Row(
            "perform-count", "`perform` of a saga that dispatches one action back", .instructions(over: 1_000),
            of: .perform, budget: .atMost(45_000)
        ),
        Row(
            "instance-count", "an instance opened and closed, one state and one saga", .instructions(over: 1_000),
            of: .openingAnInstance(among: 0), budget: .atMost(109_000)
        ),
        Row(
            "selections-count", "`dispatch` beside 100 waiting selections", .instructions(over: 1_000),
            of: .dispatch(besideSelections: 100), budget: .atMost(60_000)
        ),
        Row(
            "selections-batch-count", "an action in a batch of 1,000 beside them", .instructions(over: 10_000),
            of: .dispatch(besideSelections: 100, inBatchesOf: 1_000), budget: .atMost(1_600)
        ),
        Row(
            "view-states-count", "`dispatchNow` with 1,000 view states, one of which changes", .instructions(over: 200),
            of: .dispatchNow(withViewStates: 1_000), budget: .atMost(930_000)
        ),
        Row(
            "view-state-count", "`dispatchNow` with a view state that changes", .instructions(over: 10_000),
            of: .dispatchNowWithViewState, budget: .atMost(17_600)
        ),
    ]

    /// What the library promises, measured.
    private static let budgeted: [Row] = [
        Row(
            "now", "`dispatchNow` from the main actor", .time, of: .dispatchNow, against: .bareCallFromMainActor,
            budget: .atMost(0.02)
        ),
        Row(
            "state-now", "`stateNow` of a small state, from the main actor", .time, of: .stateNow,
            against: .bareCallFromMainActor, budget: .atMost(0.02)
        ),
        Row(
            "now-busy", "`dispatchNow` from the main actor beside 4 tasks, median", .time,
            of: .dispatchNow(besideTasksAt: 0.5), against: .bareCallFromMainActor(besideTasksAt: 0.5),
            budget: .atMost(0.3)
        ),
        Row(
            "now-busy-tail", "the same, 99th percentile", .time, of: .dispatchNow(besideTasksAt: 0.99),
            against: .bareCallFromMainActor(besideTasksAt: 0.99), budget: .atMost(3)
        ),
        Row(
            "turns", "turns of the main actor for 1,000 actions, 100 view states (1 ms each)", .time, of: .turns,
            budget: .atMost(3_000_000)
        ),
        Row(
            "dispatch-8", "`dispatch` from 8 tasks at once", .time, of: .dispatchFromEightTasks,
            against: .bareCallFromEightTasks, budget: .atMost(1.6)
        ),
        Row(
            "dispatch-runs-1000", "`dispatch` alongside 1,000 unrelated runs", .time, of: .dispatch(besideRuns: 1_000),
            against: .dispatch(besideRuns: 0), budget: .atMost(1.1)
        ),
        Row(
            "saved", "a change with persistence attached, saving included", .time, of: .dispatchOfSavedState,
            against: .dispatch, budget: .atMost(1.2)
        ),
        Row(
            "dispatch-modules", "the same with 1,000 other modules registered", .instructions,
            of: .dispatch(amongModules: 1_000), against: .dispatch, budget: .atMost(1.05)
        ),
        Row(
            "send-8", "`send` from 8 tasks at once", .time, of: .sendFromEightTasks, against: .bareCallFromEightTasks,
            budget: .atMost(1.8)
        ),
        Row(
            "dispatch-allocations", "heap allocations of a `dispatch`, no saga, no waiting reader", .allocations,
            of: .dispatch, budget: .atMost(0)
        ),
        Row(
            "query-fetch", "`Fetch` of a fresh value", .time, of: .freshFetch, against: .emptyPerform,
            budget: .atMost(2.3)
        ),
        Row(
            "query-read", "a read of one key of 10,000 of a query", .time, of: .queryRead(among: 10_000),
            against: .entityRead(among: 10_000), budget: .atMost(7)
        ),
        Row(
            "query-change-1000", "a change of one key beside 1,000 view states of other keys", .time,
            of: .queryChange(besideViewStates: 1_000), against: .queryChange(besideViewStates: 10),
            budget: .atMost(1.5)
        ),
        Row(
            "latest", "an effect under `.latest` that supersedes the one before", .time, of: .supersedingEffects,
            against: .supersedingTasks, budget: .atMost(4.5)
        ),
        Row(
            "runs", "a run started, one of 100,000 in flight, and ended", .time, of: .runsInFlight,
            against: .tasksInFlight, budget: .atMost(5.2)
        ),
        Row(
            "dispatch-readers", "one dispatch with 1,000 waiting readers of another state", .instructions,
            of: .dispatch(besideReaders: 1_000), against: .dispatch(besideReaders: 0), budget: .atMost(1.05)
        ),
        Row(
            "entity-selection", "updating one of 100,000 entities by id, a selection attached", .time,
            of: .entityUpdateSelected, against: .entityUpdateUnselected,
            budget: .atMost(2)
        ),
        Row(
            "copy-100000", "changing one of 100,000 entities while the state is held elsewhere", .time,
            of: .entityUpdateAfterCopy(of: 100_000), against: .entityUpdate(among: 100_000),
            budget: .atMost(10)
        ),
        Row(
            "module-memory", "memory of a registered module, one small state and one saga", .bytes(of: 1_000),
            of: .keepingModules, budget: .atMost(2_048)
        ),
        Row(
            "reader-memory", "memory of a waiting reader, its task included", .bytes(of: 10_000), of: .keepingReaders,
            budget: .atMost(4_400)
        ),
        Row(
            "instance-dispatch", "`dispatch` to an instance, with 10,000 instances", .time,
            of: .dispatch(toInstanceAmong: 10_000), against: .dispatch, budget: .atMost(1.5)
        ),
        Row(
            "instances-dispatch", "`dispatch` to the root with 10,000 instances", .instructions,
            of: .dispatch(amongInstances: 10_000), against: .dispatch, budget: .atMost(1.05)
        ),
        Row(
            "instance-memory", "memory of an instance, one state and one saga", .bytes(of: 10_000),
            of: .keepingInstances, budget: .atMost(2_304)
        ),
        Row(
            // 100 µs, hence 10,000 a second, where the bare call takes 60 ns.
            "simulation", "a short simulated scenario, one seed", .time, of: .simulatedScenario, against: .bareCall,
            budget: .atMost(1_667)
        ),
        Row(
            // 500 ns, hence a million in half a second, where the bare call takes 60 ns.
            "state-space", "a transition of a small state in a `StateSpace` of 250,000", .time,
            of: .stateSpaceTransition, against: .bareCall, budget: .atMost(8.3)
        ),
        Row(
            // 20 µs, hence 50,000 a second, where the bare call takes 50 ns.
            "test-store", "a step of a `TestStore` that states a change", .time, of: .testStoreStep,
            against: .bareCall, budget: .atMost(400)
        ),
        Row(
            "simulation-soak", "growth of the memory in use over 100,000 seeds", .growth(over: 100_000),
            of: .simulatedScenario, budget: .atMost(262_144)
        ),
        Row(
            "soak", "growth of the memory in use over 10,000,000 mixed actions", .growth(over: 10_000_000),
            // The system keeps up to a thousand small blocks per thread for itself, and reaches that number gradually.
            of: .mixedActions, budget: .atMost(262_144)
        ),
    ]

    /// Figures that are worth knowing but are not judged.
    private static let further: [Row] = [
        Row(
            // 7 µs where the bare call takes 60 ns.
            "instance", "an instance opened and closed, one state and one saga", .time,
            of: .openingAnInstance(among: 0),
            against: .bareCall
        ),
        Row(
            "perform", "`perform` of a saga that dispatches one action back", .time, of: .perform,
            against: .taskRoundTrip
        ),
        Row(
            "batch-given", "an action in a given batch of 1,000", .time, of: .givenBatch, against: .bareCall
        ),
        Row(
            "observer-1", "`dispatch` with one observer that does nothing", .time, of: .dispatch(observedBy: 1),
            against: .dispatch
        ),
        Row(
            "view-states-1000", "an action, with 1,000 view states of which one changes", .time,
            of: .dispatchNow(withViewStates: 1_000), against: .selections(1_000)
        ),
        Row(
            "now-view-state", "`dispatchNow` with a view state that changes", .time, of: .dispatchNowWithViewState,
            against: .dispatchNow
        ),
        Row(
            "dispatch", "one awaited `dispatch`, one module", .time, of: .dispatch, against: .bareCall
        ),
        Row("text", "text of an executable that uses the store, stripped", .text(of: "smallest"), of: .perform),
        Row(
            "dispatch-dispatcher", "`dispatch` of a dispatcher", .time, of: .dispatchByDispatcher, against: .dispatch
        ),
        Row("dispatch-any", "`dispatch` through `any Action`", .time, of: .dispatchAny, against: .dispatch),
        Row("observer-3", "`dispatch` with three observers", .time, of: .dispatch(observedBy: 3), against: .dispatch),
        Row("middleware", "`dispatch` with a middleware", .time, of: .dispatchThroughMiddleware, against: .dispatch),
        Row("wake-1", "a dispatch that wakes 1 reader", .time, of: .dispatch(waking: 1)),
        Row("wake-100", "a dispatch that wakes 100 readers", .time, of: .dispatch(waking: 100)),
        Row(
            "wake-1000", "a dispatch that wakes 1,000 readers", .time, of: .dispatch(waking: 1_000)
        ),
        Row(
            "values", "from `dispatch` to the next line of a reader of `values`", .time, of: .dispatchToNextLine,
            against: .streamToNextLine
        ),
        Row(
            "modules-10", "registering and unregistering a module, 10 in all", .time, of: .registering(10),
            against: nil
        ),
        Row(
            "modules-1000", "registering and unregistering a module, 1,000 in all", .time, of: .registering(1_000),
            against: .registering(10)
        ),
        Row(
            "instance-10000", "an instance opened and closed beside 10,000 others", .time,
            of: .openingAnInstance(among: 10_000), against: .openingAnInstance(among: 0)
        ),
        Row("run-memory", "memory of a run in flight", .bytes(of: 100_000), of: .keepingRuns),
        Row("task-memory", "memory of a bare task in flight, for comparison", .bytes(of: 100_000), of: .keepingTasks),
        Row(
            "dispatch-runs-100000", "`dispatch` beside 100,000 runs in flight", .time,
            of: .dispatch(besideRuns: 100_000), against: .dispatch(besideRuns: 0)
        ),
        Row(
            "entities", "updating one of 100,000 entities instead of 100", .time,
            of: .entityUpdate(among: 100_000), against: .entityUpdate(among: 100)
        ),
        Row(
            "copy-100", "changing one of 100 entities while the state is held elsewhere", .time,
            of: .entityUpdateAfterCopy(of: 100), against: .entityUpdate(among: 100)
        ),
    ]
}
