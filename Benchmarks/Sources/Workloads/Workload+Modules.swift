import Relux

extension Workload {
    /// Registers the given number of modules one by one, and unregisters them again.
    package static func registering(_ count: Int) -> Workload {
        Workload("registering and unregistering a module, \(count) in all", step: count) {
            let modules = ManyModules.list(count)
            let store = Relux.Store()
            return Session { operations in
                for _ in 0..<operations / count {
                    for module in modules { try await store.register(module) }
                    for module in modules.reversed() { await store.unregister(type(of: module)) }
                }
            }
        }
    }
}
