import RejoinModel

/// Resolves what a row shows: who wrote it, what the module says by itself, which pictures stand
/// together.
struct RowPlanner {
    let me: UserID?
    let strings: LayoutStrings
    let measures: ContentMeasures
    var members: [UserID: Member] = [:]
    var ratios = AspectRatios()
    var times: TimeTexts

    mutating func plan(_ row: TimelineRow) -> RowPlan {
        switch row.content {
        case .message(let row, let group): message(row, group)
        case .gap(let gap): .centered(self.gap(gap))
        case .date(let header):
            .centered(.pill(.date, times.day(header, strings), nil, .header))
        case .unreadDivider:
            RowPlan(form: .divider, side: .center, inside: [.divider(strings.unread)])
        case .typing(let users): typing(users)
        }
    }

    // MARK: Messages

    private mutating func message(_ row: RoomRow, _ group: GroupPosition) -> RowPlan {
        switch row.content {
        case .message(let message): sent(message, row, group)
        case .unsent(let message): unsent(message, group)
        case .gap(let gap): .centered(self.gap(gap))
        }
    }

    private mutating func sent(
        _ message: Message, _ row: RoomRow, _ group: GroupPosition
    ) -> RowPlan {
        if !message.isDeleted, let notices = message.content.notices {
            return .centered(
                .pill(.notice, notices.joined(separator: "\n"), nil, .text))
        }
        let isOwn = message.author == me
        let clock = times.time(message.sentAt)
        var plan = RowPlan(
            form: .message, side: isOwn ? .outgoing : .incoming, group: group, inside: [])
        plan.summary = LayoutStrings.fill(
            strings.message,
            ["name": isOwn ? strings.you : name(message.author), "time": clock])
        if !isOwn {
            if group.isLast { plan.avatar = avatar(message.author) }
            if group.isFirst { plan.inside.append(.name(name(message.author))) }
        }
        if message.isDeleted {
            plan.inside.append(.notice(strings.deleted, block: nil))
        } else {
            plan.inside += blocks(message.content)
        }
        let isEdited = message.editedAt != nil && !message.isDeleted
        let words =
            isEdited ? LayoutStrings.fill(strings.edited, ["time": clock]) : clock
        let isMarked = isOwn && !message.isDeleted
        plan.inside.append(
            .footer(
                words, icon: isMarked ? .sent : nil,
                spoken: [isEdited ? words : "", isMarked ? strings.sent : ""]
                    .filter { !$0.isEmpty }.joined(separator: ", ")))
        let reactions = message.reactions.filter { $0.emoji.isShown && !$0.users.isEmpty }
        if !message.isDeleted, !reactions.isEmpty {
            plan.below.append(.reactions(reactions.map(chip)))
        }
        plan.below += row.failedChanges.map(failure)
        return plan
    }

    private mutating func unsent(_ message: UnsentMessage, _ group: GroupPosition) -> RowPlan {
        let clock = times.time(message.queuedAt)
        var plan = RowPlan(
            form: .message, side: .outgoing, group: group, inside: blocks(message.content))
        plan.summary = LayoutStrings.fill(
            strings.message, ["name": strings.you, "time": clock])
        let icon: LayoutPart.Icon
        var spoken = ""
        switch message.state {
        case .queued: (icon, spoken) = (.queued, strings.queued)
        case .sending: (icon, spoken) = (.sending, strings.sending)
        case .accepted: (icon, spoken) = (.sent, strings.sent)
        case .failed:
            icon = .failed
            plan.below.append(.failure(strings.failed, .failed))
        case .unconfirmed:
            icon = .unconfirmed
            plan.below.append(.failure(strings.unconfirmed, .unconfirmed))
        }
        plan.inside.append(.footer(clock, icon: icon, spoken: spoken))
        return plan
    }

    private func name(_ user: UserID) -> String {
        guard let name = members[user]?.name else { return strings.unknownPerson }
        if name.isShown { return name }
        return user.rawValue.isShown ? user.rawValue : strings.unknownPerson
    }

    private func avatar(_ user: UserID) -> PartInput {
        .avatar(
            user, url: members[user]?.avatar,
            initial: name(user).firstShown.map { String($0).uppercased() } ?? "")
    }

    private func chip(_ reaction: Reaction) -> ReactionChip {
        let count = String(reaction.users.count)
        return ReactionChip(
            text: reaction.users.count > 1 ? "\(reaction.emoji) \(count)" : reaction.emoji,
            spoken: LayoutStrings.fill(
                strings.reaction, ["emoji": reaction.emoji, "count": count]),
            isOwn: me.map(reaction.users.contains) ?? false)
    }

    private func failure(_ failed: FailedChange) -> PartInput {
        switch failed.outcome {
        case .unconfirmed: return .failure(strings.changeUnconfirmed, .unconfirmed)
        case .failed: break
        }
        switch failed.change {
        case .edit: return .failure(strings.editFailed, .failed)
        case .delete: return .failure(strings.deletionFailed, .failed)
        case .reaction: return .failure(strings.reactionFailed, .failed)
        }
    }

    // MARK: Blocks

