/// Waits until the task is cancelled.
func untilCancelled() async {
    let (stream, source) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    source.finish()
}
