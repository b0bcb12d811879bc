import Foundation
import RejoinFlags
import Synchronization

extension Suite {
    /// Flag checks against the same behind a lock and a dictionary, and against Python.
    static let flags = Suite(
        name: "flags",
        summary: "checks of 64 flags: settled, through the registry, targeted, in percent"
    ) { report in try FlagsBenchmark(report).run() }
}

private struct FlagsBenchmark {
    private let report: Report
    private let registry: FlagRegistry
    private let plain: ContiguousArray<Bool>
    private let locked: LockedFlags
    private let context = FlagContext(
        targetingKey: "01HZX3K9Q7W4E6R8T0Y2U1I5",
        attributes: [
            "product": "messenger", "appVersion": "6.2.1", "region": "eu-west",
            "email": "ann@mail.example",
        ])

    private static let flagCount = 64
    private static let targeted = FlagKey("targeted", at: flagCount, default: false)
    private static let fractional = FlagKey("fractional", at: flagCount + 1, default: false)
    private static let checks = 1_000_000
    private static let evaluations = 50_000

    init(_ report: Report) throws {
        self.report = report
        let names = (0..<Self.flagCount).map { "feature.\($0)" }
        let settled = names.enumerated().map { index, name in
            FlagKey(name, at: index, default: false)
        }
        let file = try Self.file(names)
        let catalogue = FlagCatalogue(
            settled.map(\.declaration) + [Self.targeted.declaration, Self.fractional.declaration])
        registry = FlagRegistry(catalogue: catalogue, floor: file)
        let flags = registry.snapshot
        let context = context
        plain = ContiguousArray(settled.map { flags.isOn($0, for: context) })
        locked = LockedFlags(
            Dictionary(
                uniqueKeysWithValues: (settled + [Self.targeted, Self.fractional]).map { key in
                    (key.name, { @Sendable context in flags.isOn(key, for: context) })
                }), names: names)
    }

    /// Writes the file that the Python peer reads too.
    private static func file(_ names: [String]) throws -> ContiguousArray<UInt8> {
        let settled = names.enumerated().map { index, name in
            #""\#(name)":{"state":"ENABLED","variants":{"on":true,"off":false},"#
                + #""defaultVariant":"\#(index.isMultiple(of: 3) ? "on" : "off")"}"#
        }
        let rules = [
            #""targeted":{"state":"ENABLED","variants":{"on":true,"off":false},"#
                + #""defaultVariant":"off","targeting":{"if":["#
                + #"{"in":[{"var":"product"},["kiosk","support"]]},"off","#
                + #"{"ends_with":[{"var":"email"},"@corp.example"]},"on","#
                + #"{"==":[{"var":"region"},"eu-west"]},"on","off"]}}"#,
            #""fractional":{"state":"ENABLED","variants":{"on":true,"off":false},"#
                + #""defaultVariant":"off","targeting":{"fractional":["#
                + #"{"cat":["2026-11:",{"var":"targetingKey"}]},["on",20],["off",80]]}}"#,
        ]
        let text = #"{"flags":{\#((settled + rules).joined(separator: ","))}}"#
        try FileManager.default.createDirectory(
            at: Peers.built, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: Peers.built.appending(path: "flags.json"))
        return ContiguousArray(text.utf8)
    }

    func run() throws {
        let python = try PeerProcess(
            Peers.built.appending(path: "flagd-py"),
            [Peers.built.appending(path: "flags.json").path])
        try settled(python)
        try evaluated("targeted check", Self.targeted, "targeted", python)
        try evaluated("fractional check", Self.fractional, "fractional", python)
    }

    // MARK: Settled flags

