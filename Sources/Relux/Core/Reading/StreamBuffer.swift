/// A buffer of elements of any type.
protocol AnyStreamBuffer: AnyObject, Sendable {
    /// Ends the stream after the buffered elements.
    func finish()
}

/// The elements of a stream between the store, which appends them, and the one task that takes them.
///
/// - Ordering: First in, first out. No element is lost, unless the stream was asked to keep only some.
final class StreamBuffer<Element: Sendable>: AnyStreamBuffer {
    /// Where a buffer without a consumer passes everything on to.
    struct Forward: Sendable {
        let element: @Sendable (Element) -> Void
        let end: @Sendable () -> Void
    }

    private struct Contents {
        var elements = Queue<Element>()
        var arrival: Signal?
        var isFinished = false
        var droppedCount = 0
    }

    private let contents = Lock(Contents())
    private let buffering: Relux.StreamBuffering.Kind
    private let forward: Forward?

    init(_ buffering: Relux.StreamBuffering = .unbounded) {
        self.buffering = buffering.kind
        forward = nil
    }

    /// Creates a buffer that keeps nothing.
    init(forwarding forward: Forward) {
        buffering = .unbounded
        self.forward = forward
    }

    /// How many elements were dropped because the buffer was full.
    var droppedCount: Int { contents.withLock { $0.droppedCount } }

    /// Appends an element.
    func append(_ element: Element) {
        if let forward { return forward.element(element) }
        // A dropped element is released outside the lock: its deinitialiser may use the stream.
        let (arrival, dropped): (Signal?, Element?) = contents.withLock { contents in
            guard !contents.isFinished else { return (nil, nil) }
            var dropped: Element?
            switch buffering {
            case .dropping(let count) where contents.elements.count >= count:
                contents.droppedCount += 1
                return (nil, nil)
            case .sliding(let count) where contents.elements.count >= count:
                dropped = contents.elements.popFirst()
                contents.droppedCount += 1
            case .unbounded, .sliding, .dropping:
                break
            }
            contents.elements.append(element)
            defer { contents.arrival = nil }
            return (contents.arrival, dropped)
        }
        withExtendedLifetime(dropped) { arrival?.fire() }
    }

    func finish() {
        if let forward { return forward.end() }
        let arrival: Signal? = contents.withLock { contents in
            contents.isFinished = true
            defer { contents.arrival = nil }
            return contents.arrival
        }
        arrival?.fire()
    }

    /// Takes the next element, and waits for it if there is none.
    ///
    /// - Returns: Nil at the end, and when the task is cancelled.
    nonisolated(nonsending) func next() async -> Element? {
        while !Task.isCancelled {
            let (element, arrival): (Element?, Signal?) = contents.withLock { contents in
                if let element = contents.elements.popFirst() { return (element, nil) }
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
