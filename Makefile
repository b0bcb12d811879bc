# Everything a fresh machine needs: `make demo` and `make test` install what is missing.

SWIFT ?= swift
export REJOIN_DEVELOPMENT = 1

.PHONY: help setup build demo test bench example plugins fuzz sanitize without-legacy check-apple lint
.PHONY: format clean

help:
	@echo "make demo     one conversation through both pipelines while the connection breaks"
	@echo "make test     all tests, with a real broker and real sockets"
	@echo "make example  build and run Examples/MiniHost"
	@echo "make plugins  prove in Examples/FlagsHost that the plugins keep their word"
	@echo "make fuzz     fuzz every decoder for FUZZ_SECONDS=60 each; FUZZ_TARGETS= chooses"
	@echo "make sanitize the tests under the thread and the address sanitizer; takes long"
	@echo "make without-legacy  what remains when the legacy pipeline is deleted"
	@echo "make check-apple  type-check the Apple views without an Apple SDK; runs nothing of them"
	@echo "make bench    benchmarks in release mode, as ratios to a peer"
	@echo "make lint     formatting and imports"
	@echo "make format   format the sources"

setup:
	@bash Scripts/setup.sh build

build: setup
	$(SWIFT) build

# What the build says goes to standard error, so that `--json` is all there is on standard output.
demo: setup
	@$(SWIFT) build --product rejoin >&2
	@"$$($(SWIFT) build --show-bin-path)/rejoin" demo $(DEMO_ARGUMENTS)

test:
	@bash Scripts/test.sh

example: setup
	cd Examples/MiniHost && $(SWIFT) run MiniHost

plugins:
	@bash Scripts/flags-host.sh

bench: setup
	@bash Benchmarks/Peers/setup.sh
	$(SWIFT) build -c release --product RejoinBenchmarks
	"$$($(SWIFT) build -c release --show-bin-path)/RejoinBenchmarks" $(BENCH_ARGUMENTS)

fuzz:
	@bash Fuzz/fuzz.sh $(FUZZ_TARGETS)

without-legacy:
	@bash Scripts/without-legacy.sh

check-apple:
	@bash Scripts/check-apple.sh

sanitize:
	@bash Scripts/sanitize.sh $(SANITIZERS)

lint:
	$(SWIFT) format lint --strict --parallel -r Sources Plugins Tests Benchmarks Examples Fuzz Package.swift

format:
	$(SWIFT) format -i --parallel -r Sources Plugins Tests Benchmarks Examples Fuzz Package.swift

clean:
	rm -rf .build Examples/*/.build
