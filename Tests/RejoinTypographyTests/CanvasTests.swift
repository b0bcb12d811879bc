#if canImport(CPango)
import Foundation
import RejoinContracts
import RejoinLayout
import RejoinModel
import RejoinTime
import RejoinTypography
import Testing

@Suite("Drawing: what was measured, in tiles")
struct CanvasTests {
    private let shaper: PangoShaper
    private let preparer: TextPreparer

    init() throws {
        shaper = try PangoShaper()
        preparer = TextPreparer(shaper: shaper)
    }

    private func layout(_ text: String, width: Int32, spans: [TextSpan] = []) -> TextLayout {
        let font = FontRequest(size: Advance(pixels: 16))
        let style = TextStyle(font: font, metrics: shaper.metrics(of: font), language: "ko")
        return preparer.prepare(RichText(text, spans: spans), style: style)
            .layout(width: width, shaper: shaper)
    }

    private func draw(_ layout: TextLayout, in frame: PixelRect) throws -> [UInt32] {
        let canvas = try Canvas(frame: frame)
        canvas.draw(layout, x: 0, y: 0, shaper: shaper)
        return canvas.pixels
    }

    private func ink(_ pixels: [UInt32], _ frame: PixelRect) -> PixelRect {
        var ink = PixelRect.zero
        for (index, pixel) in pixels.enumerated() where pixel != 0 {
            let x = Int32(index) % frame.width
            let y = Int32(index) / frame.width
            ink = ink.union(PixelRect(x: frame.x + x, y: frame.y + y, width: 1, height: 1))
        }
        return ink
    }

    @Test("Ink keeps within the frame and its ink insets", arguments: Corpus.allCases)
    func ink(_ corpus: Corpus) throws {
        for text in corpus.texts(4, words: 5...20) {
            let layout = layout(text, width: 180)
            let frame = PixelRect(
                x: -20, y: -20, width: layout.size.width + 40, height: layout.size.height + 40)
            let ink = ink(try draw(layout, in: frame), frame)
            let insets = layout.inkInsets
            let allowed = PixelRect(
                x: -insets.leading, y: -insets.top,
                width: layout.size.width + insets.leading + insets.trailing,
                height: layout.size.height + insets.top + insets.bottom)
            #expect(!ink.isEmpty)
            #expect(allowed.contains(ink), "\(text): \(ink) in \(allowed)")
            // And fills it: what was measured is what was drawn.
            #expect(ink.width > layout.size.width - 12, "\(text)")
        }
    }

    @Test("Tiles side by side are the whole picture")
    func tiles() throws {
        let text = Corpus.mixed.texts(40).joined(separator: "\n")
        let layout = layout(
            text, width: 240, spans: [TextSpan(range: 3..<60, kind: .link("https://a.example"))])
        let frame = PixelRect(x: 0, y: 0, width: 240, height: layout.size.height)
        let whole = try draw(layout, in: frame)
        let tiled = try frame.tiles(height: 100).flatMap { try draw(layout, in: $0) }
        #expect(whole == tiled)
    }

    /// Stacks of marks as high as anyone types them, and higher.
    private static let stacks = [10, 40, 300].flatMap { count in
        ["\u{30D}", "\u{316}", "\u{30D}\u{316}"].map { marks in
            "zal" + String(repeating: marks, count: count) + "go and more\nbelow\nand below"
        }
    }

    @Test("Towers of marks keep within the text's frame", arguments: stacks)
    func towers(_ text: String) throws {
        let layout = layout(text, width: 180)
        let frame = PixelRect(x: -40, y: -200, width: 260, height: layout.size.height + 400)
        let ink = ink(try draw(layout, in: frame), frame)
        let insets = layout.inkInsets
        #expect(ink.y >= -insets.top && ink.maxY <= layout.size.height + insets.bottom)
        let whole = PixelRect(x: -40, y: -20, width: 260, height: layout.size.height + 40)
        let tiled = try whole.tiles(height: 17).flatMap { try draw(layout, in: $0) }
        #expect(try draw(layout, in: whole) == tiled)
    }

    @Test("A row paints nothing beyond its frame")
    func rowFrame() throws {
        let tower = "z" + String(repeating: "\u{30D}\u{316}", count: 60) + "algo"
        let environment = LayoutEnvironment(
            scale: 1, width: 300, locale: Locale(identifier: "en_GB"),
            today: MessageGallery.today)
        let measurer = RowMeasurer(preparer: preparer, environment: environment, me: UserID("me"))
        measurer.members = [UserID("ann"): Member(id: UserID("ann"), name: tower)]
        let message = Message(
            id: MessageID(1), author: UserID("ann"), sentAt: WallTime(milliseconds: 0),
            content: [.text(tower)],
            reactions: [Reaction(emoji: tower, users: [UserID("ben")])])
        let row = RoomRow(id: .message(message.id), content: .message(message))
        let data = measurer.measure(
            TimelineRow(id: .message(row.id), content: .message(row, .single)))
        let canvas = try Canvas(
            frame: PixelRect(x: -50, y: 0, width: 400, height: data.size.height + 200))
        RowPainter(theme: .light, shaper: shaper).draw(data, y: 100, on: canvas)
        let ink = ink(canvas.pixels, canvas.frame)
        #expect(PixelRect(x: 0, y: 100, size: data.size).contains(ink))
    }

    @Test("Links are coloured and underlined, code and selections have a ground")
    func decorations() throws {
        let text = "see link and code"
        let layout = layout(
            text, width: 300,
            spans: [
                TextSpan(range: 4..<8, kind: .link("https://a.example")),
                TextSpan(range: 13..<17, kind: .code),
            ])
        let frame = PixelRect(x: 0, y: 0, width: 200, height: layout.size.height)
        let canvas = try Canvas(frame: frame)
        var colors = TextColors()
        colors.text = Color(0xFF0000)
        colors.link = Color(0x00FF00)
        colors.codeBackground = Color(0x0000FF)
        colors.selection = Color(0x808080)
        canvas.draw(layout, x: 0, y: 0, shaper: shaper, colors: colors, selection: 0..<3)
        let pixels = Set(canvas.pixels)
        for color in [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFF80_8080] as [UInt32] {
            #expect(pixels.contains(color), "\(String(color, radix: 16))")
        }
    }

    @Test("A picture is written as PNG; one that is too large says so")
    func png() throws {
        let canvas = try Canvas(width: 40, height: 20)
        canvas.fill(.white)
        canvas.fill(PixelRect(x: 2, y: 2, width: 30, height: 12), color: .black, radius: 5)
        canvas.stroke(PixelRect(x: 0, y: 0, width: 40, height: 20), color: Color(0x336699))
        canvas.drawPlaceholder(PixelRect(x: 20, y: 5, width: 12, height: 9), seed: 4, radius: 3)
        #expect(try canvas.png().prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(canvas.pixels.count == 800)
        let error = #expect(throws: TypographyError.self) { try Canvas(width: 40_000, height: 4) }
        #expect(error?.code == .pictureTooLarge)
    }
}
#endif
