/// A buffer of elements of any type.
protocol AnyStreamBuffer: AnyObject, Sendable {
    /// Appends an action, if it is an element.
    ///
    /// - Parameter number: Its place in the total order.
    func deliver(_ action: some Relux.Action, number: UInt64)
    /// The actions among the elements, with their places in the total order.
    var actions: [(number: UInt64, action: any Relux.Action)] { get }
    /// Ends the stream after the buffered elements.
    func finish()
}

/// The elements of a stream between the store, which appends them, and the one task that takes them.
///
/// - Ordering: First in, first out. No element is lost, unless the stream was asked to keep only some.
final class StreamBuffer<Element: Sendable>: AnyStreamBuffer {
    private struct Contents {
        var elements = ArrivalList<(number: UInt64, element: Element)>()
        var arrival: Signal?
        var isFinished = false
        var droppedCount = 0
    }

    private let contents = Lock(Contents())
    private let buffering: Relux.StreamBuffering

    init(_ buffering: Relux.StreamBuffering = .unbounded) { self.buffering = buffering }

    /// How many elements were dropped because the buffer was full.
    var droppedCount: Int { contents.withLock { $0.droppedCount } }

    func deliver(_ action: some Relux.Action, number: UInt64) {
        if let element = action as? Element { append(element, number: number) }
    }

    /// Appends an element.
    func append(_ element: Element, number: UInt64 = 0) {
        // A dropped element is released outside the lock: its deinitialiser may use the stream.
        let (arrival, dropped): (Signal?, (UInt64, Element)?) = contents.withLock { contents in
            guard !contents.isFinished else { return (nil, nil) }
            let isFull = contents.elements.count >= buffering.limit
            if isFull { contents.droppedCount += 1 }
            if isFull, !buffering.isSliding { return (nil, nil) }
            let dropped = isFull ? contents.elements.popFirst() : nil
            contents.elements.append((number, element))
            return (contents.arrival.take(), dropped)
        }
        withExtendedLifetime(dropped) { arrival?.fire() }
    }

    var actions: [(number: UInt64, action: any Relux.Action)] {
        let elements = contents.withLock { $0.elements.elements }
        return elements.compactMap { number, element in (element as? any Relux.Action).map { (number, $0) } }
    }

    /// Begins with the elements of another buffer.
    func begin(with other: StreamBuffer) {
        let elements = other.contents.withLock { $0.elements }
        contents.withLock { $0.elements = elements }
    }

    /// Removes the elements up to a place in the total order.
    func removeElements(through number: UInt64) {
        // Released outside the lock, as above.
        let removed = contents.withLock { contents in
            var removed: [(UInt64, Element)] = []
            while let first = contents.elements.first, first.number <= number, let next = contents.elements.popFirst() {
                removed.append(next)
            }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    func finish() {
        let arrival: Signal? = contents.withLock { contents in
            contents.isFinished = true
            return contents.arrival.take()
        }
        arrival?.fire()
    }

    /// Takes the next element, and waits for it if there is none.
    ///
    /// - Returns: Nil at the end, and when the task is cancelled.
    nonisolated(nonsending) func next() async -> Element? { await nextNumbered()?.element }

    /// The next element with its place in the total order.
    nonisolated(nonsending) func nextNumbered() async -> (number: UInt64, element: Element)? {
        while !Task.isCancelled {
            let (element, arrival): ((UInt64, Element)?, Signal?) = contents.withLock { contents in
                if let first = contents.elements.popFirst() { return (first, nil) }
                if contents.isFinished { return (nil, nil) }
                let arrival = contents.arrival ?? Signal()
                contents.arrival = arrival
                return (nil, arrival)
            }
            guard let arrival else { return element }
            guard await arrival.waitUnlessCancelled() else { return nil }
        }
        return nil
    }
}
