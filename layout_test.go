package main_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The rules that a compiler does not hold, as an ordinary test. It reads the sources and runs nothing.

// complete says that every area of the table must be there.
const complete = true

// An area is a folder with everything below it that is no area of its own. A package imports only areas of layers below
// its own, and packages of its own area.
type area struct {
	layer int
	// support marks what only tests import; layers do not bind it.
	support bool
	// optional marks an area that may be missing.
	optional bool
}

// areas is the table of the layers, by folder; the longest folder that fits counts, "." is the module's root.
var areas = map[string]area{
	".":            {layer: 10},
	"internal/cli": {layer: 9},
	"internal/app": {layer: 8},
	"bench":        {layer: 10},
	"tools":        {layer: 10},
	"schema":       {layer: 1, optional: true}, // holds Go only if something embeds the contract
	"web":          {layer: 2},
	"docs":         {layer: 10},
	"resolvers":    {layer: 7},
	// The agenda reads through other domains and the agent acts through one, by interfaces of their own.
	"resolvers/agenda":    {layer: 5},
	"resolvers/actions":   {layer: 5},
	"resolvers/agent":     {layer: 5},
	"resolvers/channels":  {layer: 5},
	"resolvers/emails":    {layer: 5},
	"resolvers/events":    {layer: 5},
	"resolvers/icalendar": {layer: 5},
	"resolvers/knowledge": {layer: 5},
	"resolvers/memories":  {layer: 5},
	"resolvers/tasks":     {layer: 5},
	"resolvers/users":     {layer: 5},
	"resolvers/websets":   {layer: 5},
	"resolvers/core":      {layer: 4},
	// What is decided of events, as plain values: events decides and applies, the agent passes it on.
	"resolvers/events/decision": {layer: 4},
	// Where events are read and written: own calendars, linked ones and their copies, by the same methods.
	"resolvers/events/calendars": {layer: 4},
	"internal/httpapi":           {layer: 4},
	"internal/reminders":         {layer: 4},
	"internal/connect":           {layer: 4},
	"internal/calsync":           {layer: 4},
	"internal/embedding":         {layer: 4},
	"internal/outbox":            {layer: 4},
	"internal/delivery":          {layer: 4},
	"internal/mailfiles":         {layer: 4},
	"internal/calendarfiles":     {layer: 4},
	"internal/feedsync":          {layer: 4},
	"internal/knowledge":         {layer: 4},
	"internal/extract":           {layer: 4},
	"internal/agent":             {layer: 4},
	"internal/mcp":               {layer: 4, optional: true},
	"internal/websets":           {layer: 4, optional: true},
	// A base answers in the words of the contract one layer below.
	"adapters/graphiti": {layer: 4},
	// Own calendars are asked as gcal's are, and move their series by its arithmetic.
	"adapters/owncal": {layer: 4},

	"graph":                   {layer: 3},
	"graph/sdl":               {layer: 1},
	"adapters/store/record":   {layer: 3},
	"adapters/store/watched":  {layer: 3},
	"adapters/store/sqlite":   {layer: 3},
	"adapters/store/postgres": {layer: 3},
	"adapters/gcal":           {layer: 3},
	"adapters/gmail":          {layer: 3},
	"adapters/exa":            {layer: 3},
	"adapters/feeds":          {layer: 3},
	"adapters/calfiles":       {layer: 3},
	"adapters/mirror":         {layer: 3},
	// Searches over a store, whichever it is.
	"adapters/memorysearch": {layer: 3},
	"adapters/knowledge":    {layer: 3},
	"adapters/openai":       {layer: 3},
	"internal/auth":         {layer: 3},
	"internal/demo":         {layer: 3},
	"internal/standin":      {layer: 3},

	"projections":        {layer: 2},
	"adapters/store":     {layer: 2},
	"adapters/google":    {layer: 2},
	"migrations":         {layer: 2},
	"internal/config":    {layer: 2},
	"internal/clock":     {layer: 2},
	"internal/seal":      {layer: 2},
	"internal/telemetry": {layer: 2},
	// The few types that the HTTP handler and the resolvers share; it imports the model alone.
	"internal/httpapi/edge": {layer: 2},
	// What users share, for all that answers HTTP.
	"internal/httpapi/share": {layer: 2},

	"graph/model": {layer: 1},
	// Pages of HTML; the standard library alone.
	"internal/markup": {layer: 1},
	// How any other server is called; it knows none of them, nor anything of ours.
	"adapters/remote": {layer: 1},
	// The mark of an operation that must change nothing; the standard library alone.
	"internal/dryrun": {layer: 0},
	// How many jobs of a worker run at once; the standard library alone.
	"internal/slots": {layer: 1},

	"adapters/store/storetest":              {layer: 2, support: true},
	"adapters/knowledge/knowledgetest":      {layer: 3, support: true},
	"internal/pgtest":                       {layer: 2, support: true},
	"internal/teststore":                    {layer: 2, support: true},
	"internal/standin/readmetest":           {layer: 3, support: true},
	"internal/httpapi/internal/testschema":  {layer: 4, support: true, optional: true},
	"internal/httpapi/internal/faultschema": {layer: 4, support: true},
	"internal/httpapi/internal/fakeengine":  {layer: 4, support: true, optional: true},
	"internal/httpapi/internal/pipenet":     {layer: 4, support: true, optional: true},
	"web/browsertest":                       {layer: 4, support: true},
}

