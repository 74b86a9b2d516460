extension Relux {
    /// The user's position in an application, as plain values.
    public enum Navigation {}
}
