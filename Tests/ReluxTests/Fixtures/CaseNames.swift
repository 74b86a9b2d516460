import Relux
import ReluxTesting

/// The name of an enum's case, without its values.
private func caseName(of value: Any) -> String { Mirror(reflecting: value).children.first?.label ?? "\(value)" }

extension Relux.StoreError {
    /// The name of its case, such as "stateNotOwned".
    var name: String { caseName(of: self) }

    /// The name of the error that the body throws.
    nonisolated(nonsending) static func name(
        from body: nonisolated(nonsending) () async throws -> some Any
    ) async -> String {
        do {
            _ = try await body()
            return "none"
        } catch {
            return (error as? Relux.StoreError)?.name ?? "\(error)"
        }
    }
}

extension Relux.Refusal {
    /// The name of its reason, such as "effectNotTaken".
    var name: String { caseName(of: reason) }
}

extension TraceObserver {
    /// The names of the reasons of all refusals.
    var reasons: [String] { refusals.entries.map(\.name) }
}

extension RecordingObserver {
    /// The names of the reasons of all refusals.
    var reasons: [String] { refusals.map(\.name) }
}
