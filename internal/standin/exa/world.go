package exa

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"almanac/projections/fold"
)

//go:embed world.json
var worldFile []byte

// worldSize is how many things of each kind there are.
const worldSize = 20_000

// The kinds of things, as the API names entity types.
const (
	kindCompany = "company"
	kindPerson  = "person"
	kindArticle = "article"
	kindPaper   = "research_paper"
	kindCustom  = "custom"
)

func kinds() []string { return []string{kindCompany, kindPerson, kindArticle, kindPaper, kindCustom} }

// word is a word of the world in both languages, and the other words under which it is found.
type word struct {
	En    string   `json:"en"`
	He    string   `json:"he"`
	Terms []string `json:"terms"`
	// Country is where a city is.
	Country int `json:"country"`

	folded []string
}

func (w word) in(hebrew bool) string {
	if hebrew {
		return w.He
	}
	return w.En
}

// world is what there is to find. It never changes.
type world struct {
	Countries    []word              `json:"countries"`
	Cities       []word              `json:"cities"`
	Topics       []word              `json:"topics"`
	Stages       []word              `json:"stages"`
	Prefixes     []word              `json:"prefixes"`
	Suffixes     []word              `json:"suffixes"`
	Kinds        []word              `json:"kinds"`
	FirstNames   []word              `json:"firstNames"`
	LastNames    []word              `json:"lastNames"`
	Positions    []word              `json:"positions"`
	Headlines    []word              `json:"headlines"`
	Papers       []word              `json:"papers"`
	Customs      []word              `json:"customs"`
	Descriptions map[string]word     `json:"descriptions"`
	Sentences    map[string][]string `json:"sentences"`
	Entities     map[string][]string `json:"entities"`
	Formats      map[string][]string `json:"formats"`
	entities     map[string][]string // folded
	formats      map[string][]string // folded
	// known are the facts of all things of a kind, found out when they are first asked for.
	known map[string]func() []facts
}

// readWorld returns the world; all stand-ins of a process are in the same one.
var readWorld = sync.OnceValue(newWorld)

func newWorld() *world {
	w := &world{known: map[string]func() []facts{}}
	if err := json.Unmarshal(worldFile, w); err != nil {
		panic(fmt.Sprintf("world.json: %v", err)) // it is part of the program, and the tests read it
	}
	for _, words := range [][]word{w.Countries, w.Cities, w.Topics, w.Stages, w.Positions} {
		for i := range words {
			words[i].folded = foldAll(append([]string{words[i].En, words[i].He}, words[i].Terms...))
		}
	}
	w.entities, w.formats = map[string][]string{}, map[string][]string{}
	for kind, terms := range w.Entities {
		w.entities[kind] = foldAll(terms)
	}
	for format, terms := range w.Formats {
		w.formats[format] = foldAll(terms)
	}
	for _, kind := range kinds() {
		w.known[kind] = sync.OnceValue(func() []facts {
			all := make([]facts, worldSize)
			for n := range all {
				all[n] = w.findOut(thing{kind: kind, n: n})
			}
			return all
		})
	}
	return w
}

func foldAll(terms []string) []string {
	folded := make([]string, len(terms))
	for i, term := range terms {
		folded[i] = strings.TrimSpace(padded(term))
	}
	return folded
}

// padded is a text's key as words with one space around each.
func padded(text string) string {
	key := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		if r == '"' || r == '\'' { // of abbreviations: מנכ"ל
			return -1
		}
		return ' '
	}, fold.Text(text))
	return " " + strings.Join(strings.Fields(key), " ") + " "
}

// says reports whether a padded text has one of the folded terms, in Hebrew also behind the letters that are written
// together with the next word.
func says(text string, terms []string) bool {
	return slices.ContainsFunc(terms, func(term string) bool { return term != "" && saysOne(text, term) })
}

func saysOne(text, term string) bool {
	for rest := text; ; {
		i := strings.Index(rest, term+" ")
		if i < 0 {
			return false
		}
		before := rest[:i]
		attached := before[strings.LastIndexByte(before, ' ')+1:]
		if attached == "" || isHebrew(term) && strings.Trim(attached, "והבלמשכ") == "" {
			return true
		}
		rest = rest[i+len(term):]
	}
}

// isHebrew reports whether a text has a Hebrew letter.
func isHebrew(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Hebrew, r) })
}

// mix turns numbers into one that tells nothing of them, the same on every machine (SplitMix64).
func mix(numbers ...uint64) uint64 {
	var x uint64
	for _, n := range numbers {
		x += n + 0x9e3779b97f4a7c15
		x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
		x = (x ^ x>>27) * 0x94d049bb133111eb
		x ^= x >> 31
	}
	return x
}

// mixText does so with a text, in as many parts as it comes (FNV-1a first).
func mixText(parts ...string) uint64 {
	h := uint64(14695981039346656037)
	for _, text := range parts {
		for i := range len(text) {
			h = (h ^ uint64(text[i])) * 1099511628211
		}
	}
	return mix(h)
}

// thing is one of the world's: the n-th of its kind; or a row of an import, of which the world knows no more than a
// thing that it takes for it.
type thing struct {
	kind string
	n    int
	own  *row
}

// row is a line of an import.
type row struct{ name, url string }

