import RejoinModel
import RejoinTime

/// What an update does to the cells, which stand one to one beside the rows of the snapshot.
struct CellUpdate {
    /// The rows of the snapshot that go and come, moved ones among both.
    var shift: IndexShift
    /// Old places of rows that show something else.
    var reloads: [Int]
    /// Whether what stands before the first message is to be asked anew.
    var touchesFirst = false
}

/// What an update does to the rows of the list.
private struct RowEdits {
    /// Old places.
    var gone: [Int] = []
    /// New places and what stands there.
    var come: [(place: Int, row: TimelineRow)] = []
    /// Old places and what is shown there now.
    var reloads: [(place: Int, row: TimelineRow)] = []
}

extension RowComposer {
    /// Carries an update out: first the cells, then what follows from neighbours, then the rows.
    mutating func perform(
        _ update: CellUpdate, _ snapshotRows: [RoomRow], tail newTail: TimelineRow?
    ) -> RowChangeSet {
        let old = cells
        var edits = RowEdits()
        for place in update.shift.gone {
            let start = Int(old.sum(before: place).extent)
            let cell = old[place]
            edits.gone += start..<start + cell.leadIn.count + 1
            if let header = cell.leadIn.header { headers.release(header) }
        }
        replaceCells(update, snapshotRows)
        let touched = touchedCells(update)
        lead(in: touched)
        for place in touched { note(place, update, old, &edits) }
        note(newTail, oldCount: rows.count, &edits)
        tail = newTail
        headers.endUpdate()
        return apply(edits)
    }

    private mutating func replaceCells(_ update: CellUpdate, _ rows: [RoomRow]) {
        guard var days else { return }
        for run in update.shift.gone.runs.reversed() { cells.remove(run) }
        for run in update.shift.come.runs {
            cells.insert(
                contentsOf: run.map { RowCell(rows[$0], me: me, days: &days) },
                at: run.lowerBound)
        }
        for old in update.reloads {
            guard let place = update.shift.newPlace(of: old) else { continue }
            let before = cells[place]
            var cell = RowCell(rows[place], me: me, days: &days)
            cell.leadIn = before.leadIn
            cell.group = before.group
            cells.replace(place, with: cell)
        }
        self.days = days
    }

    // MARK: Neighbours

    /// The cells that changed and the messages beside them, ascending.
    private func touchedCells(_ update: CellUpdate) -> [Int] {
        var touched = update.shift.come
        func touchNeighbours(_ run: Range<Int>) {
            if let previous = message(before: run.lowerBound) { touched.append(previous) }
            if let next = message(from: run.upperBound) { touched.append(next) }
        }
        for run in update.shift.come.runs { touchNeighbours(run) }
        for run in update.shift.gone.runs {
            let place = update.shift.newPlace(following: run.lowerBound)
            touchNeighbours(place..<place)
        }
        for place in update.reloads.compactMap(update.shift.newPlace) {
            touched.append(place)
            touchNeighbours(place..<place + 1)
        }
        if update.touchesFirst, let first = message(from: 0) { touched.append(first) }
        touched.sort()
        var last = -1
        touched.removeAll { place in
            defer { last = place }
            return place == last
        }
        return touched
    }

    private func message(before place: Int) -> Int? {
        var place = place - 1
        while place >= 0 {
            if !cells[place].isGap { return place }
            place -= 1
        }
        return nil
    }

    private func message(from place: Int) -> Int? {
        var place = place
        while place < cells.count {
            if !cells[place].isGap { return place }
            place += 1
        }
        return nil
    }

    /// Decides anew what stands before each of these messages, and where in a run they stand.
    private mutating func lead(in places: [Int]) {
        var beginners: [Int] = []
        for place in places {
            var cell = cells[place]
            guard let facts = cell.facts else { continue }
            let previous = message(before: place)
            let next = message(from: place + 1)
            cell.leadIn.hasDivider = hasDivider(before: place, previous)
            cell.group = GroupPosition(
                hasPrevious: joins(previous, place), hasNext: joins(place, next))
            let begins = beginsDay(place, previous)
            if let header = cell.leadIn.header, !begins || header.start != facts.day {
                headers.release(header)
                cell.leadIn.header = nil
            }
            if begins, cell.leadIn.header == nil { beginners.append(place) }
            cells.replace(place, with: cell)
        }
        // Only now, so that a header which one message gave up can go to another before it.
        for place in beginners {
            var cell = cells[place]
            cell.leadIn.header = cell.facts.map { headers.take($0.day) }
            cells.replace(place, with: cell)
        }
    }

    private func beginsDay(_ place: Int, _ previous: Int?) -> Bool {
        guard let facts = cells[place].facts, let previous, let before = cells[previous].facts
        else {
            return true
        }
        // The clock of this device alone does not take the list back to an earlier day.
        return facts.message == nil ? facts.day > before.day : facts.day != before.day
    }

