/// The actions that a run listens to, kept until a stream claims them: those of a watcher from the registration of its
/// module on, those of a saga or flow since its trigger.
///
/// Each type has a stream of its own, which is subscribed like any other. A stream of several types gets what nobody
/// has claimed before it, in the order of the store.
///
/// - Isolation: The core's.
final class WatcherInbox {
    /// The streams that nobody has claimed, by the types of their actions.
    private var streams: [ObjectIdentifier: (type: any Relux.Action.Type, buffer: any AnyStreamBuffer)] = [:]

    init(listeningTo types: [any Relux.Action.Type]) {
        func stream<A: Relux.Action>(of type: A.Type) -> any AnyStreamBuffer { StreamBuffer<A>() }
        for type in types { streams[ObjectIdentifier(type)] = (type, stream(of: type)) }
    }

    var unclaimed: [(type: any Relux.Action.Type, buffer: any AnyStreamBuffer)] { Array(streams.values) }

    func stream<A: Relux.Action>(of type: A.Type) -> StreamBuffer<A>? {
        streams[ObjectIdentifier(type)]?.buffer as? StreamBuffer<A>
    }

    /// Moves everything of some types that nobody has claimed into a stream.
    ///
    /// - Returns: The streams that kept it, which are over.
    func claim(_ types: [any Relux.Action.Type], for buffer: any AnyStreamBuffer) -> [any AnyStreamBuffer] {
        let claimed = types.compactMap { streams.removeValue(forKey: ObjectIdentifier($0))?.buffer }
        let kept = claimed.flatMap { $0.removeActions() }.sorted { $0.number < $1.number }
        for (number, action) in kept { buffer.deliver(action, number: number) }
        for stream in claimed { stream.finish() }
        return claimed
    }
}
