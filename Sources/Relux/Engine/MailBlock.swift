import Synchronization

/// A piece of a ``Mailbox``: a fixed number of places, which are given away in turn.
///
/// - Isolation: Whoever was given a place fills it, once, from anywhere. Until a block is added to the mailbox, and
///   after it was taken out, it belongs to whoever did so. In between, the chain and the taking of mails are for
///   whoever empties the mailbox.
/// - Lifetime: It is a reference that owns nothing: whoever takes a block out of the chain frees or keeps it. No place
///   of it may be in anybody's hands then.
struct MailBlock: Equatable {
    typealias Mail = Mailbox.Mail

    /// Below ``alignment``, and no more than `taken` has bits.
    static let capacity = 32

    fileprivate struct Header {
        /// The block before this one, unless all of its mails were taken.
        var previous: MailBlock?
        /// The block behind this one, as ``MailBlock/oldest()`` found it.
        var next: MailBlock?
        /// A bit for each place whose mail was taken.
        var taken: UInt32 = 0
    }

    /// Where a mail belongs.
    struct Place: Equatable {
        /// Whether the mail that belongs behind it lies there.
        fileprivate let isFilled: UnsafeMutablePointer<Atomic<Bool>>

        fileprivate static let stride = MemoryLayout<Mail>.alignment + MemoryLayout<Mail>.stride

        fileprivate var mail: UnsafeMutablePointer<Mail> {
            (UnsafeMutableRawPointer(isFilled) + MemoryLayout<Mail>.alignment).assumingMemoryBound(to: Mail.self)
        }

        /// Puts the mail in, for whoever empties the mailbox to see.
        func fill(_ mail: consuming Mail) {
            self.mail.initialize(to: mail)
            isFilled.pointee.store(true, ordering: .sequentiallyConsistent)
        }

        /// Takes the mail out, if it lies there already.
        fileprivate func take() -> Mail? {
            guard isFilled.pointee.load(ordering: .sequentiallyConsistent) else { return nil }
            isFilled.pointee.store(false, ordering: .relaxed)
            return mail.move()
        }
    }

    /// The places lie behind it.
    private let header: UnsafeMutablePointer<Header>

    private static let firstPlace = (MemoryLayout<Header>.size + Place.stride - 1) / Place.stride * Place.stride

    /// Allocates an empty one.
    init() {
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: Self.firstPlace + Self.capacity * Place.stride, alignment: Self.alignment
        )
        header = bytes.initializeMemory(as: Header.self, to: Header())
        for index in 0..<Self.capacity {
            let place = bytes + Self.firstPlace + index * Place.stride
            place.bindMemory(to: Atomic<Bool>.self, capacity: 1).initialize(to: Atomic(false))
            (place + MemoryLayout<Mail>.alignment).bindMemory(to: Mail.self, capacity: 1)
        }
    }

    /// Frees it. No mail may lie in it.
    func deallocate() {
        for index in 0..<Self.capacity { place(index).isFilled.deinitialize(count: 1) }
        header.deinitialize(count: 1)
        UnsafeMutableRawPointer(header).deallocate()
    }

    func place(_ index: Int) -> Place {
        let bytes = UnsafeMutableRawPointer(header) + Self.firstPlace + index * Place.stride
        return Place(isFilled: bytes.assumingMemoryBound(to: Atomic<Bool>.self))
    }

    // MARK: The block and a count in one word

    /// More than the capacity: so much of an address is 0, and holds the count.
    private static let alignment = 64

    private static let countMask = UInt(alignment - 1)

    /// The block of a word; nil for 0.
    init?(word: UInt) {
        guard let header = UnsafeMutablePointer<Header>(bitPattern: word & ~Self.countMask) else { return nil }
        self.header = header
    }

    static func count(word: UInt) -> Int { Int(word & countMask) }

    func word(count: Int) -> UInt { UInt(bitPattern: header) | UInt(count) }

    // MARK: The chain

    /// Puts it behind another one; nil where it is the first.
    func follow(_ block: MailBlock?) { header.pointee.previous = block }

    var isOldest: Bool { header.pointee.previous == nil }

    var next: MailBlock? { header.pointee.next }

    /// The first block of the chain that ends with this one. From there on each knows the next one.
    func oldest() -> MailBlock {
        var block = self
        while let previous = block.header.pointee.previous {
            previous.header.pointee.next = block
            block = previous
        }
        return block
    }

    /// Takes it out of the chain, in which it is not the last one.
    func leave() {
        header.pointee.previous?.header.pointee.next = header.pointee.next
        header.pointee.next?.header.pointee.previous = header.pointee.previous
        header.pointee = Header()
    }

    // MARK: The mails

    /// Takes out the mails that lie in the first places, in order.
    func takeFilled(of count: Int, _ deliver: (Mail) -> Void) {
        for index in 0..<count where header.pointee.taken & 1 << UInt32(index) == 0 {
            guard let mail = place(index).take() else { continue }
            header.pointee.taken |= 1 << UInt32(index)
            deliver(mail)
        }
    }

    /// Whether nothing lies in the first places, nor is going to.
    func isTaken(_ count: Int) -> Bool { header.pointee.taken.nonzeroBitCount == count }

    /// All places can be given away again.
    func reopen() { header.pointee.taken = 0 }
}
