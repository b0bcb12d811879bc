import RejoinContracts
import RejoinModel
import RejoinTime
import Testing

@Suite("Contract checks")
struct ContractCheckTests {
    @Test("A failure reads like a colleague's review: expected, got, who is hurt")
    func failureText() async {
        let check = ContractCheck("seam.rule", promise: "P1") {
            try require(2, equals: 1, "seam.rule", whoIsHurt: "the reader")
        }
        let failure = await #expect(throws: ContractFailure.self) { try await check.run() }
        #expect(failure?.description == "seam.rule: expected 1; got 2. Who is hurt: the reader")
    }

    @Test("A check that is kept does not throw")
    func kept() async throws {
        try await ContractCheck("seam.rule", promise: "P1") {
            try require(1, equals: 1, "seam.rule", whoIsHurt: "nobody")
            try require(true, "seam.rule", expected: "", got: "", whoIsHurt: "nobody")
        }.run()
    }

    @Test("A seed fixes the sequence of a generator, and forks do not shift each other")
    func generator() {
        var one = SeededGenerator(seed: 42)
        var two = SeededGenerator(seed: 42)
        #expect((0..<8).map { _ in one.next() } == (0..<8).map { _ in two.next() })
        var fork = one.fork()
        var other = two.fork()
        #expect(fork.next() == other.next())
        #expect(one.next() == two.next())
    }
}
