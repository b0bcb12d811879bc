import RejoinContracts
import RejoinLayout
import RejoinModel
import Testing

@Suite("The modes of a list: every mode meets every input")
struct TimelineModeTests {
    @Test("The table of transitions is the committed one")
    func table() throws {
        #expect(
            try TextSnapshot.difference(of: Self.text(), from: "TimelineLayout.transitions.txt")
                == nil)
    }

    private static let starts: [(name: String, make: @Sendable () -> TestList)] = [
        ("pinned", { TestList(TestList.messages(1...40)) }),
        (
            "anchored",
            {
                var list = TestList(TestList.messages(1...40))
                list.scroll(to: 1_000)
                return list
            }
        ),
        (
            "targeted at a row",
            {
                var list = TestList(TestList.messages(1...40))
                list.give(.sought(.row(TestList.message(5), .top)))
                return list
            }
        ),
        (
            "targeted at the newest",
            {
                var list = TestList(TestList.messages(1...40))
                list.scroll(to: 1_000)
                list.give(.sought(.newest))
                return list
            }
        ),
        (
            "anchored, more at both ends",
            { TestList(TestList.messages(1...40), older: true, newer: true) }
        ),
    ]

    private static let inputs: [(name: String, give: @Sendable (inout TestList) -> Void)] = [
        ("opened at the newest", { give($0.layout, &$0, .newest) }),
        ("opened at a row", { give($0.layout, &$0, .row(TestList.message(10), .top)) }),
        (
            "keyboard",
            { $0.give(.viewport(TimelineViewport(height: 800, topInset: 50, bottomInset: 300))) }
        ),
        ("scrolled to the middle by the person", { $0.scroll(to: 1_500) }),
        ("scrolled to the end by the person", { $0.scroll(to: $0.layout.maximumOffset) }),
        ("scrolled to the middle by the list", { $0.scroll(to: 1_500, by: .list) }),
        ("settled", { $0.give(.settled) }),
        ("sought a row", { $0.give(.sought(.row(TestList.message(20), .center))) }),
        ("sought the newest", { $0.give(.sought(.newest)) }),
        ("the last row was raised", { $0.give(.raised(TestList.message(40))) }),
        ("a row with enough below it was raised", { $0.give(.raised(TestList.message(2))) }),
        ("history came", { $0.prepend(TestList.messages(-4...0)) }),
        ("a message came", { $0.append(TestList.messages(41...41)) }),
        ("a message was sent", { $0.append(TestList.messages(41...41), sendsOwn: true) }),
        ("the target went", { $0.change(removing: [4]) }),
        (
            "replaced without a change set",
            {
                $0.give(
                    .swapped(
                        TimelineGeometry(naive: TestList.messages(-4...41)), nil, sendsOwn: false))
            }
        ),
        (
            "laid out anew",
            {
                $0.give(
                    .relaid(
                        TimelineGeometry(naive: TestList.messages(1...40, height: 80)), inside: nil)
                )
            }
        ),
        ("more at both ends", { $0.give(.pages(older: true, newer: true)) }),
        ("nothing more", { $0.give(.pages(older: false, newer: false)) }),
        ("an older page ended", { $0.give(.pageEnded(.older)) }),
        ("a newer page ended", { $0.give(.pageEnded(.newer)) }),
    ]

    private static func give(
        _ layout: TimelineLayout, _ list: inout TestList, _ opening: TimelineOpening
    ) {
        list.give(.opened(layout.geometry, at: opening))
    }

    private static func text() -> String {
        var lines: [String] = []
        for start in starts {
            lines.append("\(start.name), \(state(start.make()))")
            for input in inputs {
                var list = start.make()
                input.give(&list)
                let effects = list.effects.map { words($0) }.joined(separator: ", ")
                lines.append("    \(input.name): \(state(list)) [\(effects)]")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func state(_ list: TestList) -> String {
        let mode =
            switch list.layout.mode {
            case .pinned: "pinned"
            case .anchored: "anchored"
            case .targeted(.newest): "targeted at the newest"
            case .targeted(.row): "targeted at a row"
            }
        return "\(mode) at \(list.layout.offset)"
    }

    private static func words(_ effect: TimelineEffect) -> String {
        switch effect {
        case .place(let offset): "place \(offset)"
        case .scroll(let offset): "scroll to \(offset)"
        case .page(let end): "page \(end)"
        case .openNewest: "open the newest window"
        }
    }
}
