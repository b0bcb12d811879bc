#if canImport(UIKit)
internal import Foundation
internal import QuartzCore
internal import RejoinLayout
public import UIKit

/// Shows texts that were measured before, as pictures in layers: drawn off the main thread, in
/// tiles, of which a tall text has only those that are near the screen.
public final class TextLabel: UIView {
    private let renderer: TileRenderer
    private let scale: PixelScale
    private var texts: [PlacedText] = []
    private var tiles = TileWindow(area: .zero)
    /// The tiles that were asked for, each with its layer.
    private var layers: [Int: (layer: CALayer, ticket: TileRenderer.Ticket)] = [:]
    /// The part that is seen, in device pixels. Until it is told, the upper end is.
    private var seen: Range<Int64> = 0..<Int64(TileWindow.tileHeight)

    /// Creates a label.
    public init(renderer: TileRenderer, scale: PixelScale) {
        self.renderer = renderer
        self.scale = scale
        super.init(frame: CGRect(x: 0, y: 0, width: 0, height: 0))
        isUserInteractionEnabled = false
        isAccessibilityElement = false
        clipsToBounds = false
    }

    /// A label needs its renderer, so no archive holds one.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    /// Shows texts instead of those shown before.
    public func show(_ new: [PlacedText]) {
        guard new != texts else { return }
        texts = new
        tiles = TileWindow(area: new.reduce(.zero) { $0.union($1.inkFrame) })
        dropTiles(outside: 0..<0)
        seen = 0..<Int64(TileWindow.tileHeight)
        drawTiles()
    }

    private func dropTiles(outside kept: Range<Int>) {
        for (tile, shown) in layers where !kept.contains(tile) {
            shown.ticket.void()
            shown.layer.removeFromSuperlayer()
            layers[tile] = nil
        }
    }

    private func drawTiles() {
        dropTiles(outside: tiles.kept(seen))
        for tile in tiles.wanted(seen) where layers[tile] == nil {
            let frame = tiles.frame(of: tile)
            let layer = CALayer()
            layer.frame = scale.rect(frame)
            layer.contentsScale = CGFloat(scale.factor)
            let ticket = TileRenderer.Ticket()
            layers[tile] = (layer, ticket)
            self.layer.addSublayer(layer)
            renderer.draw(frame, of: texts, for: ticket) { [weak self] picture in
                self?.show(picture, in: tile)
            }
        }
    }

    /// The picture is of the tile's last ticket: those before are void.
    private func show(_ picture: TileRenderer.Picture, in tile: Int) {
        // It appears as a whole, without the fade of an implicit animation.
        CATransaction.begin()
        CATransaction.setDisableActions(true)
        layers[tile]?.layer.contents = picture.image
        CATransaction.commit()
    }
}

extension TextLabel: VisibleRectFollowing {
    public func follow(visibleRect: CGRect) {
        let now = scale.stretch(of: visibleRect)
        guard now != seen else { return }
        seen = now
        drawTiles()
    }
}

extension PlacedText {
    /// Its frame and as far as its ink may reach beyond.
    fileprivate var inkFrame: PixelRect {
        let ink = text.inkInsets
        let side = max(ink.leading, ink.trailing)
        return PixelRect(
            x: frame.x - side, y: frame.y - ink.top, width: frame.width + 2 * side,
            height: frame.height + ink.top + ink.bottom)
    }
}
#endif
