import Testing

@testable import Relux

@Suite("Mailbox", .timeLimit(.minutes(10)))
struct MailboxTests {
    @Test("one collection is requested at a time, even if others take the mail before it")
    func requests() {
        let mailbox = Mailbox<Int>()

        let first = [mailbox.post(1), mailbox.post(2)]
        _ = mailbox.collect(isCollection: false)
        let afterAnother = mailbox.post(3)
        _ = mailbox.collect(isCollection: true)
        let afterTheCollection = mailbox.post(4)

        #expect(first == [true, false])
        #expect(!afterAnother)
        #expect(afterTheCollection)
    }

    @Test("nothing is lost while threads post and others collect, and each poster's mail stays in order")
    func threads() async {
        let mailbox = Mailbox<Ledger.Write>()
        let taken = Trace<[Ledger.Write]>()
        let posters = RelaxedCounter()
        let (count, each) = (3, 10_000)

        await onThreads(count + 1) { thread in
            guard thread < count else {
                while posters.count < count {
                    if mailbox.isOccupied { taken.note(mailbox.collect(isCollection: true)) }
                }
                return
            }
            for number in 0..<each { _ = mailbox.post(.init(writer: thread, number: number)) }
            posters.increment()
        }
        taken.note(mailbox.collect(isCollection: true))

        let all = taken.entries.flatMap { $0 }
        #expect(all.count == count * each)
        for poster in 0..<count {
            #expect(all.filter { $0.writer == poster }.map(\.number) == Array(0..<each))
        }
    }
}
