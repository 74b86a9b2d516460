import Synchronization

/// A fixed-size segment of a ``Mailbox``, whose slots are handed out in order.
///
/// - Isolation: The poster that claimed a slot fills it once, from any thread. A segment belongs to the thread that
///   allocated or removed it as long as it is not part of the mailbox. In between, only the reader uses the chain and
///   takes mail out.
/// - Lifetime: The value is an unowned reference. Removing a segment from the chain obliges the caller to free or keep
///   it for reuse. No slot may still be claimed and unfilled at that point.
struct MailboxSegment: Equatable {
    typealias Mail = Mailbox.Mail

    /// Below ``alignment``, and no more than `taken` has bits.
    static let capacity = 32

    fileprivate struct Header {
        /// The previous segment, unless all of its mail was taken.
        var previous: MailboxSegment?
        /// The next segment, as found by ``MailboxSegment/oldest()``.
        var next: MailboxSegment?
        /// A bit for each slot whose mail was taken.
        var taken: UInt32 = 0
    }

    /// The place of one mail.
    struct Slot: Equatable {
        /// Whether the mail that follows this flag in memory is initialised.
        fileprivate let isFilled: UnsafeMutablePointer<Atomic<Bool>>

        fileprivate static let stride = MemoryLayout<Mail>.alignment + MemoryLayout<Mail>.stride

        fileprivate var mail: UnsafeMutablePointer<Mail> {
            // unsafe: the initialiser of the segment bound this memory to `Mail`.
            (UnsafeMutableRawPointer(isFilled) + MemoryLayout<Mail>.alignment).assumingMemoryBound(to: Mail.self)
        }

        /// Stores the mail and publishes it to the reader.
        func fill(_ mail: consuming Mail) {
            self.mail.initialize(to: mail)
            isFilled.pointee.store(true, ordering: .sequentiallyConsistent)
        }

        /// Takes the mail, if it has been stored.
        fileprivate func take() -> Mail? {
            guard isFilled.pointee.load(ordering: .sequentiallyConsistent) else { return nil }
            isFilled.pointee.store(false, ordering: .relaxed)
            return mail.move()
        }
    }

    /// The slots follow it in memory.
    private let header: UnsafeMutablePointer<Header>

    private static let firstSlot = (MemoryLayout<Header>.size + Slot.stride - 1) / Slot.stride * Slot.stride

    /// Allocates an empty segment.
    init() {
        // unsafe: one allocation for the header and all slots, freed by `deallocate`. Each part is bound and
        // initialised here, except for the mail, which `fill` initialises and `take` moves out.
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: Self.firstSlot + Self.capacity * Slot.stride, alignment: Self.alignment
        )
        header = bytes.initializeMemory(as: Header.self, to: Header())
        for index in 0..<Self.capacity {
            let slot = bytes + Self.firstSlot + index * Slot.stride
            slot.bindMemory(to: Atomic<Bool>.self, capacity: 1).initialize(to: Atomic(false))
            (slot + MemoryLayout<Mail>.alignment).bindMemory(to: Mail.self, capacity: 1)
        }
    }

    /// Frees the segment, which must not hold any mail.
    func deallocate() {
        for index in 0..<Self.capacity { slot(index).isFilled.deinitialize(count: 1) }
        header.deinitialize(count: 1)
        UnsafeMutableRawPointer(header).deallocate()
    }

    func slot(_ index: Int) -> Slot {
        // unsafe: the initialiser bound this memory to the flag.
        let bytes = UnsafeMutableRawPointer(header) + Self.firstSlot + index * Slot.stride
        return Slot(isFilled: bytes.assumingMemoryBound(to: Atomic<Bool>.self))
    }

    // MARK: The segment and a count in one word

    /// More than the capacity: the low bits of an address are 0, and hold the count.
    private static let alignment = 64

    private static let countMask = UInt(alignment - 1)

    /// The segment of a word; nil for 0.
    init?(word: UInt) {
        guard let header = UnsafeMutablePointer<Header>(bitPattern: word & ~Self.countMask) else { return nil }
        self.header = header
    }

    static func count(word: UInt) -> Int { Int(word & countMask) }

    func word(count: Int) -> UInt { UInt(bitPattern: header) | UInt(count) }

    // MARK: The chain

    /// Links the segment behind another one; nil makes it the first.
    func follow(_ segment: MailboxSegment?) { header.pointee.previous = segment }

    var isOldest: Bool { header.pointee.previous == nil }

    var next: MailboxSegment? { header.pointee.next }

    /// The first segment of the chain that ends with this one. It also sets the `next` links on the way.
    func oldest() -> MailboxSegment {
        var segment = self
        while let previous = segment.header.pointee.previous {
            previous.header.pointee.next = segment
            segment = previous
        }
        return segment
    }

    /// Removes the segment from the chain. It must not be the last one.
    func unlink() {
        header.pointee.previous?.header.pointee.next = header.pointee.next
        header.pointee.next?.header.pointee.previous = header.pointee.previous
        header.pointee = Header()
    }

    // MARK: The mail

    /// Takes the mail out of the first slots, in order, and skips slots that are not filled yet.
    func takeFilled(of count: Int, _ deliver: (Mail) -> Void) {
        for index in 0..<count where header.pointee.taken & 1 << UInt32(index) == 0 {
            guard let mail = slot(index).take() else { continue }
            header.pointee.taken |= 1 << UInt32(index)
            deliver(mail)
        }
    }

    /// Whether the mail of the first slots was taken.
    func isTaken(_ count: Int) -> Bool { header.pointee.taken.nonzeroBitCount == count }

    /// Makes all slots available again.
    func reopen() { header.pointee.taken = 0 }
}