    private func hasDivider(before place: Int, _ previous: Int?) -> Bool {
        guard let unread, let id = cells[place].facts?.message else { return false }
        if let read = unread.after, id <= read { return false }
        guard let previous else { return place == 0 && !hasOlder }
        guard let read = unread.after, let before = cells[previous].facts?.message else {
            return false
        }
        return before <= read
    }

    /// Whether two messages stand in one run.
    private func joins(_ first: Int?, _ second: Int?) -> Bool {
        guard let first, let second, second - first == 1, let a = cells[first].facts,
            let b = cells[second].facts, a.groups, b.groups, a.author != nil,
            a.author == b.author, a.day == b.day
        else { return false }
        let distance = a.time.duration(to: b.time)
        return max(distance, .zero - distance) <= groupingInterval
            && !hasDivider(before: second, first)
    }

    // MARK: Rows

    private func note(
        _ place: Int, _ update: CellUpdate, _ old: SumTree<RowCell>, _ edits: inout RowEdits
    ) {
        guard let days else { return }
        let cell = cells[place]
        let start = Int(cells.sum(before: place).extent)
        let rows = cell.rows(days)
        guard let oldPlace = update.shift.oldPlace(of: place) else {
            for (index, row) in rows.enumerated() { edits.come.append((start + index, row)) }
            return
        }
        let oldCell = old[oldPlace]
        var oldRow = Int(old.sum(before: oldPlace).extent)
        var newRow = start
        for (was, isNow) in zip(oldCell.leadIn.ids, cell.leadIn.ids) {
            if was != isNow {
                if was != nil { edits.gone.append(oldRow) }
                if isNow != nil { edits.come.append((newRow, rows[newRow - start])) }
            }
            oldRow += was == nil ? 0 : 1
            newRow += isNow == nil ? 0 : 1
        }
        if oldCell.id != cell.id {
            edits.gone.append(oldRow)
            edits.come.append((newRow, cell.timelineRow))
        } else if oldCell.group != cell.group || update.reloads.holds(oldPlace) {
            edits.reloads.append((oldRow, cell.timelineRow))
        }
    }

    private func note(_ newTail: TimelineRow?, oldCount: Int, _ edits: inout RowEdits) {
        let newPlace = Int(cells.total.extent)
        switch (tail, newTail) {
        case (nil, nil): break
        case (nil, let new?): edits.come.append((newPlace, new))
        case (.some, nil): edits.gone.append(oldCount - 1)
        case (let old?, let new?):
            if old != new { edits.reloads.append((oldCount - 1, new)) }
        }
    }

    /// Finds rows that went and came back, and carries the change out.
    private mutating func apply(_ edits: RowEdits) -> RowChangeSet {
        var (gone, come) = (edits.gone, edits.come.map(\.place))
        var pairs: [RowChangeSet.Pair] = []
        if !gone.isEmpty, !come.isEmpty {
            var places: [TimelineRowID: Int] = [:]
            for place in gone { places[rows[place].id] = place }
            for (place, row) in edits.come {
                guard let old = places.removeValue(forKey: row.id) else { continue }
                pairs.append(.init(old: old, new: place, isChanged: rows[old] != row))
            }
            let (left, taken) = (Set(pairs.map(\.old)), Set(pairs.map(\.new)))
            gone.removeAll { left.contains($0) }
            come.removeAll { taken.contains($0) }
        }
        let change = RowChangeSet(
            from: version, to: version.following(), oldCount: rows.count,
            newCount: Int(cells.total.extent) + (tail == nil ? 0 : 1), gone: gone, come: come,
            pairs: pairs, reloads: edits.reloads.lazy.map(\.place))
        guard !change.isEmpty else {
            return RowChangeSet(unchanged: rows.count, from: version, to: version)
        }
        version = change.to
        let new = Dictionary(uniqueKeysWithValues: edits.come.lazy.map { ($0.place, $0.row) })
        rows.apply(change) { new[$0] }
        for (place, row) in edits.reloads {
            if let place = change.placeKept(of: place) { rows[place] = row }
        }
        return change
    }
}

extension RowList {
    /// Takes out what a change set says is gone, and puts in what came; `element` tells what stands
    /// at a new place that is new, moved or reloaded, or `nil` for what stays as it is.
    ///
    /// - Complexity: O(k) in what changed.
    mutating func apply(_ change: RowChangeSet, _ element: (Int) -> Element?) {
        for run in change.shift.gone.runs.reversed() { remove(run) }
        for run in change.shift.come.runs {
            insert(contentsOf: run.compactMap(element), at: run.lowerBound)
        }
        for old in change.reloads {
            guard let place = change.placeKept(of: old), let new = element(place) else { continue }
            self[place] = new
        }
    }
}
