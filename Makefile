SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS := -s -w -X main.version=$(VERSION)

# Packages with goroutines, run with the race detector; the core has none.
RACE := ./cmd/boardd/... ./ctl/... ./daemon/... ./driver/... ./leds/... ./mqtt/... ./sensing/hand/...

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

.PHONY: demo
demo: build ## play a game by simulated hands in this terminal
	./bin/boardd demo

.PHONY: build
build: ## build bin/boardd for this machine
	CGO_ENABLED=0 go build -trimpath -ldflags "$(LDFLAGS)" -o bin/boardd ./cmd/boardd

.PHONY: test
test: deps ## all tests, none skipped; installs what they need
	go run ./scripts/tests -full -race '$(RACE)' -kernel too

.PHONY: test-kernel
test-kernel: deps ## home-made boards on a real Linux kernel, in emulated machines
	go run ./scripts/tests -full -kernel only

.PHONY: test-fast
test-fast: ## the tests that need nothing but Go, in less than 3 minutes
	CGO_ENABLED=0 go run ./scripts/tests -timeout 3m

.PHONY: lint
lint: ## format, vet, staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "not formatted (gofmt -w): $$unformatted"; exit 1; fi
	go vet ./...
	go vet -tags kernel ./kernel/...
	go tool staticcheck ./...
	go tool staticcheck -tags kernel ./kernel/...

.PHONY: cross
cross: ## static binaries for linux/arm (v6), arm64 and amd64 in dist/, with their sizes
	VERSION='$(VERSION)' scripts/cross.sh

.PHONY: package
package: ## Debian packages for armhf (ARMv6), arm64 and amd64 in dist/
	VERSION='$(VERSION)' scripts/package.sh

.PHONY: perft
perft: ## count all leaves of testdata/perft (long)
	BOARDD_TEST=full BOARDD_PERFT=all go test -count=1 -timeout 6h -v -run Perft ./rules

.PHONY: soak
soak: deps ## the recorded games at the pace at which they were played (long)
	BOARDD_TEST=full BOARDD_SOAK=1 go test -count=1 -timeout 6h -v -run '^TestSoak' ./...

.PHONY: soak-serial
soak-serial: ## GAMES games (200) on each emulated serial board over a bad line (long)
	BOARDD_SOAK_SERIAL=$(or $(GAMES),200) go test -count=1 -timeout 6h -v -run '^TestSoakSerial' ./cmd/boardd

.PHONY: chaos
chaos: deps ## EVENINGS (2) of games for each kind of trouble, in which broker, network, disk, boardd and power fail; and latencies (long)
	BOARDD_TEST=full BOARDD_CHAOS=$(or $(EVENINGS),2) go test -count=1 -timeout 6h -v -run '^TestSoak' ./chaos

.PHONY: bench
bench: ## benchmarks, and the rules beside stockfish and a Go library (docs/performance.md)
	go test -run '^$$' -bench . -benchmem ./...
	go -C scripts/bench build -o ../../bin/bench . && ./bin/bench

.PHONY: instructions
instructions: deps ## count the ARMv6 instructions of what boardd does most often (docs/performance.md)
	scripts/instructions.sh

.PHONY: test-service
test-service: deps ## the package under systemd itself, in an emulated machine (3 minutes, as root)
	rm -rf dist/service
	VERSION=v0.0.1 ARCHES=amd64 DIST=dist/service scripts/package.sh
	packaging/boot.sh "$$(packaging/root.sh)" dist/service/boardd_0.0.1_amd64.deb

.PHONY: accuracy
accuracy: ## how well hands are read, over GAMES real games (1000); writes docs/accuracy.md (long)
	BOARDD_ACCURACY=$(or $(GAMES),full) go test -count=1 -timeout 6h -v -run 'TestAccuracy$$' ./game

.PHONY: fit
fit: build ## estimate the tracker's prices from FILES (recordings with the key "truth"); without, from 300 simulated games
	@if [ -n "$(FILES)" ]; then ./bin/boardd fit $(FILES); else for style in slow club blitz; do ./bin/boardd fit --make 100 --style $$style; done | ./bin/boardd fit -; fi

.PHONY: fuzz
fuzz: ## every fuzz test for FUZZ seconds (60)
	scripts/fuzz.sh $(or $(FUZZ),60)

.PHONY: deps
deps: ## install what the tests need besides Go
	scripts/deps.sh

.PHONY: clean
clean: ## remove what was built
	rm -rf bin dist