// pure lists areas that do no I/O and read no clock, so everything that does is out of their reach.
var pure = map[string]string{
	"projections": "projections take records and a time, and return answers",
	"graph/model": "the model is used everywhere, so it depends on nothing",
}

// effects are the packages with which a program reaches the world.
var effects = []string{"os", "net", "database/sql", "log", "io/ioutil", "syscall", "crypto/rand", "math/rand",
	"testing"}

// maxLines is the length at which a file surely holds more than one idea.
const maxLines = 600

// longFiles may be longer, each for its reason.
var longFiles = map[string]string{}

// clockReaders may read the machine's clock, each for its reason. Everyone else is handed a time or a clock, so that
// one request has one now and tests can set it. A default (now = time.Now) is no reading. A deadline of a connection
// must come from the machine's clock, whose monotonic part no setting of the date moves: a clock that stands elsewhere
// would cut the connection at once, or never.
var clockReaders = map[string]string{
	"internal/clock":                   "this is the clock",
	"bench":                            "it measures",
	"tools":                            "programs for developers",
	"internal/httpapi/ws/socket.go":    "the log says how long a socket lived; no answer depends on it",
	"internal/httpapi/ws/operation.go": "the log says how long an operation ran; no answer depends on it",
	"internal/httpapi/sse/stream.go":   "the log says how long a stream lived; no answer depends on it",
	"internal/httpapi/ws/handler.go":   "what is left of a context's deadline, which is the machine's time",
	"internal/httpapi/proof/proof.go":  "how old a look at a token is, whatever the date is set to meanwhile",
	"web/browsertest":                  "it waits for a browser, which has its own time",
}

// sleepers are tests that may sleep outside of a synctest bubble, each for its reason.
var sleepers = map[string]string{
	"internal/httpapi/ws/churn_test.go": "its benchmarks count sockets of the real network, which no bubble holds",
}

// oldWords begin the comments of earlier versions; docs/glossary.md has what is written now.
var oldWords = regexp.MustCompile(`^(\w+) (gives|tells whether)\b`)

// rules are what must hold of the sources. Each returns one sentence per breach.
var rules = map[string]func(*tree) []string{
	"layers":     layers,
	"judges":     judgesAreIndependent,
	"walls":      wallsOfDomains,
	"tree":       everyAreaIsThere,
	"pure":       pureAreas,
	"resolvers":  resolversAreThin,
	"comments":   packagesPromise,
	"words":      commentsSayReturns,
	"length":     filesAreShort,
	"clock":      clockIsInjected,
	"sleep":      testsDoNotSleep,
	"migrations": migrationsComeInPairs,
}

func TestLayout(t *testing.T) {
	t.Parallel()
	all, err := readTree(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if len(all.sources) == 0 {
		t.Fatal("no Go files here; the test looks at the wrong folder")
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, breach := range rule(all) {
				t.Error(breach)
			}
		})
	}
}

// ---- the rules

