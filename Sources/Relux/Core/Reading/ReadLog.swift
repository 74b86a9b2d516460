/// What a selection has read, and the versions at that time.
final class ReadLog {
    struct Read: Sendable, Equatable {
        let subject: Subject
        /// Nil if there was nothing to read.
        let mark: StateMark?
    }

    enum Subject: Sendable, Equatable {
        case state(ObjectIdentifier)
        /// The states of one type in all instances of a module.
        case instances(of: ObjectIdentifier, state: ObjectIdentifier)
    }

    private(set) var reads: [Read] = []

    func note(_ subject: Subject, _ mark: @autoclosure () -> StateMark?) {
        guard !reads.contains(where: { $0.subject == subject }) else { return }
        reads.append(Read(subject: subject, mark: mark()))
    }
}
