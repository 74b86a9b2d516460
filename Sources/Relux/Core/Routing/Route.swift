/// The way of one type of action: its reducers, sagas and streams.
///
/// A store finds it by the type and then calls what it lists: nothing is asked that the action doesn't concern.
///
/// Responders and streams are kept without their types, and used as what they are by the ``Route`` of their type: in
/// unspecialised generic code, an array of a generic class costs a look-up of its metadata each time it is touched.
class AnyRoute {
    /// Which route of the store this is, in the order of their making.
    let serial: UInt64
    let isEffect: Bool
    /// Whether the action has nothing but reducers, so that it is done when they have run.
    // exclusivity(unchecked), here and below: reached inside the store only, and never while it is being changed.
    @exclusivity(unchecked) final private(set) var isPlain = false
    @exclusivity(unchecked) final private(set) var hasFlow = false
    @exclusivity(unchecked) final private(set) var responders: [AnyResponder] = []
    @exclusivity(unchecked) final fileprivate(set) var streams: [any AnyStreamBuffer] = []

    fileprivate init(serial: UInt64, isEffect: Bool) {
        self.serial = serial
        self.isEffect = isEffect
    }

    var stepCount: Int { 0 }

    /// The states whose reducers the action runs, in their order, each once.
    @exclusivity(unchecked) final fileprivate(set) var states: [any Relux.State.Type] = []

    final var isUnused: Bool { stepCount == 0 && responders.isEmpty && streams.isEmpty }

    /// The responders must take the actions of this route.
    final fileprivate func append(_ responder: AnyResponder) {
        responders.append(responder)
        update()
    }

    final func remove(responder id: RunTable.ResponderID) {
        responders.removeAll { $0.id == id }
        update()
    }

    final func remove(stream: any AnyStreamBuffer) {
        streams.removeAll { $0 === stream }
        update()
    }

    final func finishStreams() {
        for stream in streams { stream.finish() }
    }

    func remove(_ step: AnyStep) {}

    /// The place of the state of an action that has one reducer.
    // Unmanaged: the route holds its steps, and they hold their places.
    @exclusivity(unchecked) final fileprivate(set) var loneSlot: Unmanaged<AnySlot>?

    /// Resumes those who wait for what the action has changed.
    @inline(__always)
    final func wakeReaders() {
        guard let loneSlot else { return wakeReadersInTurn() }
        loneSlot._withUnsafeGuaranteedRef { $0.wake() }
    }

    func wakeReadersInTurn() {}

    final fileprivate func update() {
        hasFlow = responders.contains { $0.isFlow }
        isPlain = stepCount > 0 && responders.isEmpty && streams.isEmpty && !isEffect
    }
}

final class Route<A: Relux.Action>: AnyRoute {
    private var steps: [Step<A>] = []
    /// The same steps, to be gone through without retaining any of them.
    // Unmanaged: `steps` holds every object of `bare`, and both are changed together, in `rebuild`.
    @exclusivity(unchecked) private var bare: UnsafeMutableBufferPointer<Unmanaged<Step<A>>>
    /// The step of an action that has one: most have, and need no loop.
    // Unmanaged: as `bare`.
    @exclusivity(unchecked) private var loneStep: Unmanaged<Step<A>>?

    init(serial: UInt64) {
        bare = .init(start: nil, count: 0)
        super.init(serial: serial, isEffect: A.self is any Relux.Effect.Type)
    }

    deinit {
        bare.deallocate()
    }

    override var stepCount: Int { bare.count }

    /// Runs all reducers, and says whether somebody waits for a state among theirs.
    @inline(__always)
    func reduce(_ action: A) -> Bool {
        guard let loneStep else { return reduceInTurn(action) }
        return loneStep._withUnsafeGuaranteedRef { $0.run(action) }
    }

    @inline(never)
    private func reduceInTurn(_ action: A) -> Bool {
        var isAwaited = false
        for index in 0..<bare.count {
            let step = bare[index]
            if step._withUnsafeGuaranteedRef({ $0.run(action) }) { isAwaited = true }
        }
        return isAwaited
    }

    override func wakeReadersInTurn() {
        for step in steps { step.slot.wake() }
    }

    /// Hands the action to the streams.
    func deliver(_ action: A) {
        // unsafeDowncast: `add` takes streams of this very type only.
        for stream in streams { unsafeDowncast(stream, to: StreamBuffer<A>.self).append(action) }
    }

    func responder(at index: Int) -> Responder<A> {
        // unsafeDowncast: `add` takes responders to this very type only.
        unsafeDowncast(responders[index], to: Responder<A>.self)
    }

    func add(_ step: Step<A>) {
        steps.append(step)
        rebuild()
    }

    func add(_ responder: Responder<A>) {
        append(responder)
    }

    func add(_ stream: StreamBuffer<A>) {
        streams.append(stream)
        update()
    }

    override func remove(_ step: AnyStep) {
        steps.removeAll { $0 === step }
        rebuild()
    }

    private func rebuild() {
        bare.deallocate()
        bare = .allocate(capacity: steps.count)
        for (index, step) in steps.enumerated() { bare.initializeElement(at: index, to: .passUnretained(step)) }
        loneStep = bare.count == 1 ? bare[0] : nil
        loneSlot = loneStep.map { step in .passUnretained(step.takeUnretainedValue().slot) }
        var named: Set<ObjectIdentifier> = []
        states = steps.map { $0.slot.state }.filter { named.insert(ObjectIdentifier($0)).inserted }
        update()
    }
}
