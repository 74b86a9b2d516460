/// Middleware.
extension Core {
    enum Intercepted {
        case unchanged
        case replaced(any Relux.Action)
        case dropped
    }

    /// Shows an action to the middleware.
    func intercept(_ action: any Relux.Action, _ submission: borrowing Submission) -> Intercepted {
        var current = action
        var isReplaced = false
        for one in middleware {
            switch one.intercept(current, reader(at: .scope(submission.scope))) {
            case .proceed:
                continue
            case .drop(let reason):
                reporter.refused(.droppedByMiddleware(reason: reason), action: current, at: submission.site)
                return .dropped
            case .replace(let replacement):
                guard submission.output == nil || submission.output == outputType(of: replacement) else {
                    reporter.refused(.replacementWithoutOutput(replacement), action: current, at: submission.site)
                    return .dropped
                }
                current = replacement
                isReplaced = true
            }
        }
        return isReplaced ? .replaced(current) : .unchanged
    }

    private func outputType(of action: any Relux.Action) -> Any.Type? {
        func opened<E: Relux.Effect>(_ effect: E) -> Any.Type { E.Output.self }
        return (action as? any Relux.Effect).map { opened($0) }
    }
}
