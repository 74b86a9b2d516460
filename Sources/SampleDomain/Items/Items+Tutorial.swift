import Foundation
public import Relux

extension Items {
    /// A few items that explain the program to new users.
    ///
    /// They are given once: automatically when a user looks at a new, empty list, and never again, whatever happens to
    /// them. This is stored next to the list, for all programs that share it. If two programs start at the same time,
    /// only one of them gives the tutorial. A list with a history isn't new. Programs without a user who looks at the
    /// list, such as scripts, must not perform ``offer``.
    ///
    /// Performing it returns the items that were added. It throws an ``ItemsError`` if the list can't be read or saved,
    /// or a `ProfileServiceError` if the memory can't. In these cases the list is either unchanged or contains the
    /// items. Items requested by ``give`` form a step that can be undone. Items given automatically don't.
    public enum Tutorial: Relux.Effect {
        /// The items that were added.
        public typealias Output = [Addition]

        /// Gives the items if they are due. Performed when a user looks at the list.
        case offer

        /// Gives the items now, except for those that are already on the list, whatever is remembered.
        case give

        /// Makes the next ``offer`` give the items, whatever is on the list then.
        case reset

        /// The items. Their ids are fixed, so that they can't be added to a list twice.
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
