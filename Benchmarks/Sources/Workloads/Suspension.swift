/// Waits for nothing but the cancellation of the task.
func untilCancelled() async {
    let (stream, source) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    source.finish()
}
