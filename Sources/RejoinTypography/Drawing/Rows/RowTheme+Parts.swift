public import RejoinLayout

extension RowTheme {
    /// The colours of what a part stands on.
    func ground(of part: LayoutPart, in data: LayoutData) -> Ground {
        var root = part
        while let parent = root.parent { root = data.parts[parent] }
        guard root.kind == .bubble else { return bare }
        switch data.side {
        case .incoming: return incoming
        case .outgoing: return outgoing
        case .center: return bare
        }
    }

    /// The colours of a part's text; `nil` where the part is no text.
    ///
    /// - Parameters:
    ///   - part: one of the row's parts.
    ///   - data: the row.
    public func textColors(of part: LayoutPart, in data: LayoutData) -> TextColors? {
        guard case .text(let role) = part.kind else { return nil }
        let ground = ground(of: part, in: data)
        let color: Color =
            switch role {
            case .body, .title, .quote: ground.text
            case .name: ground.accent
            case .caption, .detail, .notice, .header: ground.secondary
            case .failure, .divider: self.failure
            case .chip: incoming.text
            case .badge, .initial: .white
            }
        return TextColors(
            text: color, link: ground.accent, mention: ground.accent, codeBackground: ground.card)
    }
}
