import Foundation
import RejoinContracts
import RejoinLayout
import RejoinModel
import Testing

/// The gallery in one environment under one shaper.
struct GalleryRun {
    static let widths: [(points: Int32, scale: Int32)] = [(240, 1), (375, 3), (700, 2)]
    static let typeSizes: [Int32] = [80, 100, 200]

    let gallery: MessageGallery
    let environment: LayoutEnvironment
    let measurer: RowMeasurer

    init(
        _ manner: SyntheticShaper.Manner, _ direction: TextDirection, width: Int32, scale: Int32,
        typeSize: Int32, words: MessageGallery.Words? = nil
    ) {
        let native: MessageGallery.Words = direction == .leftToRight ? .english : .hebrew
        gallery = MessageGallery(words ?? native)
        environment = LayoutEnvironment(
            scale: scale, width: width * scale, typeSize: typeSize, direction: direction,
            locale: Locale(identifier: "en_GB"), today: MessageGallery.today)
        measurer = RowMeasurer(
            preparer: TextPreparer(shaper: SyntheticShaper(manner)), environment: environment,
            me: MessageGallery.me)
        measurer.members = gallery.members
    }

    /// Every row by its name.
    func rows() -> [(name: String, data: LayoutData)] {
        gallery.items.map { ($0.name, measurer.measure($0.row)) }
    }

    /// Every environment of the gallery.
    static func all(_ manner: SyntheticShaper.Manner) -> [GalleryRun] {
        [TextDirection.leftToRight, .rightToLeft].flatMap { direction in
            widths.flatMap { width in
                typeSizes.map { size in
                    GalleryRun(
                        manner, direction, width: width.points, scale: width.scale, typeSize: size)
                }
            }
        }
    }

    var name: String {
        let side = environment.direction == .leftToRight ? "ltr" : "rtl"
        let points = environment.width / environment.scale
        return "\(side)-\(points)at\(environment.scale)x-\(environment.typeSize)"
    }
}

/// Section 8 of the design: every size is known before a cell exists; invariants of the gallery.
@Suite("The gallery of messages")
struct GalleryTests {
    @Test("It has at least 40 messages, whose rows have different names")
    func count() {
        let items = MessageGallery().items
        let messages = items.filter { if case .message = $0.row.content { true } else { false } }
        #expect(messages.count >= 40)
        #expect(Set(items.map(\.name)).count == items.count)
    }

    @Test(
        "Parts lie in their holders, overlap no other, and are read from top to bottom",
        arguments: SyntheticShaper.manners)
    func frames(_ manner: SyntheticShaper.Manner) {
        for run in GalleryRun.all(manner) {
            for (name, data) in run.rows() {
                let place = "\(name), \(run.name)"
                #expect(data.size.width == run.environment.width && data.size.height > 0)
                Self.checkHolders(data, place)
                Self.checkSiblings(data, place)
                Self.checkTexts(data, place)
                Self.checkReading(data, place)
            }
        }
    }

    static func checkHolders(_ data: LayoutData, _ place: String) {
        let row = PixelRect(size: data.size)
        for (index, part) in data.parts.enumerated() {
            let holder = part.parent.map { data.parts[$0].frame } ?? row
            if !holder.contains(part.frame) {
                Issue.record("\(place): \(part.kind) \(part.frame) leaves \(holder)")
            }
            if let parent = part.parent, parent >= index {
                Issue.record("\(place): \(part.kind) stands behind its holder")
            }
        }
    }

    /// The frames that no other part may touch: those of the lines, where the part is a text.
    private static func ink(_ part: LayoutPart) -> [PixelRect] {
        guard let text = part.text else { return [part.frame] }
        return text.lines.map { text.frame(of: $0).moved(x: part.frame.x, y: part.frame.y) }
    }

    static func checkSiblings(_ data: LayoutData, _ place: String) {
        let parts = data.parts
        for (index, part) in parts.enumerated() {
            for other in parts[(index + 1)...]
            where other.parent == part.parent {
                let touches = ink(part).contains { one in
                    !one.isEmpty && ink(other).contains { !$0.isEmpty && $0.intersects(one) }
                }
                if touches {
                    Issue.record(
                        "\(place): \(part.kind) \(part.frame) touches \(other.kind) \(other.frame)")
                }
            }
        }
    }

