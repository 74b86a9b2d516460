import Foundation
import Relux
import Testing

@Suite("Loadable")
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

    @Test("the last value is available in every phase that has one")
    func value() {
        #expect(Self.phases.map(\.value) == [nil, nil, 1, 1, nil, 1])
        #expect(Self.phases.map(\.failure) == [nil, nil, nil, nil, .offline, .offline])
    }

    @Test("a loadable is in exactly one phase")
    func phase() {
        #expect(Self.phases.map(\.isIdle) == [true, false, false, false, false, false])
        #expect(Self.phases.map(\.isLoading) == [false, true, true, false, false, false])
        #expect(Self.phases.map(\.isLoaded) == [false, false, false, true, false, false])
    }

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

    @Test("loading again keeps the value and discards the failure")
    func startLoading() {
        let started = Self.phases.map { changed($0) { $0.startLoading() } }

        let expected: [Number] = [nil, nil, 1, 1, nil, 1].map { .loading(previous: $0) }
        #expect(started == expected)
    }

    @Test("failing keeps the value")
    func fail() {
        let failed = Self.phases.map { changed($0) { $0.fail(with: .forbidden) } }

        let expected: [Number] = [nil, nil, 1, 1, nil, 1].map { .failed(.forbidden, previous: $0) }
        #expect(failed == expected)
    }

    @Test("finishing sets the new value, or a failure that keeps the old one")
    func finish() {
        let finished = Self.phases.map { changed($0) { $0.finish(with: .success(2)) } }
        let failed = Self.phases.map { changed($0) { $0.finish(with: .failure(.forbidden)) } }

        #expect(finished == Self.phases.map { _ in .loaded(2) })
        #expect(failed == Self.phases.map { .failed(.forbidden, previous: $0.value) })
    }

    @Test("cancelling restores the previous value and changes no other phase")
    func cancelLoading() {
        let cancelled = Self.phases.map { changed($0) { $0.cancelLoading() } }

        #expect(
            cancelled == [
                .idle, .idle, .loaded(1), .loaded(1), .failed(.offline, previous: nil), .failed(.offline, previous: 1),
            ])
    }

    @Test("an update changes the value and keeps the phase")
    func update() {
        let updated = Self.phases.map { changed($0) { $0.update { $0 += 10 } } }

        #expect(
            updated == [
                .idle, .loading(previous: nil), .loading(previous: 11), .loaded(11),
                .failed(.offline, previous: nil), .failed(.offline, previous: 11),
            ])
    }

    @Test("an update returns its body's result, or nil without a value")
    func updateResult() {
        let returned = Self.phases.map { phase in
            var phase = phase
            return phase.update { $0 + 1 }
        }

        #expect(returned == [nil, nil, 2, 2, nil, 2])
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
        let counter = CopyProbe.Counter()
        let phases: [(CopyProbe) -> Relux.Loadable<CopyProbe, Refusal>] = [
            { .loaded($0) }, { .loading(previous: $0) }, { .failed(.offline, previous: $0) },
        ]

        for phase in phases {
            var loadable = phase(CopyProbe(1, counter: counter))
            loadable.update { $0.increment() }
            #expect(loadable.value?.number == 2)
        }

        #expect(counter.copies == 0)
    }

    @Test("mapping transforms the value in every phase and keeps the phase")
    func map() {
        let mapped = Self.phases.map { $0.map { "\($0)" } }

        #expect(
            mapped == [
                .idle, .loading(previous: nil), .loading(previous: "1"), .loaded("1"),
                .failed(.offline, previous: nil), .failed(.offline, previous: "1"),
            ])
    }

    @Test("mapping the failure keeps the value")
    func mapFailure() {
        let mapped = Self.phases.map { $0.mapFailure { _ in Refusal.forbidden } }

        #expect(mapped.map(\.value) == Self.phases.map(\.value))
        #expect(mapped.map(\.failure) == [nil, nil, nil, nil, .forbidden, .forbidden])
        #expect(mapped.map(\.isLoading) == Self.phases.map(\.isLoading))
    }

    @Test("a decoded loadable equals the encoded one", arguments: phases)
    func codable(phase: Number) throws {
        let data = try JSONEncoder().encode(phase)

        #expect(try JSONDecoder().decode(Number.self, from: data) == phase)
    }

    @Test(
        "a loadable is encoded as the compiler would encode it",
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

        #expect(String(decoding: try encoder.encode(phase), as: UTF8.self) == text)
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

    private func changed(_ loadable: Number, by change: (inout Number) -> Void) -> Number {
        var loadable = loadable
        change(&loadable)
        return loadable
    }
}