// seed is the number from which everything about a thing follows.
func (t thing) seed(what string) uint64 { return mix(mixText(t.kind, "/", what), uint64(t.n)) }

// facts is what is true of a thing.
type facts struct {
	hebrew             bool
	city, topic, stage int
	position           int
	employees, founded int
	published          int
	// weak things are what nobody looked for; of thin ones too little is known.
	weak, thin bool
}

func (w *world) facts(t thing) facts {
	f := w.known[t.kind]()[t.n]
	if t.own != nil {
		f.hebrew = isHebrew(t.own.name)
	}
	return f
}

// findOut makes the facts of a thing.
func (w *world) findOut(t thing) facts {
	h := t.seed("facts")
	take := func(n int) int {
		v := int(h % uint64(n))
		h = mix(h)
		return v
	}
	f := facts{city: take(len(w.Cities)), topic: take(len(w.Topics)), stage: take(len(w.Stages)),
		position: take(len(w.Positions))}
	f.founded = 1995 + take(30)
	f.published = 2019 + take(8)
	switch take(4) {
	case 0:
		f.employees = 3 + take(20)
	case 1, 2:
		f.employees = 20 + take(180)
	default:
		f.employees = 200 + take(4800)
	}
	f.weak, f.thin = take(8) == 0, take(14) == 0
	f.hebrew = w.Cities[f.city].Country == 0 && take(2) == 0
	return f
}

// person returns the n-th person's name.
func (w *world) personName(n int, hebrew bool) string {
	first, last := w.FirstNames[n%len(w.FirstNames)], w.LastNames[n/len(w.FirstNames)%len(w.LastNames)]
	return first.in(hebrew) + " " + last.in(hebrew)
}

func (w *world) companyName(n int, hebrew bool) string {
	prefix, suffix := w.Prefixes[n%len(w.Prefixes)], w.Suffixes[n/len(w.Prefixes)%len(w.Suffixes)]
	kind := w.Kinds[n/len(w.Prefixes)/len(w.Suffixes)%len(w.Kinds)]
	if hebrew {
		return prefix.He + " " + suffix.He + " " + kind.He
	}
	return prefix.En + suffix.En + " " + kind.En
}

// name returns a thing's name, or the title of a text.
func (w *world) name(t thing) string {
	f := w.facts(t)
	switch {
	case t.own != nil && t.own.name != "":
		return t.own.name
	case t.kind == kindCompany:
		return w.companyName(t.n, f.hebrew)
	case t.kind == kindPerson:
		return w.personName(t.n, f.hebrew)
	}
	templates := w.Customs
	switch t.kind {
	case kindArticle:
		templates = w.Headlines
	case kindPaper:
		templates = w.Papers
	}
	return w.fill(templates[t.n%len(templates)].in(f.hebrew), t, f, 0)
}

// url returns a thing's address, under a name that is nobody's (RFC 2606).
func (w *world) url(t thing) string {
	switch {
	case t.own != nil && t.own.url != "":
		return t.own.url
	case t.kind == kindCompany:
		return "https://" + strings.ReplaceAll(strings.ToLower(w.companyName(t.n, false)), " ", "-") + ".example/"
	case t.kind == kindPerson:
		return "https://people.example/in/" + strings.ReplaceAll(strings.ToLower(w.personName(t.n, false)), " ", "-") + "-" +
			strconv.Itoa(t.n)
	case t.kind == kindArticle:
		return fmt.Sprintf("https://news.example/%d/story-%d", w.facts(t).published, t.n)
	case t.kind == kindPaper:
		return fmt.Sprintf("https://papers.example/abs/%d", t.n)
	default:
		return fmt.Sprintf("https://things.example/%d", t.n)
	}
}

// find returns the thing at an address.
func (w *world) find(address string) (thing, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(address, "/"), "https://")
	if !ok {
		return thing{}, false
	}
	host, path, _ := strings.Cut(rest, "/")
	kind := map[string]string{"people.example": kindPerson, "news.example": kindArticle, "papers.example": kindPaper,
		"things.example": kindCustom}[host]
	if kind == "" {
		return w.findCompany(host, path)
	}
	digits := path[strings.LastIndexAny(path, "-/")+1:]
	n, err := strconv.Atoi(digits)
	t := thing{kind: kind, n: n}
	return t, err == nil && n >= 0 && n < worldSize && strings.TrimSuffix(address, "/") == w.url(t)
}

func (w *world) findCompany(host, path string) (thing, bool) {
	name, ok := strings.CutSuffix(host, ".example")
	name, last, both := strings.Cut(name, "-")
	if !ok || !both || path != "" {
		return thing{}, false
	}
	named := func(all []word, text string) int {
		return slices.IndexFunc(all, func(one word) bool { return strings.EqualFold(one.En, text) })
	}
	kind := named(w.Kinds, last)
	for p, prefix := range w.Prefixes {
		rest, fits := strings.CutPrefix(name, strings.ToLower(prefix.En))
		suffix := named(w.Suffixes, rest)
		if n := p + len(w.Prefixes)*(suffix+len(w.Suffixes)*kind); fits && suffix >= 0 && kind >= 0 && n < worldSize {
			return thing{kind: kindCompany, n: n}, true
		}
	}
	return thing{}, false
}
