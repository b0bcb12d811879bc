print("rejoin benchmarks")
