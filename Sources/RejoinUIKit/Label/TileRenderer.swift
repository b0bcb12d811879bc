#if canImport(UIKit)
internal import CoreGraphics
internal import Dispatch
public import RejoinLayout
public import RejoinTypography
internal import Synchronization

/// A text of a row, where it stands, and its colours.
public struct PlacedText: Hashable, Sendable {
    /// The text.
    public var text: TextLayout
    /// Where it stands, in device pixels of the view that shows it.
    public var frame: PixelRect
    /// Its colours.
    public var colors: TextColors

    /// Creates a text.
    public init(text: TextLayout, frame: PixelRect, colors: TextColors) {
        self.text = text
        self.frame = frame
        self.colors = colors
    }
}

/// Draws tiles of texts, one after the other, off the main thread. One for all labels of a screen,
/// which want no more at a time than what is seen; what is no longer wanted is not drawn.
public final class TileRenderer: Sendable {
    /// Whether a tile is still wanted; shared by a label and the queue.
    final class Ticket: Sendable {
        private let isVoid = Atomic(false)
        var isWanted: Bool { !isVoid.load(ordering: .relaxed) }
        func void() { isVoid.store(true, ordering: .relaxed) }
    }

    /// What was drawn, on its way to the main thread.
    // Unchecked: an image never changes, and Apple's documentation allows any thread to use it.
    struct Picture: @unchecked Sendable {
        let image: CGImage
    }

    private let queue = DispatchQueue(label: "rejoin.text-tiles", qos: .userInitiated)
    private let shaper: Mutex<CoreTextShaper>

    /// Creates a renderer.
    ///
    /// - Parameter factory: makes a shaper with the fonts that the texts were measured with.
    public init(factory: CoreTextShaperFactory) {
        shaper = Mutex(factory.makeCoreTextShaper())
    }

    /// Draws a tile, and hands it over on the main thread; nothing where it is no longer wanted, or
    /// the memory does not suffice.
    func draw(
        _ tile: PixelRect, of texts: [PlacedText], for ticket: Ticket,
        done: @escaping @MainActor @Sendable (Picture) -> Void
    ) {
        queue.async {
            guard ticket.isWanted, let picture = self.picture(tile, texts) else { return }
            DispatchQueue.main.async {
                MainActor.assumeIsolated { if ticket.isWanted { done(picture) } }
            }
        }
    }

    private func picture(_ tile: PixelRect, _ texts: [PlacedText]) -> Picture? {
        shaper.withLock { shaper in
            guard let canvas = try? Canvas(frame: tile) else { return nil }
            for text in texts {
                canvas.draw(
                    text.text, x: text.frame.x, y: text.frame.y, shaper: shaper,
                    colors: text.colors)
            }
            return canvas.makeImage().map { Picture(image: $0) }
        }
    }
}
#endif
