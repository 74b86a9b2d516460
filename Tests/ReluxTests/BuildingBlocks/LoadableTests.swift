import Foundation
import Relux
import Testing

@Suite("Loadable", .timeLimit(.minutes(10)))
struct LoadableTests {
    typealias Number = Relux.Loadable<Int, Refusal>

    enum Refusal: Error, Hashable, Codable {
        case offline
        case forbidden
    }

    /// Every phase, with and without a value.
    static let phases: [Number] = [
        .idle, .loading(previous: nil), .loading(previous: 1), .loaded(1),
        .failed(.offline, previous: nil), .failed(.offline, previous: 1),
    ]

    @Test("loadables are equal only in the same phase, with the same value and the same failure")
    func equality() {
        let others: [Number] = [.loaded(2), .loading(previous: 2), .failed(.offline, previous: 2)]
        let different = Self.phases + others + [.failed(.forbidden, previous: nil), .failed(.forbidden, previous: 1)]

        for (position, one) in different.enumerated() {
            for (otherPosition, other) in different.enumerated() {
                #expect((one == other) == (position == otherPosition), "\(one) and \(other)")
            }
        }
        #expect(Relux.Loadable<Int?, Refusal>.loaded(nil) != .idle)
    }

    @Test("an update that throws keeps the phase and the changes made before the error", arguments: phases)
    func updateThrows(phase: Number) {
        var changing = phase

        let thrown: Refusal?
        do throws(Refusal) {
            try changing.update { (value: inout Int) throws(Refusal) in
                value += 1
                throw Refusal.forbidden
            }
            thrown = nil
        } catch {
            thrown = error
        }

        #expect(thrown == (phase.value == nil ? nil : .forbidden))
        #expect(changing == phase.map { $0 + 1 })
    }

    @Test("an update copies nothing that has no other owner")
    func updateInPlace() {
        let counter = RelaxedCounter()
        let phases: [(CopyProbe) -> Relux.Loadable<CopyProbe, Refusal>] = [
            { .loaded($0) }, { .loading(previous: $0) }, { .failed(.offline, previous: $0) },
        ]

        for phase in phases {
            var loadable = phase(CopyProbe(1, counter: counter))
            loadable.update { $0.increment() }
            #expect(loadable.value?.number == 2)
        }

        #expect(counter.count == 0)
    }

    @Test(
        "a loadable is encoded as the compiler would encode it, and decoded",
        arguments: zip(
            phases,
            [
                #"{"idle":{}}"#, #"{"loading":{}}"#, #"{"loading":{"previous":1}}"#, #"{"loaded":{"_0":1}}"#,
                #"{"failed":{"_0":{"offline":{}}}}"#, #"{"failed":{"_0":{"offline":{}},"previous":1}}"#,
            ]
        )
    )
    func format(phase: Number, text: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(phase)

        #expect(String(decoding: data, as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(Number.self, from: data) == phase)
    }

    @Test("a previous value that is nil is encoded and decoded, and a null where values aren't optional is none")
    func nullPrevious() throws {
        let phases: [Relux.Loadable<Int?, Refusal>] = [
            .loading(previous: .some(nil)), .loading(previous: nil), .loading(previous: 1),
            .failed(.offline, previous: .some(nil)), .loaded(nil),
        ]
        for phase in phases {
            let data = try JSONEncoder().encode(phase)
            #expect(try JSONDecoder().decode(Relux.Loadable<Int?, Refusal>.self, from: data) == phase)
        }
        let null = Data(#"{"loading":{"previous":null}}"#.utf8)
        #expect(try JSONDecoder().decode(Number.self, from: null) == .loading(previous: nil))
    }

    @Test(
        "what isn't exactly one phase is not decoded",
        arguments: [#"{}"#, #"{"idle":{},"loading":{}}"#, #"{"previous":{}}"#, #"{"loaded":{}}"#]
    )
    func corrupted(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Number.self, from: Data(text.utf8)) }
    }
}