func layers(all *tree) []string {
	var breaches []string
	for _, s := range all.sources {
		own, known := areaOf(s.dir)
		if !known {
			breaches = append(breaches, fmt.Sprintf("%s is in no area; give %s a layer in layout_test.go", s.path, s.dir))
			continue
		}
		for _, imported := range s.imports() {
			dir, ok := strings.CutPrefix(imported, "almanac/")
			if !ok {
				continue
			}
			other, known := areaOf(dir)
			switch {
			case !known: // reported once, by the package itself
			case areas[other].support:
				if !s.test && !areas[own].support {
					breaches = append(breaches, fmt.Sprintf("%s imports %s, which is for tests", s.path, dir))
				}
			case s.test || areas[own].support || own == other:
			case areas[other].layer >= areas[own].layer:
				breaches = append(breaches, fmt.Sprintf("%s (layer %d) imports %s (layer %d); imports go down only",
					s.path, areas[own].layer, dir, areas[other].layer))
			}
		}
	}
	return breaches
}

// judged are the packages that a package may not use, since it judges them: what both use would be right by agreement
// with itself. Tests compare the two.
var judged = map[string][]string{
	"internal/standin": {"projections/rrule"},
	// It walks the calendar day by day, from RFC 5545 alone.
	"internal/standin/recurrence": {"projections", "projections/rrule", "projections/when"},
}

// judgesAreIndependent keeps what judges from using what is judged, in its own folder and those below.
func judgesAreIndependent(all *tree) []string {
	var breaches []string
	for _, s := range all.sources {
		for judge, of := range judged {
			if s.test || s.dir != judge && !strings.HasPrefix(s.dir, judge+"/") {
				continue
			}
			for _, imported := range s.imports() {
				if dir, ok := strings.CutPrefix(imported, "almanac/"); ok && slices.Contains(of, dir) {
					breaches = append(breaches, fmt.Sprintf("%s imports %s, which %s judges", s.path, dir, judge))
				}
			}
		}
	}
	return breaches
}

// domainImports are the packages of other domains that a domain may import; each may import resolvers/core.
var domainImports = map[string][]string{
	"resolvers/agent":  {"resolvers/events/decision"},
	"resolvers/events": {"resolvers/events/calendars", "resolvers/events/decision"},
}

// maxDomainFiles bounds the files of a package below resolvers, tests aside.
const maxDomainFiles = 25

// wallsOfDomains keeps the domains of the resolvers apart: siblings do not import each other but for domainImports,
// none imports a service of internal/ (those are handed to it as interfaces), none is missing in the table of areas,
// and none grows beyond maxDomainFiles.
func wallsOfDomains(all *tree) []string {
	var breaches []string
	files := map[string]int{}
	for _, s := range all.sources {
		if s.test || s.dir != "resolvers" && !strings.HasPrefix(s.dir, "resolvers/") {
			continue
		}
		files[s.dir]++
		for _, imported := range s.imports() {
			dir, ok := strings.CutPrefix(imported, "almanac/")
			own, _ := areaOf(dir)
			switch {
			case !ok || s.dir == "resolvers" && strings.HasPrefix(dir, "resolvers/"):
			case strings.HasPrefix(dir, "internal/") && areas[own].layer >= 4:
				breaches = append(breaches, fmt.Sprintf("%s imports %s; take an interface of its methods as a field", s.path, dir))
			case strings.HasPrefix(dir, "resolvers/") && dir != "resolvers/core" && !slices.Contains(domainImports[s.dir], dir):
				breaches = append(breaches, fmt.Sprintf("%s imports its sibling %s", s.path, dir))
			}
		}
	}
	for dir, n := range files {
		if _, own := areas[dir]; !own {
			breaches = append(breaches, dir+" is no area of the table; add it, in layer 5 when it is a domain")
		}
		if n > maxDomainFiles {
			breaches = append(breaches, fmt.Sprintf("%s has %d files; divide it (at most %d)", dir, n, maxDomainFiles))
		}
	}
	return breaches
}

func everyAreaIsThere(all *tree) []string {
	if !complete {
		return nil
	}
	var breaches []string
	for dir, r := range areas {
		if !r.optional && !all.dirs[dir] {
			breaches = append(breaches, dir+" is missing")
		}
	}
	return breaches
}

