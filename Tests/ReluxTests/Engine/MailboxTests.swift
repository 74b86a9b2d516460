import Testing

@testable import Relux

@Suite("Mailbox", .timeLimit(.minutes(10)))
struct MailboxTests {
    private func mail(_ number: Int, from sender: Int = 0) -> Mailbox.Mail {
        Mailbox.Mail(action: Ledger.Write(writer: sender, number: number), origin: .outside, site: Relux.CallSite())
    }

    private func numbers(_ mails: [Mailbox.Mail]) -> [Int] {
        mails.compactMap { ($0.action as? Ledger.Write)?.number }
    }

    @Test("mails are delivered once, in the order in which they were posted", arguments: [5, 32, 33, 1_000])
    func firstInFirstOut(count: Int) {
        let mailbox = Mailbox()
        for number in 0..<count { _ = mailbox.post(mail(number)) }

        let taken = mailbox.takeAll()
        let rest = mailbox.takeAll()

        #expect(numbers(taken) == Array(0..<count))
        #expect(rest.isEmpty)
    }

    @Test("it is occupied from the first mail until it is emptied", arguments: [1, 32, 33, 1_000])
    func occupied(count: Int) {
        let mailbox = Mailbox()

        let before = mailbox.isOccupied
        for number in 0..<count { _ = mailbox.post(mail(number)) }
        let between = mailbox.isOccupied
        _ = mailbox.takeAll()
        let after = mailbox.isOccupied

        #expect([before, between, after] == [false, true, false])
    }

    @Test("only one collection is requested at a time, and a new one once that has begun")
    func oneCollection() {
        let mailbox = Mailbox()

        let first = mailbox.post(mail(0))
        let second = mailbox.post(mail(1))
        _ = mailbox.takeAll()
        let afterAnotherTookThem = mailbox.post(mail(2))
        _ = mailbox.takeAll(isCollection: true)
        let afterTheCollection = mailbox.post(mail(3))

        #expect(first)
        #expect(!second)
        #expect(!afterAnotherTookThem)
        #expect(afterTheCollection)
    }

    @Test("a sender that is slow to fill its slot blocks no other mail, and its own mail is delivered afterwards")
    func slowSender() {
        let mailbox = Mailbox()
        let slot = mailbox.claim()
        for number in 1...3 { _ = mailbox.post(mail(number)) }

        let before = mailbox.takeAll(isCollection: true)
        let isOccupied = mailbox.isOccupied
        slot.fill(mail(0))
        let asksForCollection = mailbox.requestCollection()
        let after = mailbox.takeAll()

        #expect(numbers(before) == [1, 2, 3])
        #expect(isOccupied)
        #expect(asksForCollection)
        #expect(numbers(after) == [0])
        #expect(!mailbox.isOccupied)
    }

