#if canImport(UIKit)
public import RejoinLayout
public import RejoinTypography
public import UIKit

/// The texts of a row, all in one label.
public struct RowTexts: ChatMessageContentable {
    private let renderer: TileRenderer
    private let scale: PixelScale
    private let theme: RowTheme

    /// Creates the kind of content.
    ///
    /// - Parameters:
    ///   - renderer: draws the texts; one for all cells of a screen.
    ///   - scale: the scale that the rows were laid out in.
    ///   - theme: the colours.
    public init(renderer: TileRenderer, scale: PixelScale, theme: RowTheme) {
        self.renderer = renderer
        self.scale = scale
        self.theme = theme
    }

    /// The data itself, which is compared in O(1).
    public func content(of data: LayoutData) -> LayoutData? {
        data.parts.contains { $0.text != nil } ? data : nil
    }

    public func makeView() -> UIView { TextLabel(renderer: renderer, scale: scale) }

    public func constrain(_ view: UIView, in container: UIView) {
        view.frame = container.bounds
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    }

    public func update(_ view: UIView, with content: LayoutData) {
        guard let label = view as? TextLabel else { return }
        label.show(
            content.parts.compactMap { part in
                guard let text = part.text, let colors = theme.textColors(of: part, in: content)
                else { return nil }
                return PlacedText(text: text, frame: part.frame, colors: colors)
            })
    }
}
#endif
