import Testing

@testable import SampleDomain

@Suite struct ItemsSpacingTests {
    @Test(
        arguments: [
            (nil, nil, 1_000), (5_000, nil, 6_000), (nil, 5_000, 4_000), (1_000, 2_000, 1_500), (-1_000, 1_000, 0),
            (1, 3, 2), (1, 4, 2), (-4, -1, -3),
        ] as [(Int?, Int?, Int)])
    func `an order is between its neighbours`(lower: Int?, upper: Int?, expected: Int) {
        let order = Items.Spacing.order(between: lower, and: upper)

        #expect(order == expected)
    }

    @Test(arguments: [(1, 2), (7, 7), (8, 7)])
    func `between close neighbours there is no room`(lower: Int, upper: Int) {
        let order = Items.Spacing.order(between: lower, and: upper)

        #expect(order == nil)
    }

    @Test func `at the limits of numbers there is no room, and no trap`() {
        #expect(Items.Spacing.order(between: .max - 999, and: nil) == nil)
        #expect(Items.Spacing.order(between: .max - 1_000, and: nil) == .max)
        #expect(Items.Spacing.order(between: nil, and: .min + 999) == nil)
        #expect(Items.Spacing.order(between: .min, and: .max) == -1)
    }
}