func pureAreas(all *tree) []string {
	var breaches []string
	for _, s := range all.sources {
		own, _ := areaOf(s.dir)
		why, isPure := pure[own]
		if s.test || !isPure {
			continue
		}
		for _, imported := range s.imports() {
			first, _, _ := strings.Cut(imported, "/")
			if own == "graph/model" && (strings.Contains(first, ".") || first == "almanac") {
				breaches = append(breaches, fmt.Sprintf("%s imports %s, not of the standard library; %s", s.path, imported, why))
			}
			for _, effect := range effects {
				if (imported == effect || strings.HasPrefix(imported, effect+"/")) && imported != "net/url" &&
					imported != "net/mail" {
					breaches = append(breaches, fmt.Sprintf("%s imports %s; %s", s.path, imported, why))
				}
			}
		}
	}
	return breaches
}

// resolversAreThin keeps helpers out of the files that gqlgen rewrites: it moves what it does not know to the end, in a
// comment. Only methods stand there, the types they belong to, and the imports.
func resolversAreThin(all *tree) []string {
	var breaches []string
	for _, s := range all.sources {
		name, isResolver := strings.CutSuffix(path.Base(s.path), ".resolvers.go")
		if !isResolver {
			continue
		}
		if s.dir == "resolvers" && !all.files["schema/"+name+".graphqls"] {
			breaches = append(breaches, fmt.Sprintf("%s has no schema/%s.graphqls", s.path, name))
		}
		for _, declaration := range s.file.Decls {
			switch d := declaration.(type) {
			case *ast.FuncDecl:
				if receiver := receiverName(d); !strings.HasSuffix(receiver, "Root") {
					breaches = append(breaches,
						fmt.Sprintf("%s: %s is no resolver; put it into a plain file beside it", s.path, d.Name.Name))
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					t, isType := spec.(*ast.TypeSpec)
					if d.Tok != token.IMPORT && (!isType || !strings.HasSuffix(t.Name.Name, "Root")) {
						breaches = append(breaches, fmt.Sprintf("%s: the %s at line %d belongs into a plain file beside it",
							s.path, d.Tok, all.positions.Position(d.Pos()).Line))
					}
				}
			}
		}
	}
	return breaches
}

// packagesPromise wants one package comment in the form that godoc knows. Packages of generated files or of tests alone
// have none to write.
func packagesPromise(all *tree) []string {
	promised := map[string]bool{}
	for _, s := range all.sources {
		if s.test || s.generated {
			continue
		}
		doc, name := s.file.Doc.Text(), s.file.Name.Name
		promised[s.dir] = promised[s.dir] || strings.HasPrefix(doc, "Package "+name+" ") || (name == "main" && doc != "")
	}
	var breaches []string
	for dir, yes := range promised {
		if !yes {
			breaches = append(breaches, dir+" has no package comment that says what it promises")
		}
	}
	return breaches
}

// commentsSayReturns wants the comment of a declaration to say that it returns something or reports whether, as Go's
// own do.
func commentsSayReturns(all *tree) []string {
	var breaches []string
	for _, s := range all.sources {
		if own, _ := areaOf(s.dir); s.test || s.generated || own == "bench" {
			continue
		}
		for doc, names := range s.documented() {
			old := oldWords.FindStringSubmatch(doc.Text())
			if old != nil && slices.ContainsFunc(names, func(name *ast.Ident) bool { return name.Name == old[1] }) {
				breaches = append(breaches, fmt.Sprintf("%s: %q; write that it returns, or reports whether, or what it does",
					all.positions.Position(doc.Pos()), old[0]))
			}
		}
	}
	return breaches
}

func filesAreShort(all *tree) []string {
	var breaches []string
	for _, s := range all.sources {
		lines := all.positions.File(s.file.FileStart).LineCount()
		_, excepted := longFiles[s.path]
		if lines > maxLines && !s.generated && !excepted && !strings.HasSuffix(s.path, ".resolvers.go") {
			breaches = append(breaches, fmt.Sprintf("%s has %d lines; split it by idea (at most %d)", s.path, lines, maxLines))
		}
		if lines <= maxLines && excepted {
			breaches = append(breaches, s.path+" is short now; take it off longFiles")
		}
	}
	return breaches
}

