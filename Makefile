# The commands of this project. Each one is described behind its ##, and `make` prints them.
# Needed: Go and, for the web, Node. What else the tests need is fetched by them, or they say how to get it.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run build release test test-later generate lint lint-go lint-vet lint-mod lint-shell fmt mcp-inspect \
	clients clients-install schema-gate bench engines litestream web pictures docker ci clean

# What `almanac version` prints.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)

# The packages of `make test`, and more arguments for the programs that are started:
# make test PKG=./projections/... ARGS=-v
# What takes longest comes first; at the end it would run alone on its processor.
PKG ?= ./resolvers ./internal/app ./adapters/store/... ./projections/plan ./internal/calsync ./...
ARGS ?=

# What is run, tested or shipped here meets no debugger: without its tables the compiler needs a sixth less time and a
# fifth less memory.
BARE := -gcflags=all=-dwarf=false

# The race detector watches every access to memory. SQLite, translated from C, makes very many and holds its own locks,
# so it is left out, and so is what reads texts alone and shares nothing: regular expressions, Unicode's tables, and the
# packages that read sentences. Everything else is watched. docs/decisions/0010-stores.md has the numbers.
PLAIN := projections/plan projections/fold projections/match
UNWATCHED := modernc.org/... regexp/... unicode/... $(PLAIN:%=almanac/%)
RACE := -trimpath -race $(BARE) $(foreach package,$(UNWATCHED),'-gcflags=$(package)=-dwarf=false -race=false')

GOLANGCI_LINT := go tool -modfile=tools/golangci-lint.mod golangci-lint

# A file of shell is found by its name or by its place.
SHELL_FILES = $(wildcard tools/*.sh) .ci/run

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: ## start the server with sample data and the home page on http://127.0.0.1:8080
	@echo "compiling (the first time takes one to three minutes) …"
	@go run $(BARE) . serve --demo $(ARGS)

# The tag leaves out grpc's pages of traces, whose html/template finds methods by name while it runs: with it the linker
# keeps every exported method. `go build` without the tag makes the same program, 5 MB bigger.
build: ## build bin/almanac, one static program
	CGO_ENABLED=0 go build -tags grpcnotrace -trimpath $(BARE) -ldflags '-s -w -X main.built=$(VERSION)' \
		-o bin/almanac .

release: ## build what is published into bin/release: archives, SBOMs, checksums (VERSION=1.2.3; ARGS="-targets linux/amd64")
	go run ./tools/release -version $(VERSION) $(ARGS)

# The packages that tests need, as tools/need.sh reads them.
TEST_NEEDS = cc,gcc:gcc,libc6-dev chromium,chromium-browser,google-chrome:chromium curl:curl

# The detector makes the garbage collector dear, so it works less often in tests: a sixth of their processor time.
TEST_GOGC := 400

# vet is left to lint, which asks more of it. The race detector would wait a second at the end of each test program, for
# goroutines that outlive main.
test: ## run every test on both stores, with the race detector (PKG=./some/package/... for some)
	@tools/need.sh $(TEST_NEEDS)
	GOGC=$(TEST_GOGC) GORACE=atexit_sleep_ms=0 tools/postgres.sh run go run ./tools/gotest -unwatched "$(PLAIN:%=./%)" \
		$(RACE) -vet=off -tags bench -timeout 60m $(ARGS) $(PKG)

# The packages of `make test-later`: those with connections, deadlines, expiry and leases. PKG=./... runs them all.
LATER = ./resolvers ./internal/auth ./internal/calsync ./internal/connect ./internal/embedding ./internal/extract \
	./internal/httpapi/... ./internal/mailfiles ./internal/mcp ./internal/outbox ./internal/reminders ./internal/websets \
	./adapters/exa ./adapters/gcal ./adapters/gmail ./adapters/google ./adapters/graphiti ./adapters/openai \
	./adapters/remote

# The date is moved as each test program is linked. The race detector has watched these tests in `make test`; without it
# they take a third of the time, and the packages are those that `make release` has compiled.
test-later: ## run the tests that depend on time as they will run in 400 days (PKG=./some/package/... for others)
	@tools/need.sh $(TEST_NEEDS)
	GOGC=$(TEST_GOGC) tools/postgres.sh run go run ./tools/later -days 400 -trimpath $(BARE) -vet=off -tags bench,grpcnotrace \
		-timeout 60m $(ARGS) $(if $(filter-out file,$(origin PKG)),$(PKG),$(LATER))

generate: ## write the generated code anew, from schema/
	go generate ./...

lint: lint-go lint-vet lint-mod lint-shell ## check style, likely mistakes, module files and shell (make -k lint: all)

lint-go:
	$(GOLANGCI_LINT) run

lint-vet:
	go vet -tags bench,citus,litestream ./...

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
	go run ./tools/inspector $(ARGS)

clients: clients-install ## run real clients (Relay, Apollo, urql) and the examples of docs/clients.md against a server
	$(if $(PROGRAM),,go build $(BARE) -o bin/almanac-clients .)
	cd tools/clients && npx --no relay-compiler relay.config.json && \
		SERVER_PROGRAM=$(or $(PROGRAM),$(CURDIR)/bin/almanac-clients) npm test

schema-gate: clients-install ## name what breaks clients against the schema before the change
	cd tools/clients && npm run --silent gate

clients-install:
	cd tools/clients && npm ci --no-audit --no-fund --ignore-scripts

bench: ## measure against the baselines on PostgreSQL; bench/README.md says how to read it
	tools/postgres.sh run go run -tags bench ./bench $(ARGS)

# Litestream is built from its source, which takes minutes the first time.
litestream: ## try continuous copies of the embedded database: a machine is lost, and restored from Litestream's replica
	go build -modfile=tools/litestream.mod -o bin/litestream github.com/benbjohnson/litestream/cmd/litestream
	LITESTREAM=$(CURDIR)/bin/litestream go test -trimpath $(BARE) -vet=off -tags bench,grpcnotrace,litestream \
		./internal/app -run '^TestAContinuousCopy$$' -count=1 -v $(ARGS)

engines: ## run the store's suite on PostgreSQL, behind PgBouncer, and on Citus; docs/engines.md says what each needs
	tools/engines.sh $(ARGS)

# OUT is another folder than web for what is built, which CI compares with what is committed.
web: ## build the assets of the home page and the explorer anew, into web/*/dist, and the page's types from schema/
	cd web/home && npm ci --no-audit --no-fund && GENERATED=$(if $(OUT),$(OUT)/gql/) npm run generate && \
		npm run build -- $(if $(OUT),--outDir $(OUT)/home --emptyOutDir)
	cd web/explorer && npm ci --no-audit --no-fund && npm run build -- $(if $(OUT),--outDir $(OUT)/explorer --emptyOutDir)

pictures: ## take the README's pictures of the home page anew
	go test ./internal/app -run '^TestHomePictures$$' -count=1 -pictures $(CURDIR)/docs/images

docker: ## build the image almanac:VERSION
	docker build --build-arg VERSION=$(VERSION) -t almanac:$(VERSION) .

ci: ## do what CI does, from lint to the last test
	.ci/run

clean: ## delete what was built, and the shared test server if it runs
	rm -rf bin
	tools/postgres.sh down
