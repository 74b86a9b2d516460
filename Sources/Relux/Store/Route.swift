/// The way of one type of action: its reducers, sagas and streams.
///
/// A store finds it by the type and then calls what it lists: nothing is asked that the action doesn't concern.
class AnyRoute {
    /// Whether the action has nothing but reducers, so that it is done when they have run.
    // exclusivity(unchecked), here and below: reached inside the store only, and never while it is being changed.
    @exclusivity(unchecked) final var isPlain = false

    var isUnused: Bool { true }

    func remove(slot: AnySlot) {}

    func remove(responder id: RunTable.ResponderID) {}

    func finishStreams() {}

    func wakeReaders() {}
}

final class Route<A: Relux.Action>: AnyRoute {
    let isEffect: Bool
    private(set) var hasFlow = false
    @exclusivity(unchecked) private(set) var responders: [Responder<A>] = []
    @exclusivity(unchecked) private(set) var streams: [StreamBuffer<A>] = []
    private var steps: [Step<A>] = []
    /// The same steps, to be gone through without retaining any of them.
    // Unmanaged: `steps` holds every object of `bare`, and both are changed together, in `rebuild`.
    @exclusivity(unchecked) private var bare: UnsafeMutableBufferPointer<Unmanaged<Step<A>>>

    override init() {
        isEffect = A.self is any Relux.Effect.Type
        bare = .init(start: nil, count: 0)
    }

    deinit {
        bare.deallocate()
    }

    var states: [any Relux.State.Type] { steps.map { $0.slot.state } }

    override var isUnused: Bool { steps.isEmpty && responders.isEmpty && streams.isEmpty }

    /// Runs all reducers, and says whether somebody waits for a state among theirs.
    func reduce(_ action: A) -> Bool {
        var isAwaited = false
        for index in 0..<bare.count {
            let step = bare[index]
            if step._withUnsafeGuaranteedRef({ $0.run(action) }) { isAwaited = true }
        }
        return isAwaited
    }

    override func wakeReaders() {
        for step in steps { step.slot.wake() }
    }

    func add(_ step: Step<A>) {
        steps.append(step)
        rebuild()
    }

    func add(_ responder: Responder<A>) {
        responders.append(responder)
        rebuild()
    }

    func add(_ stream: StreamBuffer<A>) {
        streams.append(stream)
        rebuild()
    }

    override func remove(slot: AnySlot) {
        steps.removeAll { $0.slot === slot }
        rebuild()
    }

    override func remove(responder id: RunTable.ResponderID) {
        responders.removeAll { $0.id == id }
        rebuild()
    }

    func remove(_ stream: StreamBuffer<A>) {
        streams.removeAll { $0 === stream }
        rebuild()
    }

    override func finishStreams() {
        for stream in streams { stream.finish() }
    }

    private func rebuild() {
        bare.deallocate()
        bare = .allocate(capacity: steps.count)
        for (index, step) in steps.enumerated() { bare.initializeElement(at: index, to: .passUnretained(step)) }
        hasFlow = responders.contains { $0.isFlow }
        isPlain = !steps.isEmpty && responders.isEmpty && streams.isEmpty && !isEffect
    }
}
