#if canImport(CPango)
import Foundation
import RejoinContracts
import RejoinLayout
import RejoinModel
import RejoinTypography
import Testing

/// The gallery of messages as pictures, drawn with pinned fonts.
///
/// With `REJOIN_RECORD=1` in the environment the pictures are drawn anew, and the tests fail once.
/// Where a picture differs from the committed one, both and their difference are left in the
/// temporary folder that the failure names.
@Suite("Pictures of the gallery (section 8)")
struct GalleryPictureTests {
    static let widths: [Int32] = [240, 375, 700]
    static let typeSizes: [Int32] = [80, 100, 200]

    /// One picture of the whole gallery.
    struct Setting: Sendable, CustomTestStringConvertible {
        let direction: TextDirection
        let width: Int32
        let typeSize: Int32

        /// Small type is shown in the dark, so that both themes are seen.
        var theme: RowTheme { typeSize < 100 ? .dark : .light }
        var name: String {
            "\(direction == .leftToRight ? "ltr" : "rtl")-\(width)-\(typeSize)"
        }
        var testDescription: String { name }

        static var all: [Setting] {
            [TextDirection.leftToRight, .rightToLeft].flatMap { direction in
                widths.flatMap { width in
                    typeSizes.map { Setting(direction: direction, width: width, typeSize: $0) }
                }
            }
        }
    }

    @Test("Each picture is as committed", arguments: Setting.all)
    func picture(_ setting: Setting) throws {
        let canvas = try Self.draw(setting)
        let difference = try PictureSnapshot.difference(of: canvas, from: setting.name)
        #expect(difference == nil, "\(difference ?? "")")
    }

    private static func draw(_ setting: Setting) throws -> Canvas {
        let shaper = try PangoShaperFactory().makePangoShaper()
        let gallery = MessageGallery(setting.direction == .leftToRight ? .english : .hebrew)
        let measurer = RowMeasurer(
            preparer: TextPreparer(shaper: shaper),
            environment: LayoutEnvironment(
                width: setting.width, typeSize: setting.typeSize, direction: setting.direction,
                languages: [setting.direction == .leftToRight ? "en" : "he"],
                locale: Locale(identifier: "en_GB"), today: MessageGallery.today),
            me: MessageGallery.me)
        measurer.members = gallery.members
        let rows = gallery.items.map { measurer.measure($0.row) }
        let canvas = try Canvas(
            width: setting.width, height: rows.reduce(10) { $0 + $1.size.height })
        let painter = RowPainter(theme: setting.theme, shaper: shaper)
        canvas.fill(painter.theme.background)
        var y: Int32 = 0
        for row in rows {
            painter.draw(row, y: y, on: canvas)
            y += row.size.height
        }
        return canvas
    }

    @Test("A tile shows what the whole shows there")
    func tiles() throws {
        let shaper = try PangoShaperFactory().makePangoShaper()
        let measurer = RowMeasurer(
            preparer: TextPreparer(shaper: shaper),
            environment: LayoutEnvironment(
                width: 300, locale: Locale(identifier: "en_GB"), today: MessageGallery.today),
            me: MessageGallery.me)
        let painter = RowPainter(theme: .light, shaper: shaper)
        for item in MessageGallery().items {
            let row = measurer.measure(item.row)
            let frame = PixelRect(size: row.size)
            let whole = try Canvas(frame: frame)
            painter.draw(row, y: 0, on: whole)
            var pixels: [UInt32] = []
            for tile in frame.tiles(height: 37) {
                let canvas = try Canvas(frame: tile)
                painter.draw(row, y: 0, on: canvas)
                pixels += canvas.pixels
            }
            #expect(pixels == whole.pixels, "\(item.name)")
        }
    }

    @Test("A changed picture is found, and its difference is left as a picture")
    func change() throws {
        let canvas = try Canvas(width: 100, height: 100)
        canvas.fill(.white)
        let picture = try Picture(canvas)
        canvas.fill(PixelRect(x: 10, y: 10, width: 10, height: 10), color: .black)
        let changed = try Picture(canvas)
        #expect(picture.differences(from: picture).isEmpty)
        let places = changed.differences(from: picture)
        #expect(places.count == 100 && places.first == 1010 && places.last == 1919)
        let file = FileManager.default.temporaryDirectory
            .appending(path: "rejoin-\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: file) }
        try changed.marked(places).png().write(to: file)
        let difference = try #require(Picture(file))
        // Red where the square was black, and faint elsewhere.
        #expect(difference.differences(from: changed) == places)
    }
}
#endif
