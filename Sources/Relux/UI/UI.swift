extension Relux {
    /// The bridge between a store and a user interface. It doesn't depend on any UI framework, except for a few SwiftUI
    /// declarations.
    public enum UI {}
}
