#if compiler(>=6.3) && (os(macOS) || os(Linux))
    import ReluxTesting
    import Testing

    @Suite("The failures of one process, in another", .timeLimit(.minutes(10)))
    struct BugReplayTests {
        /// What one process prints about a failure, and what it saw.
        private struct Found: Codable, Sendable {
            let bug: String
            let token: String
            let seed: UInt64?
            let byToken: Seen
            let bySeed: Seen?
        }

        /// What a replay showed.
        private struct Seen: Codable, Sendable, Equatable {
            let failure: String?
            let trace: [String]
        }

        @Test("the token and the seed of every classical bug fail in the same way in a fresh process")
        func replayed() async throws {
            var all: [Found] = []
            for bug in Bug.all {
                let scenario: Simulation.Scenario = { world in try await bug.scenario(world, false) }
                let report = await Simulation.search(seeds: 0..<200, scenario)
                let failure = try #require(report.failure, "\(bug.name)")
                all.append(
                    Found(
                        bug: bug.name, token: failure.token, seed: failure.seed,
                        byToken: Seen(failure: failure.failure, trace: failure.trace),
                        bySeed: await Self.seen(seed: failure.seed, scenario)))
            }
            #expect(all.count { $0.seed != nil } > 10)

            await #expect(processExitsWith: .success) { [all = all as [Found]] in
                for found in all {
                    let bug = try #require(Bug.all.first { $0.name == found.bug })
                    let scenario: Simulation.Scenario = { world in try await bug.scenario(world, false) }

                    let byToken = await Self.seen(token: found.token, scenario)
                    let bySeed = await Self.seen(seed: found.seed, scenario)

                    #expect(byToken.failure != nil)
                    #expect(byToken == found.byToken, "\(found.bug)")
                    #expect(bySeed == found.bySeed, "\(found.bug)")
                }
            }
        }

        private static func seen(token: String, _ scenario: @escaping Simulation.Scenario) async -> Seen {
            await seen { await Simulation.replay(token, scenario) }
        }

        private static func seen(seed: UInt64?, _ scenario: @escaping Simulation.Scenario) async -> Seen? {
            guard let seed else { return nil }
            return await seen { await Simulation.replay(seed: seed, scenario) }
        }

        private static func seen(_ replay: () async -> Simulation.Outcome) async -> Seen {
            let outcome = Shared<Simulation.Outcome?>(nil)
            // The issue that the replay records is expected.
            _ = await recordedIssues { outcome.value = await replay() }
            return Seen(failure: outcome.value?.failure, trace: outcome.value?.trace ?? [])
        }
    }
#endif
