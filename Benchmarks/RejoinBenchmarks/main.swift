// Each suite stands in a file of its own under Suites/; this list is all that knows them.
await BenchmarkProgram.run(suites: [
    .stomp, .json, .timeline, .catchUp, .flags,
])
