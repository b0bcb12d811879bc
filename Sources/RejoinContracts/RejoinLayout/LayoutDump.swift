public import RejoinLayout

/// A row's layout as text: one line for each part, so that a review sees what moved.
public enum LayoutDump {
    /// The parts of a row, each inset below the one that holds it.
    ///
    /// - Complexity: linear in the parts and their lines.
    public static func text(of data: LayoutData) -> String {
        var depths: [Int] = []
        var lines: [String] = []
        for part in data.parts {
            let depth = part.parent.map { depths[$0] + 1 } ?? 0
            depths.append(depth)
            var line = String(repeating: "  ", count: depth + 1) + name(of: part.kind)
            line += " \(text(part.frame))"
            if part.corners != .zero { line += " round \(text(part.corners))" }
            if let layout = part.text {
                line += layout.isTruncated ? " truncated" : ""
                line +=
                    " |"
                    + layout.lines.map {
                        " \($0.range.lowerBound)..\($0.range.upperBound) \($0.width.rawValue)/64"
                    }.joined(separator: ",")
            }
            lines.append(line)
        }
        for element in data.accessibility {
            lines.append("  reads \(element.part): \(element.role) \(text(element.frame))")
        }
        return lines.joined(separator: "\n")
    }

    private static func text(_ frame: PixelRect) -> String {
        "\(frame.x),\(frame.y) \(frame.width)x\(frame.height)"
    }

    private static func text(_ corners: PixelCorners) -> String {
        corners == PixelCorners(corners.topLeft)
            ? "\(corners.topLeft)"
            : "\(corners.topLeft),\(corners.topRight),\(corners.bottomLeft),\(corners.bottomRight)"
    }

    private static func name(of kind: LayoutPart.Kind) -> String {
        switch kind {
        case .bubble: "bubble"
        case .avatar: "avatar"
        case .text(let role): "text \(role)"
        case .image: "image"
        case .video: "video"
        case .card(let card): "card \(card)"
        case .icon(let icon): "icon \(icon)"
        case .accent: "accent"
        case .track: "track"
        case .scrim: "scrim"
        case .chip(let isOwn): isOwn ? "chip, own" : "chip"
        case .rule: "rule"
        @unknown default: "unknown"
        }
    }
}
