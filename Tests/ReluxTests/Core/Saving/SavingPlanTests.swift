import ReluxTesting
import Testing

@testable import Relux

@Suite("SavingPlan", .timeLimit(.minutes(10)))
struct SavingPlanTests {
    /// A change that is waited for.
    private func awaited(afterErasure: Bool = false) -> SavingPlan<Int> {
        var plan = SavingPlan<Int>()
        if afterErasure { plan.noteErasure(at: .zero) }
        plan.noteChange(by: .zero)
        #expect(plan.add(1) == true)
        return plan
    }

    @Test("an erasure comes before later changes, and what fails waits for another request")
    func erasure() {
        var plan = SavingPlan<Int>()
        plan.noteChange(by: .zero)
        plan.noteErasure(at: .zero)
        #expect(!plan.isUnsaved)
        plan.noteChange(by: .zero)

        #expect(plan.next(at: .zero) == .start(.erase))
        plan.start()
        _ = plan.end(failed: true)
        #expect(plan.next(at: .zero) == .rest)
        #expect(!plan.isBusy && !plan.isDone)
        plan.hurry(at: .zero)
        #expect(plan.next(at: .zero) == .start(.erase))
        plan.start()
        _ = plan.end(failed: false)

        #expect(plan.next(at: .zero) == .start(.save))
    }

    @Test("what is forgotten is not saved, and ends the waits for it alone")
    func forgetting() {
        var plan = awaited()
        plan.start()
        plan.noteChange(by: .zero)
        #expect(plan.add(2) == true)

        #expect(plan.forgetChange() == [2])
        #expect(plan.end(failed: true) == [1])

        #expect(plan.isDone && plan.next(at: .zero) == .rest)
        #expect(plan.add(3) == false)
    }

    @Test("what is forgotten leaves an erasure to be done")
    func forgettingBesideAnErasure() {
        var plan = awaited(afterErasure: true)

        #expect(plan.forgetChange() == [1])

        #expect(plan.next(at: .zero) == .start(.erase))
        plan.start()
        #expect(plan.end(failed: false) == [])
        #expect(plan.isDone)
    }

    @Test("who waits for a change that is then erased waits for the erasure")
    func erasedChange() {
        var plan = SavingPlan<Int>()
        plan.noteChange(by: .zero, savingAnything: true)
        #expect(plan.add(1) == true)

        plan.noteErasure(at: .zero)
        #expect(plan.add(2) == true)
        // What is stored is known then.
        #expect(!plan.savesAnything)
        plan.start()

        #expect(plan.end(failed: false) == [1, 2])
        #expect(plan.isDone)
    }

    @Test("a save that fails isn't made up for after an erasure that was requested meanwhile")
    func erasureDuringASave() {
        var plan = SavingPlan<Int>()
        plan.noteChange(by: .zero)
        plan.start()
        plan.noteErasure(at: .zero)
        #expect(plan.end(failed: true) == [])

        #expect(plan.next(at: .zero) == .start(.erase))
        plan.start()
        #expect(plan.end(failed: false) == [])

        #expect(plan.isDone && plan.next(at: .zero) == .rest)
    }

    @Test("a failure ends the waits for what follows only if nothing follows")
    func failure() {
        var plan = awaited(afterErasure: true)
        plan.start()
        plan.hurry(at: .zero)

        #expect(plan.end(failed: true) == [])
        plan.start()
        #expect(plan.end(failed: true) == [1])

        #expect(!plan.isBusy && !plan.isDone)
    }

    @Test("each wait is taken once")
    func taking() {
        var plan = awaited()
        plan.start()
        plan.noteErasure(at: .zero)
        #expect(plan.add(2) == true)
        plan.noteChange(by: .zero)
        #expect(plan.add(3) == true)

        #expect(plan.removeAllWaits() == [1, 2, 3])

        #expect(plan.removeAllWaits() == [])
        #expect(plan.end(failed: false) == [])
    }

    @Test("a wait that ends well was for what is stored, and every wait ends, over 3,000 seeds")
    func model() {
        for seed in 0..<3000 {
            var random = SeededGenerator(seed: UInt64(seed))
            var plan = SavingPlan<Int>()
            var (present, stored, saving) = (0, 0, 0)
            // The value that each wait is for.
            var waits: [Int: Int] = [:]
            var lastWait: Int = 0
            func end(_ ended: [Int], isGood: Bool) {
                for one in ended {
                    let value = waits.removeValue(forKey: one)
                    #expect(value != nil, "seed \(seed)")
                    if isGood { #expect(stored >= value ?? .max, "seed \(seed)") }
                }
            }
            func operate(failing: Bool) {
                if plan.isRunning {
                    if !failing { stored = max(stored, saving) }
                    end(plan.end(failed: failing), isGood: !failing)
                } else if case .start = plan.next(at: .zero) {
                    saving = present
                    plan.start()
                }
            }

            for _ in 0..<40 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0:
                    present += 1
                    plan.noteChange(by: .zero)
                case 1:
                    lastWait += 1
                    plan.hurry(at: .zero)
                    if plan.add(lastWait) {
                        waits[lastWait] = present
                    } else {
                        #expect(stored == present, "seed \(seed)")
                    }
                default:
                    operate(failing: Bool.random(using: &random))
                }
                #expect(waits.isEmpty || plan.isBusy, "seed \(seed)")
            }
            while plan.isBusy { operate(failing: false) }

            #expect(waits.isEmpty, "seed \(seed)")
            if plan.isDone { #expect(stored == present, "seed \(seed)") }
        }
    }
}
