internal import RejoinModel
internal import RejoinPipeline
internal import RejoinTime

extension Fault {
    /// What happens to a device.
    static let device: [Fault] = [
        .once("process killed", weight: 4) { world, random in
            let device = world.device(&random)
            guard device.power == .running else { return }
            device.killIn = random.int(0...60)
        },
        Fault("device sleeps", weight: 2, lasting: 5...180) { world, random in
            let device = world.device(&random)
            guard device.power == .running else { return nil }
            device.power = .asleep
            return { $0.wake(device) }
        },
        .once("wall clock jumps", weight: 1) { world, random in
            let seconds = random.int(-7_200...7_200)
            world.device(&random).wallOffset += .seconds(seconds)
        },
        Fault("store is slow", lasting: 5...60) { world, random in
            let device = world.device(&random)
            let wait = random.milliseconds(300...4_000)
            device.storeDelay += wait
            return { _ in device.storeDelay -= wait }
        },
        Fault("store refuses", lasting: 2...40) { world, random in
            let device = world.device(&random)
            let percent = random.int(30...100)
            device.storeFailures += percent
            return { _ in device.storeFailures -= percent }
        },
        Fault("sign-in cannot be reached", lasting: 2...40) { world, random in
            let device = world.device(&random)
            device.isSignInDown = true
            return { _ in device.isSignInDown = false }
        },
        .once("room closed and opened again") { world, random in
            let device = world.device(&random)
            guard device.power == .running else { return }
            let room = device.rooms[random.int(0...(device.rooms.count - 1))]
            let wait = random.milliseconds(random.chance(50) ? 0...500 : 500...20_000)
            let life = device.life
            if random.chance(40) { world.send(from: device, room, by: &random) }
            guard device.life == life else { return }
            if random.chance(40) { world.give(.room(room.index, .trigger(.manual)), to: device) }
            guard device.life == life else { return }
            world.close(room, on: device, for: wait)
        },
        .once("foreground and background in a row") { world, random in
            let device = world.device(&random)
            for _ in 0..<random.int(2...6) {
                world.suspend(device)
                world.enterForeground(device)
            }
        },
    ]
}