    static func checkTexts(_ data: LayoutData, _ place: String) {
        for part in data.parts {
            guard let text = part.text else { continue }
            #expect(text.size.height == part.frame.height, "\(place): \(part.kind)")
            #expect(text.alignmentWidth == part.frame.width, "\(place): \(part.kind)")
        }
    }

    /// What is read ascends from top to bottom, and in a line in the direction of reading.
    static func checkReading(_ data: LayoutData, _ place: String) {
        #expect(!data.accessibility.isEmpty, "\(place)")
        let elements = data.accessibility.filter {
            if case .link = $0.role { false } else { $0.role != .message }
        }
        if elements.contains(where: { $0.label.isEmpty && $0.role != .text }) {
            Issue.record("\(place): something is read without words")
        }
        let places = elements.map { element in
            let isLeft = data.direction == .leftToRight
            let x = isLeft ? element.frame.x : data.size.width - element.frame.maxX
            return (element.frame.y, x)
        }
        for (one, next) in zip(places, places.dropFirst()) where !(one <= next) {
            Issue.record("\(place): \(one) is read before \(next)")
        }
    }

    /// Hebrew letters in place of Latin ones: where each has the same width, reading from the right
    /// is the mirror of reading from the left.
    private static let mirrored: MessageGallery.Words = {
        func turn(_ text: String) -> String {
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map { scalar in
                        let isLatin = scalar.isASCII && scalar.properties.isAlphabetic
                        return isLatin
                            ? Unicode.Scalar(0x5D0 + scalar.value % 26) ?? scalar : scalar
                    }))
        }
        let words = MessageGallery.Words.english
        return MessageGallery.Words(
            word: turn(words.word), sentence: turn(words.sentence),
            paragraph: turn(words.paragraph), link: words.link, names: words.names.map(turn))
    }()

    @Test(
        "Reading from the right is the mirror of reading from the left", arguments: [80, 100, 200])
    func mirror(_ typeSize: Int32) {
        // Whose direction is their own, not the app's.
        let own = [
            "link", "own link, edited", "long word", "emoji", "mixed directions", "against the app",
            "link preview with everything",
        ]
        for width in GalleryRun.widths {
            let left = GalleryRun(
                SyntheticShaper.fixed, .leftToRight, width: width.points, scale: width.scale,
                typeSize: typeSize)
            let right = GalleryRun(
                SyntheticShaper.fixed, .rightToLeft, width: width.points, scale: width.scale,
                typeSize: typeSize, words: Self.mirrored)
            for ((name, one), (_, other)) in zip(left.rows(), right.rows())
            where !own.contains(name) {
                let expected = one.parts.map { $0.frame.mirrored(in: one.size.width) }
                #expect(other.parts.map(\.frame) == expected, "\(name)")
                #expect(other.parts.map(\.corners) == one.parts.map(\.corners.mirrored))
                #expect(other.size == one.size)
            }
        }
    }

    @Test(
        "Frames of the gallery are as committed",
        arguments: [TextDirection.leftToRight, .rightToLeft], GalleryRun.typeSizes)
    func snapshots(_ direction: TextDirection, _ typeSize: Int32) throws {
        for width in GalleryRun.widths {
            let run = GalleryRun(
                SyntheticShaper.manners[1], direction, width: width.points, scale: width.scale,
                typeSize: typeSize)
            let text = run.rows().map { name, data in
                "\(name): \(data.size.width)x\(data.size.height) \(data.side)\n"
                    + LayoutDump.text(of: data)
            }.joined(separator: "\n\n")
            let difference = try TextSnapshot.difference(
                of: text + "\n", from: "Gallery/\(run.name).txt")
            #expect(difference == nil, "\(difference ?? "")")
        }
    }

    @Test("A place in a text survives other widths", arguments: [0, 1, 8])
    func anchors(_ manner: Int) async throws {
        let runs = [220, 375, 640].map { width in
            GalleryRun(
                SyntheticShaper.manners[manner], .leftToRight, width: Int32(width), scale: 1,
                typeSize: 100)
        }
        for check in TextAnchorContract.checks(runs.map { $0.rows().map(\.data) }) {
            try await check.body()
        }
    }
}
