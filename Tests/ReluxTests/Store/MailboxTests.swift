import Testing

@testable import Relux

@Suite("Mailbox")
struct MailboxTests {
    private func mail(_ number: Int) -> Mailbox.Mail {
        Mailbox.Mail(Ledger.Write(number: number), by: .outside, at: Relux.CallSite())
    }

    private func numbers(_ mails: [Mailbox.Mail]) -> [Int] {
        mails.compactMap { ($0.action as? Ledger.Write)?.number }
    }

    @Test("mails come out in the order in which they came in, once")
    func firstInFirstOut() {
        let mailbox = Mailbox()
        for number in 0..<5 { _ = mailbox.post(mail(number)) }

        let taken = mailbox.takeAll()
        let rest = mailbox.takeAll()

        #expect(numbers(taken) == [0, 1, 2, 3, 4])
        #expect(rest.isEmpty)
    }

    @Test("it is occupied from the first mail until it is emptied")
    func occupied() {
        let mailbox = Mailbox()

        let before = mailbox.isOccupied
        _ = mailbox.post(mail(0))
        let between = mailbox.isOccupied
        _ = mailbox.takeAll()
        let after = mailbox.isOccupied

        #expect([before, between, after] == [false, true, false])
    }

    @Test("one collection is asked for at a time, and a new one once that has begun")
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
}

extension Mailbox {
    fileprivate func takeAll(isCollection: Bool = false) -> [Mail] {
        var mails: [Mail] = []
        takeAll(isCollection: isCollection) { mails.append($0) }
        return mails
    }
}
