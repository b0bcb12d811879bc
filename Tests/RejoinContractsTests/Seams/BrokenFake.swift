import RejoinContracts
import Testing

/// An implementation of a seam that breaks one rule, and the checks that find it.
struct BrokenFake: Sendable, CustomTestStringConvertible {
    let name: String
    /// The check that must find it.
    let check: String
    /// Further checks that may find it: one fault can break several promises.
    let also: Set<String>
    /// The seam's contract on the broken implementation.
    let checks: @Sendable () -> [ContractCheck]

    init(
        _ name: String, foundBy check: String, also: Set<String> = [],
        _ checks: @escaping @Sendable () -> [ContractCheck]
    ) {
        self.name = name
        self.check = check
        self.also = also
        self.checks = checks
    }

    var testDescription: String { "\(check.prefix { $0 != "." }): \(name)" }

    /// Proves that the contract finds the fault, and with the right check.
    func expectFound() async {
        var found: [String] = []
        for check in checks() {
            let result = await check.result()
            guard let failure = result.failure else { continue }
            failure.expectReadable()
            found.append(result.id)
        }
        #expect(found.contains(check), "found by \(found)")
        let unforeseen = Set(found).subtracting(also).subtracting([check])
        #expect(unforeseen.isEmpty, "found by \(unforeseen.sorted()), too")
    }
}

@Suite("Every contract can fail: each check finds a fault that is made for it")
struct BrokenFakeTests {
    static let tables: [[BrokenFake]] = [
        BrokenFake.histories, BrokenFake.senders, BrokenFake.reporters, BrokenFake.stores,
        BrokenFake.credentials, BrokenFake.selectors, BrokenFake.formats,
    ]

    @Test("A broken fake is found out", arguments: tables.flatMap(\.self))
    func found(_ fake: BrokenFake) async { await fake.expectFound() }

    @Test("No check of these contracts is without a fault that it finds")
    func complete() {
        for table in Self.tables {
            let checks = Set(table.first?.checks().map(\.id) ?? [])
            let missing = checks.subtracting(table.map(\.check))
            #expect(!checks.isEmpty)
            #expect(missing.isEmpty, "no fault for \(missing.sorted())")
        }
    }
}
