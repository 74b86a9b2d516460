extension Relux {
    /// What lies between a store and a user interface. Nothing here imports one.
    public enum UI {}
}
