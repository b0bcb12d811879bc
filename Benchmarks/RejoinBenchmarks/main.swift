// Each suite stands in a file of its own under Suites/; this list is all that knows them.
var suites: [Suite] = [.stomp, .json, .timeline, .catchUp, .flags, .rows]
#if canImport(CPango)
suites.append(.text)
#endif
await BenchmarkProgram.run(suites: suites)
