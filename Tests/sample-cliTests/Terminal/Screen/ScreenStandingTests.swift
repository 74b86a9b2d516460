import Testing

@testable import sample_cli

/// The states of a terminal, without one.
@Suite struct ScreenStandingTests {
    private static let all: [ScreenStanding] = [.untouched, .entered, .leaving, .left, .ending, .over]

    /// SIGCONT used to enter the full screen while the program was still opening its data, with nothing to restore it.
    @Test func `it becomes a full screen again only if that was requested before`() {
        #expect(ScreenStanding.untouched.entering(again: true, inForeground: true) == .untouched)
        #expect(ScreenStanding.untouched.entering(again: false, inForeground: true) == .entered)
        #expect(ScreenStanding.left.entering(again: true, inForeground: true) == .entered)
    }

    @Test func `from the background it becomes a full screen when the program is brought to the foreground`() {
        let wanted = ScreenStanding.untouched.entering(again: false, inForeground: false)

        #expect(wanted == .left)
        #expect(wanted.entering(again: true, inForeground: false) == .left)
        #expect(wanted.entering(again: true, inForeground: true) == .entered)
    }

    @Test(arguments: [true, false]) func `it can't be entered during and after its restoration`(isAgain: Bool) {
        for standing: ScreenStanding in [.leaving, .ending, .over] {
            #expect(standing.entering(again: isAgain, inForeground: true) == standing)
        }
    }

    @Test func `every caller restores it until that is done`() {
        for isOver in [true, false] {
            let given = Self.all.filter { $0.leaving(forGood: isOver).isBeingLeft }
            #expect(given == [.entered, .leaving, .ending])
        }
    }

    @Test func `a permanent restoration is not overtaken by a temporary one`() {
        let leaving = ScreenStanding.entered.leaving(forGood: false)
        let ending = leaving.leaving(forGood: true)

        #expect(leaving.hasLeft(forGood: false) == .left)
        #expect(ending.leaving(forGood: false) == ending)
        #expect(ending.hasLeft(forGood: false) == ending)
        #expect(ending.hasLeft(forGood: true) == .over)
    }

    @Test func `if it was never entered, it is over immediately`() {
        #expect(ScreenStanding.untouched.leaving(forGood: true) == .over)
        #expect(ScreenStanding.left.leaving(forGood: true) == .over)
        #expect(ScreenStanding.untouched.leaving(forGood: false) == .untouched)
    }
}