    private func settled(_ python: PeerProcess?) throws {
        report.progress("settled checks, \(Measure.rounds) rounds of \(Self.checks)")
        let flags = registry.snapshot
        let context = context
        var reader = registry.reader()
        let times = try Measure.medians([
            { Measure.processorNanoseconds { keep(self.readArray()) } },
            { Measure.processorNanoseconds { keep(self.checkHeld(flags, context)) } },
            { Measure.processorNanoseconds { keep(self.checkRegistry(&reader, context)) } },
            { Measure.processorNanoseconds { keep(self.checkLocked(context)) } },
            { try python?.round("static") },
        ]).map { $0.map { $0 / Double(Self.checks) } }
        guard let array = times[0], let held = times[1], let current = times[2] else { return }
        // A Python round is a hundredth as long.
        let slow = times[4].map { $0 * 100 }
        report.add(
            .cost(
                "held snapshot check", held, "ns",
                peers: [
                    ("Mutex and [String: …]", times[3], 5), ("flagd-core (Python)", slow, 10),
                ]))
        report.add(
            Figure(
                name: "held check to an array read", value: held / array, unit: "times",
                bound: .atMost(5)))
        report.add(
            .cost(
                "registry check", current, "ns",
                peers: [
                    ("Mutex and [String: …]", times[3], 2), ("flagd-core (Python)", slow, 10),
                ]))
        if let count = Measure.allocations({ keep(checkHeld(flags, context)) }) {
            report.add(
                Figure(
                    name: "held check, memory", value: count / Double(Self.checks),
                    unit: "allocations/check", bound: .atMost(0)))
        }
    }

    @inline(never)
    private func readArray() -> Int {
        var on = 0
        for check in 0..<Self.checks where plain[check % Self.flagCount] { on += 1 }
        return on
    }

    @inline(never)
    private func checkHeld(_ flags: FlagSnapshot, _ context: FlagContext) -> Int {
        var on = 0
        for check in 0..<Self.checks
        where flags.isOn(
            FlagKey("feature", at: check % Self.flagCount, default: false), for: context)
        {
            on += 1
        }
        return on
    }

    @inline(never)
    private func checkRegistry(_ reader: inout FlagReader, _ context: FlagContext) -> Int {
        var on = 0
        for check in 0..<Self.checks
        where reader.current().isOn(
            FlagKey("feature", at: check % Self.flagCount, default: false), for: context)
        {
            on += 1
        }
        return on
    }

    @inline(never)
    private func checkLocked(_ context: FlagContext) -> Int {
        var on = 0
        for check in 0..<Self.checks
        where locked.isOn(locked.names[check % Self.flagCount], for: context) {
            on += 1
        }
        return on
    }

    // MARK: Evaluated flags

    private func evaluated(
        _ name: String, _ key: FlagKey<Bool>, _ task: String, _ python: PeerProcess?
    ) throws {
        report.progress("\(name), \(Measure.rounds) rounds of \(Self.evaluations)")
        let flags = registry.snapshot
        let context = context
        let times = try Measure.medians([
            {
                Measure.processorNanoseconds {
                    for _ in 0..<Self.evaluations { keep(flags.isOn(key, for: context)) }
                }
            },
            {
                Measure.processorNanoseconds {
                    for _ in 0..<Self.evaluations { keep(self.locked.isOn(key.name, for: context)) }
                }
            },
            { try python?.round(task) },
        ]).map { $0.map { $0 / Double(Self.evaluations) } }
        guard let own = times[0] else { return }
        // A Python round is a fifth as long.
        var figure = Figure.cost(
            name, own, "ns",
            peers: [
                ("Mutex and [String: …]", times[1], nil),
                ("flagd-core (Python)", times[2].map { $0 * 5 }, 5),
            ])
        figure.bound = .atMost(1_000)
        report.add(figure)
        if let count = Measure.allocations({
            for _ in 0..<100 { keep(flags.isOn(key, for: context)) }
        }) {
            report.add(
                Figure(name: "\(name), memory", value: count / 100, unit: "allocations/check"))
        }
    }
}

/// How flags are usually kept: by name, behind a lock.
private final class LockedFlags: Sendable {
    let names: [String]
    private let flags: Mutex<[String: @Sendable (FlagContext) -> Bool]>

    init(_ flags: [String: @Sendable (FlagContext) -> Bool], names: [String]) {
        self.names = names
        self.flags = Mutex(flags)
    }

    func isOn(_ name: String, for context: FlagContext) -> Bool {
        let check = flags.withLock { $0[name] }
        return check?(context) ?? false
    }
}
