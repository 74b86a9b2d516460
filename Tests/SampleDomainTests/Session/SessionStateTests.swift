import SampleServices
import Testing

@testable import SampleDomain

@Suite struct SessionStateTests {
    @Test func `at first nothing is known`() {
        #expect(Session.State().standing == .unknown)
        #expect(Session.State().profile == nil)
    }

    @Test func `a profile that has entered is signed in, until another one enters`() throws {
        let ada = Profile(name: try ProfileName("Ada"), folder: "ada")
        var state = Session.State()

        state.reduce(.entered(ada, hasLeftUnsaved: true))
        let first = state
        state.reduce(.entered(nil, hasLeftUnsaved: false))

        #expect(first.standing == .signedIn(ada) && first.profile == ada && first.hasLeftUnsaved)
        #expect(state.standing == .nobody && state.profile == nil && !state.hasLeftUnsaved)
    }

    @Test func `a failure changes no standing, and is cleared by the next command`() throws {
        let error = StorageError(.diskFull, file: "f")
        var state = Session.State()
        state.reduce(.entered(nil, hasLeftUnsaved: false))

        state.reduce(.failed(error))
        let failed = state
        state.reduce(Session.Command.signOut)

        #expect(failed.standing == .nobody && failed.failure == error)
        #expect(state.failure == nil)
    }

    @Test func `a failure to follow other processes is reported, until it is resolved, and changes no standing`() {
        let error = StorageError(.notAFile, file: "f")
        var state = Session.State()
        state.reduce(.entered(nil, hasLeftUnsaved: false))

        state.reduce(.elsewhereFailed(error))
        let failed = state
        state.reduce(Session.Command.restore)
        let tried = state
        state.reduce(.changedElsewhere)

        #expect(failed.elsewhereFailure == error && failed.failure == nil)
        #expect(tried.elsewhereFailure == error)
        #expect(state.elsewhereFailure == nil && state.standing == .nobody)
    }
}
