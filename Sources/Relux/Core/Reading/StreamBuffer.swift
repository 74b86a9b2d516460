/// A buffer of elements of any type.
protocol AnyStreamBuffer: AnyObject, Sendable {
    /// Ends the stream after the buffered elements.
    func finish()
}

/// The elements of a stream between the store, which appends them, and the one task that takes them.
///
/// - Ordering: First in, first out. Unbounded, because no element may be lost.
final class StreamBuffer<Element: Sendable>: AnyStreamBuffer {
    private struct Contents {
        var elements = Queue<Element>()
        var arrival: Signal?
        var isFinished = false
    }

    private enum Taking {
        case element(Element)
        case finished
        case wait(Signal)
    }

    private let contents = Lock(Contents())

    /// Appends an element.
    func append(_ element: Element) {
        let arrival: Signal? = contents.withLock { contents in
            guard !contents.isFinished else { return nil }
            contents.elements.append(element)
            defer { contents.arrival = nil }
            return contents.arrival
        }
        arrival?.fire()
    }

    func finish() {
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
            let taking: Taking = contents.withLock { contents in
                if let element = contents.elements.popFirst() { return .element(element) }
                if contents.isFinished { return .finished }
                let arrival = contents.arrival ?? Signal()
                contents.arrival = arrival
                return .wait(arrival)
            }
            switch taking {
            case .element(let element):
                return element
            case .finished:
                return nil
            case .wait(let arrival):
                guard await arrival.waitUnlessCancelled() else { return nil }
            }
        }
        return nil
    }
}