// clockIsInjected wants the injected clock for what users see and the machine's for deadlines of connections.
func clockIsInjected(all *tree) []string {
	breaches := deadlinesAreReal(all)
	used := map[string]bool{}
	for _, s := range all.sources {
		if s.test || s.generated {
			continue
		}
		deadlines := s.spans(setsDeadline)
		for _, call := range s.calls("time", "Now", "Since", "Until") {
			if within(call, deadlines) {
				continue
			}
			if excepted := longestFit(clockReaders, s.path); excepted != "" {
				used[excepted] = true
				continue
			}
			breaches = append(breaches, fmt.Sprintf("%s reads the machine's clock; take a clock as a field",
				all.positions.Position(call.Pos())))
		}
	}
	for excepted := range clockReaders {
		if _, isArea := areas[excepted]; !isArea && all.files[excepted] && !used[excepted] {
			breaches = append(breaches, excepted+" reads no clock any more; take it off clockReaders")
		}
	}
	return breaches
}

// setsDeadline reports whether a call sets a deadline of a connection.
func setsDeadline(call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	return ok && len(call.Args) == 1 && strings.HasPrefix(selector.Sel.Name, "Set") &&
		strings.HasSuffix(selector.Sel.Name, "Deadline")
}

// deadlinesAreReal wants every deadline of a connection, in tests too, written as time.Now().Add(…) or, to take it
// away, as time.Time{}: then it is plain to see which clock it comes from.
func deadlinesAreReal(all *tree) []string {
	var breaches []string
	for _, s := range all.sources {
		for _, call := range s.spans(setsDeadline) {
			if !s.isRealDeadline(call.Args[0]) {
				breaches = append(breaches, fmt.Sprintf("%s sets a deadline of a connection that is not time.Now().Add(…)",
					all.positions.Position(call.Pos())))
			}
		}
	}
	return breaches
}

func (s *source) isRealDeadline(at ast.Expr) bool {
	switch at := at.(type) {
	case *ast.CompositeLit:
		return len(at.Elts) == 0
	case *ast.CallExpr:
		add, ok := at.Fun.(*ast.SelectorExpr)
		if !ok || add.Sel.Name != "Add" {
			return false
		}
		now, ok := add.X.(*ast.CallExpr)
		return ok && s.isCall(now, "time", "Now")
	default:
		return false
	}
}

// testsDoNotSleep lets tests sleep where testing/synctest is at hand, in whose bubbles sleeping takes no time and is
// exact.
func testsDoNotSleep(all *tree) []string {
	var breaches []string
	for _, s := range all.sources {
		own, _ := areaOf(s.dir)
		if !s.test && !areas[own].support {
			continue
		}
		if slices.Contains(s.imports(), "testing/synctest") || longestFit(sleepers, s.path) != "" {
			continue
		}
		for _, call := range s.calls("time", "Sleep") {
			breaches = append(breaches, fmt.Sprintf("%s sleeps; wait for what is to happen, or use testing/synctest",
				all.positions.Position(call.Pos())))
		}
	}
	return breaches
}

var migrationName = regexp.MustCompile(`^([0-9]{4})_[a-z0-9]+(_[a-z0-9]+)*\.sql$`)

// migrationsComeInPairs wants the same names in both dialects, numbered 0001, 0002, … without gap.
func migrationsComeInPairs(all *tree) []string {
	dialects := map[string]map[string]bool{"sqlite": {}, "postgres": {}}
	var breaches []string
	for file := range all.files {
		dir, name := path.Split(file)
		dialect, isMigration := strings.CutPrefix(path.Clean(dir), "migrations/")
		if !isMigration || !strings.HasSuffix(name, ".sql") {
			continue
		}
		if dialects[dialect] == nil || !migrationName.MatchString(name) {
			breaches = append(breaches, file+" is not named migrations/{sqlite,postgres}/NNNN_words.sql")
			continue
		}
		dialects[dialect][name] = true
	}
	for dialect, other := range map[string]string{"sqlite": "postgres", "postgres": "sqlite"} {
		for i, name := range slices.Sorted(maps.Keys(dialects[dialect])) {
			if number, _ := strconv.Atoi(name[:4]); number != i+1 {
				breaches = append(breaches, fmt.Sprintf("migrations/%s/%s should have the number %04d", dialect, name, i+1))
			}
			if !dialects[other][name] {
				breaches = append(breaches, fmt.Sprintf("migrations/%s/%s has no twin in migrations/%s", dialect, name, other))
			}
		}
	}
	return breaches
}
