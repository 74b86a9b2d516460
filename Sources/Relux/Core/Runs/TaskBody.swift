/// The body of a task, in the form in which tasks take it.
///
/// As the property of a generic type, the function is compiled in that form, and the generic methods pass it on as it
/// is. Otherwise, it would be wrapped in up to three other functions, each with a frame in the task.
struct TaskBody<Value: Sendable>: Sendable {
    private let function: @Sendable @isolated(any) () async throws -> Value

    init(_ function: @escaping @Sendable @isolated(any) () async throws -> Value) {
        self.function = function
    }

    /// Creates the task.
    ///
    /// - Parameters:
    ///   - isDetached: Whether it inherits neither the priority nor the task-local values of the current task.
    ///   - executor: The executor that it prefers. Without one, its calls of actors need no change of thread.
    func start(isDetached: Bool, on executor: (any TaskExecutor)?) {
        switch (executor, isDetached) {
        case (nil, false): Task(operation: function)
        case (nil, true): Task.detached(operation: function)
        case (let executor?, false): Task(executorPreference: executor, operation: function)
        case (let executor?, true): Task.detached(executorPreference: executor, operation: function)
        }
    }

    /// Creates the task and executes it on the caller's thread until it suspends, where that is possible.
    // inline(never): the options of a task have no fixed size, for which an asynchronous function would allocate
    // memory.
    @inline(never)
    func startInline() {
        if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            Task.immediate(operation: function)
        } else {
            Task(operation: function)
        }
    }
}
