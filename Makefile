# The commands of this project. Each one is described behind its ##, and `make` prints them.
# Needed: Go and, for the web, Node. What else the tests need is fetched by them, or they say how to get it.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run build test test-later generate lint lint-go lint-vet lint-mod lint-shell fmt mcp-inspect bench web docker ci clean

# What `almanac version` prints.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

# The packages of `make test`, and more arguments for the programs that are started: make test PKG=./projections/... ARGS=-v
PKG ?= ./...
ARGS ?=

# What `make test-later` leaves out: packages that are handed every time by their tests, and those that measure.
TIMELESS := bench|projections|adapters/store|graph|migrations|web/browsertest

# The race detector watches every access to memory. SQLite, translated from C, makes very many and holds its own locks, so it is
# left out; what is ours is watched as before. docs/decisions/0010-stores.md has the numbers.
RACE := -race -gcflags=modernc.org/...=-race=false

GOLANGCI_LINT := go tool -modfile=tools/golangci-lint.mod golangci-lint

# A file of shell is found by its name or by its place.
SHELL_FILES = $(wildcard tools/*.sh) .ci/run

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## start the server with sample data and the explorer on http://127.0.0.1:8080
	go run . serve --demo $(ARGS)

build: ## build bin/almanac, one static program
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.built=$(VERSION)' -o bin/almanac .

test: ## run every test on both stores, with the race detector (PKG=./some/package/... for some)
	@tools/need.sh cc,gcc:gcc,libc6-dev chromium,chromium-browser,google-chrome:chromium
	tools/postgres.sh run go run ./tools/gotest $(RACE) -timeout 30m $(ARGS) $(PKG)

test-later: ## run the tests that have clocks and connections 400 days ahead, without the race detector
	@tools/need.sh chromium,chromium-browser,google-chrome:chromium
	tools/postgres.sh run go run ./tools/later -days 400 -ldflags='-s -w' -timeout 30m $(ARGS) \
		$$(go list $(PKG) | grep -Ev '^almanac/($(TIMELESS))(/|$$)')

generate: ## write the generated code anew, from schema/
	go generate ./...

lint: lint-go lint-vet lint-mod lint-shell ## check style, likely mistakes, module files and shell (make -k lint: all findings at once)

lint-go:
	$(GOLANGCI_LINT) run

lint-vet:
	go vet ./...

lint-mod:
	go mod tidy -diff

lint-shell:
	@if command -v shellcheck >/dev/null; then \
		echo shellcheck $(SHELL_FILES); shellcheck $(SHELL_FILES); \
	else \
		echo "shellcheck is not here, so the shell files go unchecked (Debian: apt-get install shellcheck)"; \
	fi

fmt: ## format the code as lint wants it
	$(GOLANGCI_LINT) fmt

mcp-inspect: ## look at /mcp with the official MCP inspector, in the pinned version
	go run ./tools/inspector

bench: ## measure against the baselines on PostgreSQL; bench/README.md says how to read it
	tools/postgres.sh run go run ./bench $(ARGS)

web: ## build the explorer's assets anew, into web/explorer/dist
	cd web/explorer && npm ci --no-audit --no-fund && npm run build

docker: ## build the image almanac:VERSION
	docker build --build-arg VERSION=$(VERSION) -t almanac:$(VERSION) .

ci: ## do what CI does, from lint to the last test
	.ci/run

clean: ## delete what was built, and the shared test server if it runs
	rm -rf bin
	tools/postgres.sh down
