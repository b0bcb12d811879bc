#if os(Linux)
import Foundation
import RejoinLayout
import RejoinModel
import RejoinTypography

/// A room as pictures: its rows laid out once, drawn tile by tile.
struct RoomPicture {
    /// The greatest height of a tile, in pixels.
    static let tileHeight: Int32 = 8_192

    private let frame: TimelineFrame<LayoutData>
    private let painter: RowPainter
    private let margin: Int32
    private let width: Int32

    /// Lays a room out.
    ///
    /// - Throws: ``TypographyError`` where fonts are missing.
    init(
        _ room: RoomSnapshot, me: UserID?, environment: LayoutEnvironment, theme: RowTheme
    ) throws(TypographyError) {
        let shaper = try PangoShaperFactory().makePangoShaper()
        let measurer = RowMeasurer(
            preparer: TextPreparer(shaper: shaper), environment: environment, me: me)
        measurer.members = room.members
        var composer = RowComposer(me: me)
        _ = composer.update(room, environment: environment)
        frame = TimelineFrame(
            composer.rows, version: composer.version, measure: measurer.measure)
        painter = RowPainter(theme: theme, shaper: shaper)
        margin = environment.pixels(10)
        width = environment.width
    }

    /// How many rows it has.
    var rowCount: Int { frame.count }

    /// The size of the whole, in pixels.
    var size: (width: Int32, height: Int64) {
        (width, frame.rows.elements.reduce(Int64(margin)) { $0 + Int64($1.data.size.height) })
    }

    /// Draws the tiles from top to bottom, each as a PNG file.
    ///
    /// - Throws: ``TypographyError`` where a tile cannot be drawn; what `take` throws.
    func draw(_ take: (Data) throws -> Void) throws {
        var top: Int64 = 0
        let height = max(1, size.height)
        while top < height {
            let tile = Int32(min(Int64(Self.tileHeight), height - top))
            let canvas = try Canvas(width: width, height: tile)
            canvas.fill(painter.theme.background)
            // The ink of a row may reach into the rows beside it.
            let reach = Int64(margin) * 4
            var y = -top
            for row in frame.rows.elements {
                let next = y + Int64(row.data.size.height)
                if next > -reach, y < Int64(tile) + reach {
                    painter.draw(row.data, y: Int32(y), on: canvas)
                }
                y = next
            }
            try take(try canvas.png())
            top += Int64(tile)
        }
    }
}
#endif
