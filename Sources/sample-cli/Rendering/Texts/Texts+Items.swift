import SampleDomain
import SampleServices

extension Texts {
    static func more(_ count: Int) -> String { "… and \(count.formatted()) more" }

}
