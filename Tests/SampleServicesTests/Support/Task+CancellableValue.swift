extension Task where Failure == Never {
    /// The value of the task, which is cancelled if the awaiting task is, for example at the time limit of a test.
    var cancellableValue: Success {
        get async {
            await withTaskCancellationHandler {
                await value
            } onCancel: {
                cancel()
            }
        }
    }
}

extension Task where Failure == any Error {
    /// The value of the task, which is cancelled if the awaiting task is, for example at the time limit of a test.
    var cancellableValue: Success {
        get async throws {
            try await withTaskCancellationHandler {
                try await value
            } onCancel: {
                cancel()
            }
        }
    }
}
