/// A group of figures that belong together.
struct Suite: Sendable {
    /// The word that `--only` takes.
    let name: String
    /// One line for `--help`.
    let summary: String
    /// Measures, and hands each figure to the report.
    let run: @Sendable (Report) async throws -> Void
}
