#if !canImport(UIKit)
import Testing

/// Says in every report what a machine without UIKit leaves out.
@Suite("Views")
struct NotRunHereTests {
    @Test(
        "The collection layout, the cells and the label",
        .disabled(
            """
            NOT RUN: there is no UIKit here. The views are type-checked (make check-apple); run \
            them on a Mac with the xcodebuild command of the README
            """))
    func views() {}
}
#endif
