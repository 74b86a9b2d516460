import Foundation
import Relux
import ReluxDiagnostics
import ReluxTesting
import Testing

@Suite("Why a value changed", .timeLimit(.minutes(10)))
struct WhyTests {
    private func renamed() async throws -> Relux.TraceRecorder {
        let clock = ManualClock()
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: clock, observers: [recorder])) { Shop.Module() }
        try await store.perform(Shop.Effect.load, fileID: "App/Main.swift", line: 1)
        await clock.advance(by: .seconds(2))
        try await store.perform(Shop.Effect.rename(2, "Green tea"), fileID: "App/Main.swift", line: 2)
        await store.dispatch(Shop.State.Action.renamed(id: 1, title: "Oat milk"), fileID: "App/Main.swift", line: 3)
        return recorder
    }

    @Test("the answer names the action, the run, and the first call")
    func text() async throws {
        let recorder = try await renamed()

        #expect(
            recorder.trace.why("Shop.State.list[2].title").description == """
                Shop.State.list[2].title changed from "Tea" to "Green tea"
                  by #5 Shop.State.Action.renamed(id: 2, title: "Green tea")
                      at 2 s, Shop/Saga.swift:3
                  in Shop.Saga #2, from 2 s until 2 s, finished
                  for #3 Shop.Effect.rename(2, "Green tea")
                      at 2 s, App/Main.swift:2
                  which began at App/Main.swift:2
                """
        )
    }

    @Test("of a value that is too long to be shown, the parts that have changed are shown", arguments: [false, true])
    func parts(isText: Bool) async throws {
        struct Shelf: Relux.State {
            struct Book: Identifiable, Equatable {
                let id: Int
                var title: String
            }
            enum Action: Relux.Action { case tidied }

            var books = (1...20).map { Book(id: $0, title: "The title of book \($0)") }

            mutating func reduce(_ action: Action) {
                books.removeAll { $0.id == 3 || $0.id == 5 }
                books[0].title = "Another title"
                books.append(Book(id: 21, title: "New"))
            }
        }
        struct Module: Relux.Module {
            var states: [any Relux.State] { [Shelf()] }
        }
        let clock = ManualClock()
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: clock, observers: [recorder])) { Module() }
        await store.dispatch(Shelf.Action.tidied, fileID: "App/Main.swift", line: 1)

        let why = isText ? recorder.trace.why("WhyTests.Shelf.books") : recorder.why(Shelf.self, \.books)

        #expect(
            why.description == """
                WhyTests.Shelf.books changed:
                    [3] is gone: WhyTests.Shelf.Book(id: 3, title: "The title of book 3")
                    [5] is gone: WhyTests.Shelf.Book(id: 5, title: "The title of book 5")
                    [1].title from "The title of book 1" to "Another title"
                    [21] is new: WhyTests.Shelf.Book(id: 21, title: "New")
                  by #1 WhyTests.Shelf.Action.tidied
                      at 0 s, App/Main.swift:1
                  which began at App/Main.swift:1
                """
        )
        #expect(why.old?.contains("The title of book 20") == true)
    }

    @Test("a state of the library is found with or without its namespace")
    func namespace() async throws {
        struct Module: Relux.Module {
            var states: [any Relux.State] { [Relux.Navigation.Stack<Int>()] }
        }
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { Module() }
        await store.dispatch(Relux.Navigation.Stack<Int>.Action.push(1))

        for name in ["Navigation.Stack<Int>", "Relux.Navigation.Stack<Int>"] {
            #expect(recorder.trace.why("\(name).path").action?.sequence == 1)
        }
    }

    @Test("a key path and a text lead to the same answer, as a value too")
    func keyPath() async throws {
        let recorder = try await renamed()

        let why = recorder.why(Shop.State.self, \.[2]?.title)

        #expect(why.action?.sequence == 5)
        #expect(why.subject == "Shop.State.(Optional<Product>)?.title?")
        #expect(why.old == "\"Tea\"")
        #expect(why.new == "\"Green tea\"")
        #expect(why.origin == "App/Main.swift:2")
        #expect(why.causes.count == 3)
        #expect(recorder.trace.why("Shop.State.list[2]?.title").action?.sequence == 5)
        #expect(recorder.trace.why("Shop.State.list").action?.sequence == 6)
        #expect(recorder.trace.why("Shop.State.isLoading").action?.sequence == 2)
    }

    @Test("a path that leads nowhere in states before the change is not followed there")
    func pathsOfElements() async throws {
        let recorder = try await renamed()

        // The list has been empty in the beginning, where an index would trap.
        #expect(recorder.why(Shop.State.self, \.list[1].title).action?.sequence == 5)
    }

    @Test("a text finds changes of what isn't shown: of secrets, and beyond the elements that a text lists")
    func hiddenChanges() async throws {
        struct Shelf: Relux.State {
            struct Book: Identifiable, Equatable {
                let id: Int
                var title = "Old"
            }
            struct Lock: Equatable { var code = Relux.Redacted("1") }
            enum Action: Relux.Action { case renamed(Int), locked, nothing, added(Int) }

            var books = (1...2_000).map { Book(id: $0) }
            var lock = Lock()

            mutating func reduce(_ action: Action) {
                switch action {
                case .renamed(let id): books[id - 1].title = "New"
                case .added(let id): books.append(Book(id: id))
                case .locked: lock.code = Relux.Redacted("2")
                case .nothing: break
                }
            }
        }
        struct Module: Relux.Module { var states: [any Relux.State] { [Shelf()] } }
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Module() }
        await store.dispatch(Shelf.Action.renamed(1_500))
        await store.dispatch(Shelf.Action.locked)
        await store.dispatch(Shelf.Action.nothing)
        await store.dispatch(Shelf.Action.added(2_001))

        for trace in [recorder.trace, try Relux.Trace(jsonLines: recorder.trace.jsonLines, types: [Shelf.self])] {
            func why(_ path: String) -> Relux.Trace.Why { trace.why("WhyTests.Shelf\(path)") }
            for path in [".books[1500].title", ".books[1500]"] { #expect(why(path).action?.sequence == 1) }
            for path in [".lock.code", ".lock"] { #expect(why(path).action?.sequence == 2) }
            for path in [".books", ""] { #expect(why(path).action?.sequence == 4) }
            #expect(why(".books[1500].title").new == "\"New\"")
            #expect(why(".books[1500].title").old == "…")
            #expect(why(".books[7].title").remark == "nothing in this trace has changed it; it is \"Old\"")
            #expect(why(".books[1501]").remark?.hasPrefix("nothing in this trace has changed it") == true)
        }
    }

    @Test("a change is found although the texts are equal, but a NaN that stays is none", arguments: [false, true])
    func equalTexts(isRead: Bool) async throws {
        struct Clocked: Relux.State {
            struct Tagged: Equatable, CustomReflectable {
                var name = "tag"
                var hidden = 0
                var customMirror: Mirror { Mirror(self, children: ["name": name], displayStyle: .struct) }
            }
            enum Action: Relux.Action { case ticked }

            var at = Date(timeIntervalSinceReferenceDate: 0)
            var data = Data([1])
            var indices = IndexSet(integer: 1)
            var marks = [Date(timeIntervalSinceReferenceDate: 0): 1]
            var tag = Tagged()
            var ratio = Double.nan
            var place = CGPoint(x: Double.nan, y: 0)
            var ratios = [Double.nan]

            mutating func reduce(_ action: Action) {
                at += 0.25
                data = Data([2])
                indices = IndexSet(integer: 2)
                marks = [at: 1]
                tag.hidden = 1
                ratio = .nan
            }
        }
        struct Module: Relux.Module { var states: [any Relux.State] { [Clocked()] } }
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { Module() }
        await store.dispatch(Clocked.Action.ticked)

        let trace = isRead ? try Relux.Trace(jsonLines: recorder.trace.jsonLines) : recorder.trace

        for name in ["at", "data", "indices", "marks", "tag"] {
            #expect(trace.why("WhyTests.Clocked.\(name)").action?.sequence == 1, "\(name)")
        }
        for name in ["ratio", "place", "ratios"] {
            #expect(trace.why("WhyTests.Clocked.\(name)").action == nil, "\(name)")
        }
    }

    @Test("a question mark in a key is a part of the path, and one that unwraps is none")
    func questionMarks() async throws {
        struct Scale: Relux.State {
            struct Item: Equatable { var grams: Int? = 1 }
            enum Action: Relux.Action { case weighed(String) }

            var weights = ["ok": Item(), "ok?": Item(), "a]?\"": Item()]

            mutating func reduce(_ action: Action) {
                switch action {
                case .weighed(let key): weights[key]?.grams? += 1
                }
            }
        }
        struct Module: Relux.Module { var states: [any Relux.State] { [Scale()] } }
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(observers: [recorder])) { Module() }
        for key in ["ok?", "a]?\"", "ok"] { await store.dispatch(Scale.Action.weighed(key)) }

        let trace = recorder.trace

        for (number, key) in ["ok?", "a]?\"", "ok"].enumerated() {
            for path in ["weights[\(key.debugDescription)]", "weights?[\(key.debugDescription)]?.grams?"] {
                #expect(trace.why("WhyTests.Scale.\(path)").action?.sequence == UInt64(number + 1), "\(path)")
            }
        }
    }

    @Test("an unchanged value, and an unknown one, say so, after the end of the store, too", arguments: [false, true])
    func unchanged(isOver: Bool) async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder])) { Shop.Module() }
        try await store.perform(Shop.Effect.load)
        if isOver { await store.shutdown() }
        let trace = recorder.trace

        #expect(
            trace.why(Shop.State.self, \.note).description
                == "Shop.State.note: nothing in this trace has changed it; it is nil")
        #expect(trace.why("Shop.Stat.note").action == nil)
        #expect(
            trace.why("Shop.Stat.note").remark
                == "this trace has no values of such a state. It has those of Shop.State.")
        #expect(
            trace.why("Shop.State.name").remark == "there is no such value; Shop.State has list, isLoading, note.")
        #expect(
            trace.why("Shop.State.list[9].title").remark == "there is no such value; Shop.State.list has [1], [2].")
    }

    @Test("an action that a rule added has a change of its own, after the action that it follows")
    func rules() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let flight = Relux.FlightRecorder()
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder, flight])) { Ruled() }

        await store.dispatch(Shop.State.Action.noted("sold out"), fileID: "App/Main.swift", line: 5)
        await store.dispatch(Shop.State.Action.removed(7), fileID: "App/Main.swift", line: 6)

        let trace = recorder.trace
        #expect(
            trace.why(Shop.State.self, \.isLoading).description == """
                Shop.State.isLoading: nothing in this trace has changed it; it is false
                """
        )
        #expect(
            trace.why("Shop.State.note").description == """
                Shop.State.note changed from "sold out" to nil
                  by #2 Shop.State.Action.noted(nil)
                      at 0 s, App/Main.swift:5
                  after #1 Shop.State.Action.noted("sold out")
                      at 0 s, App/Main.swift:5
                  which began at App/Main.swift:5
                """
        )
        #expect(flight.lines()[1].hasSuffix("#2 Shop.State.Action.noted (App/Main.swift:5) after #1"))
        #expect(Relux.TimeMachine(trace).verify().checked == 3)
    }

    @Test("an action that a rule added to one of a run comes after that one, which comes from the run")
    func rulesOfRuns() async throws {
        let recorder = Relux.TraceRecorder(states: .changed)
        let flight = Relux.FlightRecorder()
        let store = try await Relux.Store(.init(clock: ManualClock(), observers: [recorder, flight])) { Ruled() }
        try await store.perform(Shop.Effect.rename(1, "Oat"), fileID: "App/Main.swift", line: 5)

        let why = recorder.trace.why("Shop.State.note")
        let perfetto = recorder.trace.perfetto()

        let words = why.description.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("    ") }
        #expect(
            words.map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
                "by #5", "after #4", "after #3", "in Shop.Saga", "for #1", "which began",
            ])
        #expect(flight.lines().contains { $0.contains("#4 Shop.State.Action.noted") && $0.hasSuffix(" after #3") })
        #expect(recorder.trace.description.contains(" after #3"))
        #expect(perfetto.contains("dispatches #3") && !perfetto.contains("dispatches #4"))
    }
}

/// A shop in which a new title is noted, and a note is taken back at once.
private struct Ruled: Relux.Module {
    var dependencies: [any Relux.Module] { [Shop.Module()] }
    var rules: [Relux.Rule] {
        [
            Relux.Rule(on: Shop.State.Action.self) { action, _ in
                switch action {
                case .renamed(_, let title): [Shop.State.Action.noted(title)]
                case .noted(.some): [Shop.State.Action.noted(nil)]
                default: []
                }
            }
        ]
    }
}
