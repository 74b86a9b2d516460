extension Relux {
    /// Where in an application somebody is, as plain values.
    public enum Navigation {}
}
