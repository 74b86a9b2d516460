import Relux
import Testing

@Suite("CallSite", .timeLimit(.minutes(10)))
struct CallSiteTests {
    private let sites = [
        Relux.CallSite(fileID: "App/A.swift", line: 1), Relux.CallSite(fileID: "App/A.swift", line: 2),
        Relux.CallSite(fileID: "App/B.swift", line: 1),
    ]

    @Test("call sites are equal if the file and the line are, and others hash differently")
    func equality() {
        for (position, site) in sites.enumerated() {
            #expect(sites.firstIndex(of: Relux.CallSite(fileID: site.fileID, line: site.line)) == position)
        }
        #expect(Set(sites.map(\.hashValue)).count == 3)
    }
}
