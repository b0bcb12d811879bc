import RejoinModel
import RejoinSimulation
import Testing

/// What runs are like: the figures that the simulator states of itself.
@Suite("Simulation options")
struct OptionsTests {
    @Test("One seed, one draw")
    func sameDraw() {
        #expect(SimulationOptions(seed: 7) == SimulationOptions(seed: 7))
        #expect(SimulationOptions(seed: 7) != SimulationOptions(seed: 8))
        #expect(SimulationOptions(seed: 7).description.contains("seed 7"))
    }

    @Test("The median run has 10 virtual minutes, 3 devices, 100 messages and 5 faults, or more")
    func median() {
        let results = (1...20).map { Simulation.run(seed: UInt64($0)) }
        func median(_ value: (SimulationResult) -> Double) -> Double {
            results.map(value).sorted()[results.count / 2]
        }
        #expect((450...800).contains(median { $0.virtualSeconds }))
        #expect(median { Double($0.options.people.count) } == 3)
        #expect((70...160).contains(median { Double($0.statistics.messages) }))
        #expect((4...12).contains(median { Double($0.statistics.faults) }))
    }

    @Test("Every capability is on in some runs and off in others")
    func swarm() {
        let all = (1...60).map { SimulationOptions(seed: UInt64($0)) }
        #expect(Set(all.map(\.capabilities.hasRevisions)).count == 2)
        #expect(Set(all.map(\.capabilities.hasSubscribeReceipts)).count == 2)
        #expect(Set(all.map(\.capabilities.commitOrder)).count == 2)
        #expect(Set(all.map(\.capabilities.idempotentSendRetention)).count == 2)
        #expect(Set(all.map(\.sendsBySocket)).count == 2)
        #expect(Set(all.map(\.serverBeats)).count == 2)
        #expect(Set(all.map(\.rooms)).count == 2)
    }
}