    @Test(
        "distant slots may be filled in any order",
        arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]
    )
    func distantSlots(order: [Int]) {
        let mailbox = Mailbox()
        let places = (0..<3).map { _ in
            let slot = mailbox.claim()
            for number in 100..<140 { _ = mailbox.post(mail(number)) }
            return slot
        }

        var taken = [numbers(mailbox.takeAll())]
        var isOccupied = [mailbox.isOccupied]
        for number in order {
            places[number].fill(mail(number))
            taken.append(numbers(mailbox.takeAll()))
            isOccupied.append(mailbox.isOccupied)
        }

        #expect(taken == [Array(repeating: Array(100..<140), count: 3).flatMap { $0 }] + order.map { [$0] })
        #expect(isOccupied == [true, true, true, false])
    }

    @Test("mails posted during a delivery are kept for the next one, which is requested")
    func postedMeanwhile() {
        let mailbox = Mailbox()
        _ = mailbox.post(mail(0))

        var asksForCollection: [Bool] = []
        mailbox.takeAll(isCollection: true) { _ in asksForCollection.append(mailbox.post(mail(1))) }
        let isOccupied = mailbox.isOccupied

        #expect(asksForCollection == [true])
        #expect(isOccupied)
        #expect(numbers(mailbox.takeAll()) == [1])
    }

    @Test("an emptied mailbox starts with its first slot again")
    func reuse() {
        let mailbox = Mailbox()
        let first = mailbox.claim()
        first.fill(mail(0))
        _ = mailbox.takeAll()

        let second = mailbox.claim()
        second.fill(mail(1))

        #expect(first == second)
        #expect(numbers(mailbox.takeAll()) == [1])
    }

    @Test("a slot that is claimed again holds nothing until it is filled")
    func claimedAgain() {
        let mailbox = Mailbox()
        _ = mailbox.post(mail(0))
        _ = mailbox.takeAll()

        let slot = mailbox.claim()
        let before = mailbox.takeAll()
        slot.fill(mail(1))

        #expect(before.isEmpty)
        #expect(numbers(mailbox.takeAll()) == [1])
    }

    @Test("the first segment is used again when another one is needed")
    func recycled() {
        let mailbox = Mailbox()
        let first = mailbox.claim()
        first.fill(mail(0))
        for number in 1...MailboxSegment.capacity { _ = mailbox.post(mail(number)) }
        _ = mailbox.takeAll()

        // These fill the second segment.
        for number in 0..<MailboxSegment.capacity { _ = mailbox.post(mail(number)) }
        let next = mailbox.claim()
        next.fill(mail(MailboxSegment.capacity))

        #expect(next == first)
        #expect(numbers(mailbox.takeAll()) == Array(0...MailboxSegment.capacity))
    }

    private final class Parcel: Sendable {}

    private struct Delivery: Relux.Action {
        let parcel: Parcel
    }

    @Test("undelivered mails are released with the mailbox, and delivered ones immediately", arguments: [1, 100])
    func released(count: Int) {
        var mailbox: Mailbox? = Mailbox()
        weak var taken: Parcel?
        weak var left: Parcel?
        func post() -> Parcel {
            let parcel = Parcel()
            for _ in 0..<count {
                _ = mailbox?.post(
                    Mailbox.Mail(action: Delivery(parcel: parcel), origin: .outside, site: Relux.CallSite())
                )
            }
            return parcel
        }

        taken = post()
        mailbox?.takeAll { _ in }
        let isTakenGone = taken == nil
        left = post()
        let isLeftThere = left != nil
        mailbox = nil

        #expect(isTakenGone)
        #expect(isLeftThere)
        #expect(left == nil)
    }

    /// Empties a mailbox only when it is asked to.
    private actor Collector {
        private(set) var received: [(sender: Int, number: Int)] = []

        func collect(_ mailbox: Mailbox) {
            mailbox.takeAll(isCollection: true) { mail in
                guard let write = mail.action as? Ledger.Write else { return }
                received.append((write.writer, write.number))
            }
        }
    }

    @Test("no mail is lost, duplicated, or overtaken by a later mail of its sender, however many tasks post")
    func crowd() async {
        let mailbox = Mailbox()
        let collector = Collector()
        let senders = 8
        let each = 20_000

        await withTaskGroup { group in
            for sender in 0..<senders {
                group.addTask {
                    for number in 0..<each where mailbox.post(mail(number, from: sender)) {
                        await collector.collect(mailbox)
                    }
                }
            }
        }

        let received = await collector.received
        #expect(received.count == senders * each)
        for sender in 0..<senders {
            #expect(received.filter { $0.sender == sender }.map(\.number) == Array(0..<each))
        }
        #expect(!mailbox.isOccupied)
    }

    private struct Letter: Relux.Action {
        /// On the heap, so that the reader depends on what the sender has written there.
        final class Text: Sendable {
            let sender: Int
            let number: Int

            init(_ number: Int, from sender: Int) { (self.sender, self.number) = (sender, number) }
        }

        let text: Text
    }

    @Test(
        "a reader that shares nothing else with the senders receives every mail, in the order of its sender",
        arguments: [false, true]
    )
    func threads(isSlow: Bool) async {
        let mailbox = Mailbox()
        let (senders, each) = (2, 10_000)
        let sent = RelaxedCounter()
        let received = Trace<[[Int]]>()

        await onThreads(senders + 1) { thread in
            guard thread == senders else {
                for number in 0..<each {
                    sent.increment()
                    let slot = mailbox.claim()
                    // Written after the claim, so that only filling the slot publishes it.
                    let letter = Letter(text: Letter.Text(number, from: thread))
                    slot.fill(Mailbox.Mail(action: letter, origin: .outside, site: Relux.CallSite()))
                }
                return
            }
            var numbers: [[Int]] = Array(repeating: [], count: senders)
            var next = 0
            while numbers.contains(where: { $0.count < each }) {
                // Mail for several segments has arrived.
                if isSlow { sent.reach(min(next + 4 * MailboxSegment.capacity, senders * each)) }
                next = sent.count
                mailbox.takeAll { mail in
                    guard let text = (mail.action as? Letter)?.text else { return }
                    numbers[text.sender].append(text.number)
                }
            }
            received.note(numbers)
        }

        #expect(received.entries == [Array(repeating: Array(0..<each), count: senders)])
        #expect(!mailbox.isOccupied)
    }
}

extension Mailbox {
    fileprivate func takeAll(isCollection: Bool = false) -> [Mail] {
        var mails: [Mail] = []
        takeAll(isCollection: isCollection) { mails.append($0) }
        return mails
    }
}
