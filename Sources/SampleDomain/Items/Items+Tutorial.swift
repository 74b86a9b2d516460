import Foundation
public import Relux

extension Items {
    /// A few items that explain the program, for somebody who has just come.
    ///
    /// They are given once: by themselves where somebody looks at a new list with nothing on it, and never again after
    /// that, whatever becomes of them. That is remembered beside the list, for all programs that share it; of two that
    /// begin at once only one gives them. A list with a history is not new. Programs for which nobody looks at the
    /// list, as scripts don't, have no use for ``offer``.
    ///
    /// To perform one returns the items that have been added, and throws an ``ItemsError`` where the list can't be read
    /// or saved, or a `ProfileServiceError` where what is remembered can't; the list is as it was then, or has the
    /// items. Those that were asked for, by ``give``, are a step to undo; those that come by themselves are none.
    public enum Tutorial: Relux.Effect {
        /// The items that were added.
        public typealias Output = [Addition]

        /// Somebody looks at the list: gives the items where they are due.
        case offer

        /// Gives the items now, as far as they aren't on the list, whatever is remembered.
        case give

        /// Lets the next ``offer`` give the items, whatever is on the list then.
        case reset

        /// The items. Their ids are always the same, so that nothing can put them on a list twice.
        public static let items: [Addition] = zip(ids, titles).map { Addition(id: $0, title: $1) }

        private static let titles = [
            "Welcome! These items explain the program; delete them when you have read them",
            "Add items of your own: items add TITLE, or the key a in the terminal interface",
            "Complete what is done: items done ID, or the space bar",
            "Take back a change, whatever it was: items undo, or the key u",
        ]

        private static let ids = ([0x1F, 0x5C, 0x9A, 0xE3] as [UInt8]).map { first in
            UUID(uuid: (first, 0x57, 0xA1, 0xD0, 0x0F, 0x0D, 0x4D, 0x5E, 0x9B, 0x1D, 0, 0, 0, 0, 0, 1))
        }
    }
}