    /// The parts of a message's content. Texts that show nothing are left out; where nothing is
    /// left, the notice of content that cannot be shown stands for it.
    private func blocks(_ content: [ContentBlock]) -> [PartInput] {
        var parts: [PartInput] = []
        var tiles: [AlbumTile] = []
        var textRoom = measures.textLimit
        func endAlbum() {
            guard let first = tiles.first else { return }
            parts.append(.album(shown(tiles), block: first.block))
            tiles = []
        }
        for (number, block) in content.enumerated() {
            switch block {
            case .image(let media): tiles.append(tile(media, isVideo: false, number))
            case .video(let media): tiles.append(tile(media, isVideo: true, number))
            case .text(let text), .systemNotice(let text):
                guard text.isShown else { continue }
                endAlbum()
                parts.append(textRoom > 0 ? part(block, number) : .notice("…", block: number))
                textRoom -= min(text.utf8.count, TextPreparer.maximumByteCount)
            case .audio, .file, .linkPreview, .quote, .callRecord, .custom:
                endAlbum()
                parts.append(part(block, number))
            }
        }
        endAlbum()
        return parts.isEmpty ? [unsupported(0)] : parts
    }

    private func unsupported(_ block: Int) -> PartInput {
        .card(.unsupported, .unsupported, title: strings.unsupported, detail: "", block: block)
    }

    /// The pictures that are shown; the last one tells how many more there are.
    private func shown(_ tiles: [AlbumTile]) -> [AlbumTile] {
        let limit = max(1, measures.albumLimit)
        guard tiles.count > limit else { return tiles }
        var shown = Array(tiles.prefix(limit))
        let more = LayoutStrings.fill(strings.more, ["count": String(tiles.count - limit + 1)])
        shown[limit - 1].more = more
        shown[limit - 1].spoken += ", \(more)"
        return shown
    }

    private func tile(_ media: Media, isVideo: Bool, _ block: Int) -> AlbumTile {
        let told = media.width.flatMap { width in
            media.height.flatMap { height in
                width > 0 && height > 0 ? Double(width) / Double(height) : nil
            }
        }
        let duration = isVideo ? times.duration(media.durationMilliseconds) : nil
        let words = [isVideo ? strings.video : strings.photo, media.name, duration]
        return AlbumTile(
            media: media, isVideo: isVideo, ratio: told ?? ratios[media.url] ?? 4.0 / 3,
            spoken: words.compactMap(\.self).joined(separator: ", "), duration: duration,
            block: block)
    }

    private func part(_ block: ContentBlock, _ number: Int) -> PartInput {
        switch block {
        case .text(let text): return .body(text, block: number)
        case .image(let media): return .album([tile(media, isVideo: false, number)], block: number)
        case .video(let media): return .album([tile(media, isVideo: true, number)], block: number)
        case .audio(let media):
            return .sound(
                title: Self.filled(media.name) ?? strings.audio,
                detail: times.duration(media.durationMilliseconds) ?? "", block: number)
        case .file(let media):
            let detail = [times.size(media.byteCount, strings), Self.filled(media.type)]
            return .card(
                .file, .file, title: Self.filled(media.name) ?? strings.file,
                detail: detail.compactMap(\.self).joined(separator: " · "), block: number)
        case .linkPreview(let link):
            var shown = link
            shown.title = Self.filled(link.title) ?? Self.filled(link.url) ?? strings.link
            shown.summary = Self.filled(link.summary)
            return .link(shown, host: Self.host(of: link.url), block: number)
        case .quote(let quote):
            let author = quote.author == me ? strings.you : name(quote.author)
            return .quote(
                author: author, text: quote.excerpt,
                spoken: LayoutStrings.fill(
                    strings.quoted, ["name": author, "text": quote.excerpt]), block: number)
        case .callRecord(let call):
            return .card(
                .call, call.missed ? .missedCall : .call,
                title: call.missed ? strings.missedCall : strings.call,
                detail: call.missed ? "" : times.duration(call.durationMilliseconds) ?? "",
                block: number)
        case .systemNotice(let notice): return .notice(notice, block: number)
        case .custom: return unsupported(number)
        }
    }

    /// A text that says something.
    private static func filled(_ text: String?) -> String? {
        text.flatMap { $0.isShown ? $0 : nil }
    }

    /// The host of an address, as people read it.
    static func host(of url: String) -> String {
        var rest = url[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        if let end = rest.firstIndex(where: { "/?#".contains($0) }) { rest = rest[..<end] }
        if let user = rest.lastIndex(of: "@") { rest = rest[rest.index(after: user)...] }
        return rest.hasPrefix("www.") ? String(rest.dropFirst(4)) : String(rest)
    }

    // MARK: Between messages

    private func gap(_ gap: Gap) -> PartInput {
        let (words, icon): (String, LayoutPart.Icon) =
            switch gap.state {
            case .known: (strings.gapKnown, .gap)
            case .filling: (strings.gapFilling, .loading)
            case .failed: (strings.gapFailed, .failed)
            case .unrecoverable: (strings.gapUnrecoverable, .gap)
            }
        return .pill(.gap, words, icon, .status)
    }

    private func typing(_ users: [UserID]) -> RowPlan {
        let words =
            switch users.count {
            case 0, 1:
                LayoutStrings.fill(
                    strings.typingOne, ["name": users.first.map(name) ?? strings.unknownPerson])
            case 2:
                LayoutStrings.fill(
                    strings.typingTwo, ["first": name(users[0]), "second": name(users[1])])
            default: strings.typingMany
            }
        var plan = RowPlan(
            form: .message, side: .incoming, inside: [.notice(words, block: nil)])
        if let user = users.first, users.count == 1 { plan.avatar = avatar(user) }
        return plan
    }
}

extension [ContentBlock] {
    /// The notices that say something, where nothing else is there; nil where there is none.
    fileprivate var notices: [String]? {
        var notices: [String] = []
        for block in self {
            guard case .systemNotice(let notice) = block else { return nil }
            if notice.isShown { notices.append(notice) }
        }
        return notices.isEmpty ? nil : notices
    }
}
