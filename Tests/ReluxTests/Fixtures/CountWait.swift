import Relux

/// A call that waits until the first counter is added to.
enum CountWait: CaseIterable, Sendable {
    case action, state, values, selectionOverReader

    /// Those that wait for the state or its actions alone.
    static let ofOneState: [CountWait] = [.action, .state, .values]

    func callAsFunction(in reader: some Relux.StateReading) async throws {
        switch self {
        case .action: _ = try await reader.first(of: Counter<TagA>.Add.self)
        case .state: try await reader.wait(until: Counter<TagA>.self) { $0.value > 0 }
        case .values:
            for await sum in reader.values(of: Counter<TagA>.self, \.value) where sum > 0 { return }
            throw CancellationError()
        case .selectionOverReader:
            for await sum in reader.values({ $0[Counter<TagA>.self]?.value ?? 0 }) where sum > 0 { return }
            throw CancellationError()
        }
    }
}
