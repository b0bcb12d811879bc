import RejoinUIKit
import Testing

/// What the system says of the app's life, and what the chat hears of it: each state against each
/// input.
@Suite("The app's phases")
struct AppPhasesTests {
    private func state(_ phase: AppPhases.Phase?) -> AppPhases {
        var phases = AppPhases()
        if let phase { _ = phases.handle(phase) }
        return phases
    }

    @Test(
        "Every change is told once; an app launched into the background lets go of nothing",
        arguments: [
            (nil, .foreground, .enterForeground), (nil, .background, nil),
            (.foreground, .foreground, nil), (.foreground, .background, .suspend),
            (.background, .foreground, .enterForeground), (.background, .background, nil),
        ] as [(AppPhases.Phase?, AppPhases.Phase, AppPhases.Effect?)])
    func table(
        _ from: AppPhases.Phase?, _ input: AppPhases.Phase, _ expected: AppPhases.Effect?
    ) {
        var phases = state(from)
        #expect(phases.handle(input) == expected)
        #expect(phases.phase == input)
    }
}
