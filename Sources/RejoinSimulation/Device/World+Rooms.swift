internal import RejoinKit
internal import RejoinModel
internal import RejoinPipeline
internal import RejoinTime
internal import RejoinTransport

// Rooms that the host closes and opens again while the process lives, as `ChatRoom.close()` and
// `ChatClient.room(_:)` do.

extension World {
    /// Closes a room, and opens it again after a while.
    func close(_ room: DeviceRoom, on device: Device, for wait: Duration) {
        guard device.power == .running, !room.isClosing else { return }
        note(device, "\(room.id): is closed")
        room.isClosing = true
        device.isClosingRooms = true
        let life = device.life
        plan(
            .closingOver(
                device: device.index, life: life, room: room.index, opening: room.opening),
            in: .seconds(5))
        plan(.reopening(device: device.index, life: life, room: room.index), in: wait)
        give(.room(room.index, .close), to: device)
        guard device.life == life else { return }
        give(.stomp(.unsubscribe(room.key)), to: device)
        guard device.life == life else { return }
        endSettledRooms(of: device)
    }

    /// Closing has waited long enough for the store and the server.
    func closingOver(_ device: Device, _ index: Int, _ opening: Int) {
        let room = device.rooms[index]
        guard room.opening == opening, room.isClosing, !room.isEnded else { return }
        end(room, on: device)
    }

    func endSettledRooms(of device: Device) {
        guard device.isClosingRooms, !device.isDraining else { return }
        for room in device.rooms where room.isClosing && !room.isEnded && room.isSettled {
            end(room, on: device)
        }
    }

    /// Nothing is set for a closed room any more, and nothing is asked for it.
    private func end(_ room: DeviceRoom, on device: Device) {
        note(device, "\(room.id): has ended")
        room.isEnded = true
        room.timers = ArmedTimers()
        device.fetches.cancelAll(in: room.id)
        device.isClosingRooms = device.rooms.contains { $0.isClosing && !$0.isEnded }
    }

    /// Opens a closed room once what an earlier opening had on its way is stored.
    func reopen(_ index: Int, on device: Device) {
        let old = device.rooms[index]
        guard old.isClosing else { return }
        guard old.line.isEmpty else {
            return plan(
                .reopening(device: device.index, life: device.life, room: index),
                in: .milliseconds(50))
        }
        if !old.isEnded { end(old, on: device) }
        note(device, "\(old.id): is opened again")
        let room = open(index, on: device)
        room.ownUnread = old.ownUnread
        device.rooms[index] = room
        oracle.resumed(room, device, in: self)
        forgetStoredEchoes(index, on: device)
        enter(room, on: device)
    }

    /// A send that the server has stored may have left the outbox in one transaction and not have
    /// come to the timeline in the other: then catching up brings it.
    func forgetStoredEchoes(_ room: Int, on device: Device) {
        device.echoes[room].removeAll { acts[$0].creations > 0 }
    }
}
