internal import RejoinModel
internal import RejoinTime

extension Fault {
    /// What goes wrong at the server.
    static let backend: [Fault] = [
        Fault("server restart between commit and publish", weight: 2, lasting: 1...40) {
            world, random in
            world.server.isUp = false
            world.server.incarnation += 1
            let code: UInt16 = random.chance(50) ? 1012 : 1006
            for socket in world.liveSockets { world.close(socket, World.closed(code)) }
            return { $0.server.isUp = true }
        },
        Fault("broker drops for a slow consumer", lasting: 1...20) { world, random in
            guard let socket = world.socket(&random) else { return nil }
            socket.isOverrun = true
            world.hasSilentLoss = true
            return { _ in socket.isOverrun = false }
        },
        .once("broker disconnects a slow consumer") { world, random in
            if let socket = world.socket(&random) { world.fail(socket, code: nil) }
        },
        Fault("pages fail", weight: 2, lasting: 5...60) { world, random in
            let percent = random.int(30...100)
            world.server.failing += percent
            return { $0.server.failing -= percent }
        },
        .once("token expires", weight: 2) { world, random in
            let device = world.device(&random)
            world.server.tokens[device.index] += 1
            guard random.chance(50) else { return }
            for socket in world.liveSockets where socket.device == device.index {
                world.fail(socket, code: "token_expired")
            }
        },
        .once("token becomes invalid") { world, random in
            guard random.chance(30) else { return }
            let device = world.device(&random)
            world.server.revoked[device.index] = true
            for socket in world.liveSockets where socket.device == device.index {
                world.fail(socket, code: "token_invalid")
            }
        },
        Fault("member removed from a room", lasting: 2...60) { world, random in
            let person = world.device(&random).person
            let room = random.int(0...(world.options.rooms - 1))
            let isForGood = random.chance(15)
            guard !world.server.forbidden[room][person] else { return nil }
            world.remove(person, from: room)
            return isForGood ? nil : { $0.putBack(person, into: room) }
        },
        .once("more than a day passes") { world, random in
            world.pass(.seconds(random.int(108_000...200_000)))
        },
        .once("answers that come too late") { world, random in
            world.server.lateAnswers += random.int(1...4)
        },
        Fault("slow pages", lasting: 5...40) { world, random in
            let wait = random.milliseconds(1_000...8_000)
            world.server.pageDelay += wait
            return { $0.server.pageDelay -= wait }
        },
        .once("429 with Retry-After") { world, random in
            let device = world.device(&random)
            world.server.busyUntil[device.index] =
                world.now + .seconds(random.int(2...30))
            if random.chance(50), let socket = device.socket {
                world.close(socket, World.closed(1013))
            }
        },
        .once("lost acknowledgements of sends", weight: 2) { world, random in
            world.server.lostAcknowledgements[Request.Acknowledgement.send.rawValue] +=
                random.int(1...3)
        },
        .once("lost acknowledgements of edits") { world, random in
            world.server.lostAcknowledgements[Request.Acknowledgement.edit.rawValue] +=
                random.int(1...3)
        },
        .once("lost acknowledgements of deletions") { world, random in
            world.server.lostAcknowledgements[Request.Acknowledgement.delete.rawValue] +=
                random.int(1...3)
        },
        .once("lost acknowledgements of reactions") { world, random in
            world.server.lostAcknowledgements[Request.Acknowledgement.reaction.rawValue] +=
                random.int(1...3)
        },
        .once("lost acknowledgements of reads") { world, random in
            world.server.lostAcknowledgements[Request.Acknowledgement.read.rawValue] +=
                random.int(1...3)
        },
        .once("history trimmed") { world, random in
            let room = random.int(0...(world.options.rooms - 1))
            world.server.rooms[room].trim(keeping: random.int(3...40))
            if random.chance(30) { world.server.rooms[room].trimFeed() }
        },
        .once("change feed trimmed") { world, random in
            world.server.rooms[random.int(0...(world.options.rooms - 1))].trimFeed()
        },
        Fault("burst while a device is away", weight: 2, lasting: 5...40) { world, random in
            let device = world.device(&random)
            let room = random.int(0...(world.options.rooms - 1))
            let count = random.int(20...120)
            if let socket = device.socket { world.close(socket, World.closed(1006)) }
            device.isOffline = true
            for _ in 0..<count { world.write(in: room) }
            return { world in
                device.isOffline = false
                world.networkRestored(device)
            }
        },
    ]
}
