/// The modules without an id that are registered in one scope.
struct ModuleTable: ~Copyable {
    private var registrations = SerialMap<ModuleRegistration>()

    subscript(_ module: any Relux.Module.Type) -> ModuleRegistration? { registrations[ObjectIdentifier(module)] }

    var isEmpty: Bool { registrations.isEmpty }

    /// All registrations, in order.
    var inOrder: [ModuleRegistration] { registrations.values.ascending { $0.generation } }

    mutating func insert(_ registration: ModuleRegistration) {
        registrations.set(ObjectIdentifier(registration.module), to: registration)
    }

    mutating func remove(_ registration: ModuleRegistration) {
        registrations.remove(ObjectIdentifier(registration.module))
    }
}
