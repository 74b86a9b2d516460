/// The actions that a watcher listens to, kept from the registration of its module until a stream claims them.
///
/// Each type has a stream of its own, which is subscribed like any other. A stream of several types gets what nobody
/// has claimed before it, in the order of the store.
///
/// - Isolation: The core's.
final class WatcherInbox {
    /// The streams that nobody has claimed, by the types of their actions.
    private var streams: [ObjectIdentifier: any AnyStreamBuffer] = [:]

    init(listeningTo types: [any Relux.Action.Type], as origin: Origin, in core: isolated Core) {
        for type in types where streams[ObjectIdentifier(type)] == nil {
            func listen<A: Relux.Action>(to type: A.Type) {
                let buffer = StreamBuffer<A>()
                streams[ObjectIdentifier(type)] = buffer
                core.subscribe(buffer, to: [type], as: origin)
            }
            listen(to: type)
        }
    }

    /// The stream that keeps the actions of a type; nil if there is none, or another stream has claimed it.
    func stream<A: Relux.Action>(of type: A.Type) -> StreamBuffer<A>? {
        streams[ObjectIdentifier(type)] as? StreamBuffer<A>
    }

    /// Moves everything of some types that nobody has claimed into a stream.
    func claim(_ types: [any Relux.Action.Type], for buffer: any AnyStreamBuffer, in core: isolated Core) {
        let claimed = types.compactMap { streams.removeValue(forKey: ObjectIdentifier($0)) }
        for stream in claimed { core.unsubscribe(stream) }
        let kept = claimed.flatMap { $0.removeActions() }.sorted { $0.number < $1.number }
        for (number, action) in kept { buffer.deliver(action, number: number) }
        for stream in claimed { stream.finish() }
    }

    /// Ends the streams that nobody has claimed.
    func discard(in core: isolated Core) {
        for stream in streams.values { core.finish(stream) }
    }
}
