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

    /// Every phase, with a value and without.
    static let phases: [Number] = [
        .idle, .loading(previous: nil), .loading(previous: 1), .loaded(1),
        .failed(.offline, previous: nil), .failed(.offline, previous: 1),
    ]

    @Test("it shows the last value in every phase that has one")
    func value() {
        #expect(Self.phases.map(\.value) == [nil, nil, 1, 1, nil, 1])
        #expect(Self.phases.map(\.failure) == [nil, nil, nil, nil, .offline, .offline])
    }

    @Test("exactly one phase is true of it")
    func phase() {
        #expect(Self.phases.map(\.isIdle) == [true, false, false, false, false, false])
        #expect(Self.phases.map(\.isLoading) == [false, true, true, false, false, false])
        #expect(Self.phases.map(\.isLoaded) == [false, false, false, true, false, false])
    }

    @Test("loading again keeps the value and forgets the failure")
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

    @Test("an outcome is the new value, or the failure beside the old one")
    func finish() {
        let finished = Self.phases.map { changed($0) { $0.finish(with: .success(2)) } }
        let failed = Self.phases.map { changed($0) { $0.finish(with: .failure(.forbidden)) } }

        #expect(finished == Self.phases.map { _ in .loaded(2) })
        #expect(failed == Self.phases.map { .failed(.forbidden, previous: $0.value) })
    }

    @Test("giving up goes back to the value that was there, and disturbs no other phase")
    func cancelLoading() {
        let cancelled = Self.phases.map { changed($0) { $0.cancelLoading() } }

        #expect(
            cancelled == [
                .idle, .idle, .loaded(1), .loaded(1), .failed(.offline, previous: nil), .failed(.offline, previous: 1),
            ])
    }

    @Test("an update changes the value and stays in its phase")
    func update() {
        let updated = Self.phases.map { changed($0) { $0.update { $0 += 10 } } }

        #expect(
            updated == [
                .idle, .loading(previous: nil), .loading(previous: 11), .loaded(11),
                .failed(.offline, previous: nil), .failed(.offline, previous: 11),
            ])
    }

    @Test("an update hands on what its body returns, and nothing where there is no value")
    func updateResult() {
        let returned = Self.phases.map { phase in
            var phase = phase
            return phase.update { $0 + 1 }
        }

        #expect(returned == [nil, nil, 2, 2, nil, 2])
    }

    @Test("an update that throws keeps its phase and what was changed before", arguments: phases)
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

    @Test("an update copies nothing that only the loadable holds")
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

    @Test("mapping reaches the value in every phase, and leaves the phase alone")
    func map() {
        let mapped = Self.phases.map { $0.map { "\($0)" } }

        #expect(
            mapped == [
                .idle, .loading(previous: nil), .loading(previous: "1"), .loaded("1"),
                .failed(.offline, previous: nil), .failed(.offline, previous: "1"),
            ])
    }

    @Test("mapping the failure leaves the value alone")
    func mapFailure() {
        let mapped = Self.phases.map { $0.mapFailure { _ in Refusal.forbidden } }

        #expect(mapped.map(\.value) == Self.phases.map(\.value))
        #expect(mapped.map(\.failure) == [nil, nil, nil, nil, .forbidden, .forbidden])
        #expect(mapped.map(\.isLoading) == Self.phases.map(\.isLoading))
    }

    @Test("it is decoded as it was encoded", arguments: phases)
    func codable(phase: Number) throws {
        let data = try JSONEncoder().encode(phase)

        #expect(try JSONDecoder().decode(Number.self, from: data) == phase)
    }

    private func changed(_ loadable: Number, by change: (inout Number) -> Void) -> Number {
        var loadable = loadable
        change(&loadable)
        return loadable
    }
}
