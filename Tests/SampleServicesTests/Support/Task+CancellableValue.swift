extension Task where Failure == Never {
    /// The value of the task, which is cancelled with whoever awaits it: at the time limit of a test, for example.
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
    /// The value of the task, which is cancelled with whoever awaits it: at the time limit of a test, for example.
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
