extension Relux.Scope: Relux.ActionDispatching, Relux.StateReading, Relux.ModuleManaging {
    /// The instance, used on behalf of whichever run's task calls.
    public var handle: Relux.StoreHandle { Relux.StoreHandle(core, in: address) }
}
