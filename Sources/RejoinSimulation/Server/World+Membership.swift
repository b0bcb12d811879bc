internal import RejoinModel
internal import RejoinTime

// People who lose a room, and get it back or not; and days that pass.

extension World {
    /// A person is removed from a room: the server ends what they have of it.
    func remove(_ person: Int, from room: Int) {
        server.forbidden[room][person] = true
        for socket in liveSockets where devices[socket.device].person == person {
            guard let subscription = socket.link?.subscriptions.first(where: { $0.room == room })
            else { continue }
            forbid([("subscription", subscription.id)], socket)
        }
    }

    /// A person is a member again, and the host hears of it.
    func putBack(_ person: Int, into room: Int) {
        server.forbidden[room][person] = false
        for device in devices where device.person == person {
            planReadmission(to: room, device)
        }
    }

    /// The host will look whether a room can be had.
    func planReadmission(to room: Int, _ device: Device) {
        plan(
            .readmission(device: device.index, life: device.life, room: room), in: .seconds(3))
    }

    /// The host opens a room again from which the person was away.
    func readmit(_ device: Device, to index: Int) {
        let room = device.rooms[index]
        guard room.isRefused, !server.forbidden[index][device.person] else { return }
        close(room, on: device, for: .seconds(1))
    }

    /// Whether a device has lost a room for good: it is counted apart.
    func isRefused(_ device: Device, _ room: Int) -> Bool {
        server.revoked[device.index] || server.forbidden[room][device.person]
    }

    /// More than a day passes while nobody does anything: nothing is on its way any more, and the
    /// server has forgotten the keys of what was sent.
    func pass(_ time: Duration) {
        server.era += 1
        for room in server.rooms.indices { server.rooms[room].forgetKeys() }
        for device in devices { device.wallOffset += time }
        for socket in liveSockets { close(socket, Self.closed(1006)) }
    }
}
