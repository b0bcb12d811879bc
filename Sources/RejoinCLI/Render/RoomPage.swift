#if os(Linux)
import Foundation
import RejoinChat
import RejoinContracts
import RejoinJSON
import RejoinLayout
import RejoinModel
import RejoinWire

/// A room as it is drawn, from pages of its history.
enum RoomPage {
    /// The largest file that is read, in bytes.
    static let largestFile = 16 << 20

    /// Reads a file with a page, as the reference backend answers it.
    static func read(_ path: String) throws(CommandError) -> HistoryPage {
        let bytes = try InputFile.read(path, as: "the file", atMost: largestFile)
        let format = ReferenceFormat()
        do throws(JSONError) {
            return try JSONReader.read(bytes, limits: format.limits, format.readHistoryPage)
        } catch {
            throw .failure("the file '\(path)' is no page of history: \(error.forPeople)")
        }
    }

    /// The newest messages of a page; older ones count as not loaded.
    static func newest(_ limit: Int?, of page: HistoryPage) -> HistoryPage {
        guard let limit, page.messages.count > limit else { return page }
        var page = page
        page.messages.removeFirst(page.messages.count - limit)
        page.hasBefore = true
        return page
    }

    /// What is to be said of texts that are too long to be drawn whole; `nil`: nothing.
    static func note(on page: HistoryPage) -> String? {
        let long = page.messages.filter { message in
            message.content.contains { block in
                switch block {
                case .text(let text), .systemNotice(let text):
                    text.utf8.count > TextPreparer.maximumByteCount
                case .image, .video, .audio, .file, .linkPreview, .quote, .callRecord, .custom:
                    false
                }
            }
        }
        guard let first = long.first else { return nil }
        let others = long.count == 1 ? "" : " and of \(long.count - 1) more"
        return "the text of message \(first.id)\(others) is longer than "
            + "\(TextPreparer.maximumByteCount) bytes; what follows them is left out"
    }

    private static func page(_ answer: BackendAnswer) throws(BackendFailure) -> HistoryPage {
        guard case .history(let page) = answer else {
            throw BackendFailure(.malformedAnswer, "the answer is no page of history")
        }
        return page
    }

    /// Fetches the newest messages of a room.
    static func fetch(
        _ server: URL, _ room: RoomID, token: String, limit: Int
    ) async throws -> HistoryPage {
        let services = try ChatServices.platform(
            origin: server, credentials: FixedCredentials(.bearer(token)))
        let account = NetworkAccount(
            UserID(""), credentials: .bearer(token),
            network: BackendNetwork(
                format: services.format, exchange: services.exchange,
                progress: { StandardStreams.note("render: \($0)") }))
        do throws(BackendFailure) {
            var whole = try page(
                try await account.perform(.history(room, .newest, limit: min(limit, 100))))
            while whole.messages.count < limit, whole.hasBefore, let first = whole.messages.first {
                let older = try page(
                    try await account.perform(
                        .history(
                            room, .before(first.id),
                            limit: min(limit - whole.messages.count, 100))))
                guard !older.messages.isEmpty else { break }
                whole.messages = older.messages + whole.messages
                whole.members += older.members.filter { member in
                    !whole.members.contains { $0.id == member.id }
                }
                whole.from = older.from
                whole.hasBefore = older.hasBefore
            }
            return whole
        } catch {
            throw CommandError.failure("the room cannot be fetched from \(server): \(error)")
        }
    }

    /// The room that a page shows: what lies before and after it is shown as missing.
    static func snapshot(of page: HistoryPage) throws(CommandError) -> RoomSnapshot {
        let ids = page.messages.map(\.id)
        guard zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw .failure("the page's messages must ascend by id, each standing once")
        }
        var items = page.messages.map { TimelineSnapshot.Item.message($0) }
        if page.hasBefore {
            items.insert(.gap(Gap(from: nil, before: ids.first, reason: .notLoaded)), at: 0)
        }
        if page.hasAfter {
            items.append(.gap(Gap(from: ids.last, before: nil, reason: .notLoaded)))
        }
        let members = Dictionary(page.members.map { ($0.id, $0) }) { $1 }
        return RoomSnapshot(
            timeline: TimelineSnapshot(
                room: RoomID(""), version: SnapshotVersion(), window: .newest(), items: items,
                members: members, hasOlder: false, hasNewer: false))
    }
}
#endif
