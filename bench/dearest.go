//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"almanac/graph"
)

const (
	// dearestKept is how many documents are kept to be changed further, dearestShown how many are printed.
	dearestKept, dearestShown = 24, 10
	// dearestBound is the processor time that no accepted document may take.
	dearestBound = time.Second
)

// candidate is a document of the search, and what it took when it was sent.
type candidate struct {
	roots    []*chosen
	mutation bool
	text     string
	cost     int64
	cpu      time.Duration
}

// searcher looks for the document that takes the most processor time of all that are accepted, by changing the dearest
// that it knows at random: arguments, selections, pages and repetitions of root fields.
type searcher struct {
	costing
	documents documentMaker
	best      []*candidate
	// tried, refused and failed count documents: those beyond a limit, and those that were answered with another error.
	tried, refused, failed int
}

// measureDearest searches for so long and prints what it found: each document's price beside its processor time. The
// server is the whole program on SQLite, with its sample and more beside; mutations run dry. It ends with an error when
// an accepted document takes more than a second.
func measureDearest(ctx context.Context, o options, program, dir string, out, progress io.Writer) (err error) {
	folder, err := os.MkdirTemp(dir, "dearest-")
	if err != nil {
		return err
	}
	p, err := start(ctx, program, append(almanacArgs("error"), "--demo", "--data-dir="+folder), plainEnvironment())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	seed := rand.Uint64()                    //nolint:gosec // what is asked, no secret
	random := rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // what is asked, no secret
	s := &searcher{costing: costing{process: p, client: &http.Client{Timeout: time.Minute}},
		documents: documentMaker{random: random, schema: graph.NewPlannedSchema(graph.Config{}).Schema()}}
	fmt.Fprintln(progress, "laying tasks, events and memories")
	if err := s.lay(ctx, 2000/o.hurry); err != nil {
		return err
	}
	if err := s.learnIDs(ctx); err != nil {
		return err
	}
	fmt.Fprintf(progress, "searching for %v, seed %d\n", o.search, seed)
	until := time.Now().Add(o.search)
	for root := 0; time.Now().Before(until) && ctx.Err() == nil; root++ {
		next := s.documents.change(s.pick(root))
		if err := s.try(ctx, next); err != nil {
			return err
		}
	}
	s.write(out, o)
	if s.best[0].cpu > dearestBound {
		return fmt.Errorf("a document takes %v of processor time, and %v is allowed:\n%s", s.best[0].cpu, dearestBound,
			s.best[0].text)
	}
	return nil
}

// pick returns the document to change: first each root field by itself, then one of the best.
func (s *searcher) pick(round int) *candidate {
	queries, mutations := s.documents.roots(false), s.documents.roots(true)
	switch {
	case round < 3*len(queries):
		return s.documents.fresh(false, queries[round%len(queries)])
	case round < 3*(len(queries)+len(mutations)):
		return s.documents.fresh(true, mutations[(round-3*len(queries))%len(mutations)])
	case len(s.best) == 0 || s.documents.random.IntN(8) == 0:
		mutation := s.documents.random.IntN(3) == 0
		all := s.documents.roots(mutation)
		return s.documents.fresh(mutation, all[s.documents.random.IntN(len(all))])
	}
	// The better ones more often.
	return s.best[min(s.documents.random.IntN(len(s.best)), s.documents.random.IntN(len(s.best)))]
}

// try sends a document. What looks dear is sent twice again and counts with the least, so that garbage collections and
// what else the server does at the moment do not count.
func (s *searcher) try(ctx context.Context, c *candidate) error {
	c.text = s.documents.print(c)
	s.tried++
	for again := range 3 {
		before := threadTime(s.process.pid())
		answer, err := s.ask(ctx, c.text, nil)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, c.text)
		}
		took := threadTime(s.process.pid()) - before
		if again == 0 || took < c.cpu {
			c.cpu = took
		}
		c.cost = answer.Extensions.Cost.Requested
		if len(answer.Errors) > 0 {
			switch code := answer.Errors[0].Extensions.Code; {
			case code == "QUERY_TOO_EXPENSIVE":
				s.refused++
				return nil
			case code == "BAD_USER_INPUT" && answer.Extensions.Cost.Requested == 0:
				s.failed++
				return nil
			}
		}
		if len(s.best) == dearestKept && c.cpu < s.best[len(s.best)-1].cpu {
			return nil
		}
	}
	// One document of a set of root fields is enough, or all would be children of one.
	for i, known := range s.best {
		if rootsOf(known) == rootsOf(c) {
			if c.cpu > known.cpu {
				s.best[i] = c
			}
			s.sort()
			return nil
		}
	}
	s.best = append(s.best, c)
	s.sort()
	return nil
}

func (s *searcher) sort() {
	slices.SortFunc(s.best, func(a, b *candidate) int { return int(b.cpu - a.cpu) })
	s.best = s.best[:min(len(s.best), dearestKept)]
}

func rootsOf(c *candidate) string {
	var names []string
	for _, root := range c.roots {
		names = append(names, root.field.Name)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ",")
}

// learnIDs asks for ids that arguments can name.
func (s *searcher) learnIDs(ctx context.Context) error {
	body := `{ tasks(first: 5) { nodes { id } } lists(first: 5) { nodes { id } } memories(first: 5) { nodes { id } }
		events(first: 5) { nodes { id } } emails(first: 5) { nodes { id } } calendars { id } }`
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.process.address+"/graphql",
		strings.NewReader(fmt.Sprintf(`{"query":%q}`, strings.Join(strings.Fields(body), " "))))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	response, err := s.client.Do(r)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return err
	}
	for _, part := range strings.Split(string(text), `"id":"`)[1:] {
		id, _, _ := strings.Cut(part, `"`)
		s.documents.ids = append(s.documents.ids, id)
	}
	if len(s.documents.ids) == 0 {
		return fmt.Errorf("no ids: %.300s", text)
	}
	return nil
}

func (s *searcher) write(out io.Writer, o options) {
	fmt.Fprintf(out, "\n## The dearest accepted documents\n\n%d documents in %v, %d beyond a limit, %d not accepted for "+
		"another reason; load average at the end %s. Processor time is the least of three; at most %v is allowed.\n\n"+
		"| root fields | cost | bytes of document | processor, ms | ms for 1,000 of cost |\n|---|--:|--:|--:|--:|\n",
		s.tried, o.search, s.refused, s.failed, loadAverage(), dearestBound)
	for _, c := range s.best[:min(len(s.best), dearestShown)] {
		took := c.cpu.Seconds() * 1e3
		fmt.Fprintf(out, "| %s | %d | %d | %.1f | %.1f |\n", rootsOf(c), c.cost, len(c.text), took,
			took*1e3/float64(max(c.cost, 1)))
	}
	const most = 3000
	fmt.Fprintf(out, "\nThe dearest:\n\n```graphql\n%.*s\n```\n", most, s.best[0].text)
}

// threadTime is the processor time of all threads of a process, to the nanosecond (proc(5), schedstat); threads that
// have ended do not count.
func threadTime(pid int) (total time.Duration) {
	paths, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		return 0
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		first, _, _ := strings.Cut(string(text), " ")
		if n, err := strconv.ParseInt(first, 10, 64); err == nil {
			total += time.Duration(n)
		}
	}
	return total
}

// chosen is a field of a document with its arguments and what is selected of it.
type chosen struct {
	field *ast.FieldDefinition
	// arguments are values as GraphQL writes them.
	arguments map[string]string
	below     []*chosen
	// on is the type whose fragment holds the field, when it is not the field's own parent.
	on string
}

// documentMaker makes documents at random.
type documentMaker struct {
	random *rand.Rand
	schema *ast.Schema
	ids    []string
}

// roots are the fields of Query or Mutation, but for those that change the server itself or ask a model.
func (m *documentMaker) roots(mutation bool) []*ast.FieldDefinition {
	of := m.schema.Query
	if mutation {
		of = m.schema.Mutation
	}
	var fields []*ast.FieldDefinition
	for _, field := range of.Fields {
		if !strings.HasPrefix(field.Name, "__") {
			fields = append(fields, field)
		}
	}
	return fields
}

func (m *documentMaker) fresh(mutation bool, root *ast.FieldDefinition) *candidate {
	return &candidate{mutation: mutation, roots: []*chosen{m.choose(root, 0)}}
}

const maxDepth = 6

// choose makes a field with arguments and a selection at random.
func (m *documentMaker) choose(field *ast.FieldDefinition, depth int) *chosen {
	c := &chosen{field: field}
	m.argue(c)
	of := m.schema.Types[field.Type.Name()]
	if of.IsLeafType() {
		return c
	}
	c.below = m.selection(of, depth+1)
	return c
}

func (m *documentMaker) selection(of *ast.Definition, depth int) (below []*chosen) {
	on := ""
	if of.IsAbstractType() {
		possible := m.schema.PossibleTypes[of.Name]
		of = possible[m.random.IntN(len(possible))]
		on = of.Name
	}
	for _, field := range of.Fields {
		leaf := m.schema.Types[field.Type.Name()].IsLeafType()
		if strings.HasPrefix(field.Name, "__") || !leaf && (depth >= maxDepth || m.random.IntN(3) > 0) ||
			leaf && m.random.IntN(2) == 0 {
			continue
		}
		one := m.choose(field, depth)
		if len(one.below) > 0 || leaf {
			one.on = on
			below = append(below, one)
		}
	}
	if len(below) == 0 {
		below = append(below, &chosen{field: &ast.FieldDefinition{Name: "__typename", Type: ast.NamedType("String", nil)}})
	}
	return below
}

func (m *documentMaker) argue(c *chosen) {
	c.arguments = map[string]string{}
	for _, argument := range c.field.Arguments {
		if argument.Name == "last" || argument.Name == "before" || argument.Name == "after" && m.random.IntN(4) > 0 {
			continue
		}
		if argument.Type.NonNull || m.random.IntN(2) == 0 {
			c.arguments[argument.Name] = m.value(argument.Type, 0)
		}
	}
}

// value is a value of a type as GraphQL writes it.
func (m *documentMaker) value(t *ast.Type, depth int) string {
	if t.Elem != nil {
		count := []int{1, 2, 20, 100}[m.random.IntN(4)]
		if depth > 1 {
			count = 1 + m.random.IntN(3)
		}
		var values []string
		for range count {
			values = append(values, m.value(t.Elem, depth+1))
		}
		return "[" + strings.Join(values, " ") + "]"
	}
	of := m.schema.Types[t.NamedType]
	switch of.Kind {
	case ast.Enum:
		return of.EnumValues[m.random.IntN(len(of.EnumValues))].Name
	case ast.InputObject:
		return m.object(of, depth)
	}
	pick := func(values ...string) string { return values[m.random.IntN(len(values))] }
	switch t.NamedType {
	case "Int":
		return pick("1", "5", "20", "50", "100", "100")
	case "Float":
		return pick("0", "0.1", "0.5", "1")
	case "Boolean":
		return pick("true", "false")
	case "ID":
		return strconv.Quote(pick(m.ids...))
	case "Date":
		return m.day("2006-01-02")
	case "DateTime":
		return m.day(time.RFC3339)
	case "Duration":
		return pick(`"PT5M"`, `"PT1H"`, `"P30D"`)
	case "JSON":
		return pick(`{}`, `{ a: "b" }`, `{ nodes: [{ name: "x" }] }`)
	}
	return pick(`"a"`, `"contract"`, `"Measured task 7 about the contract"`, `"מחר"`, `"every monday at 9 and 10"`,
		strconv.Quote(strings.Repeat("contract gate ", 1+m.random.IntN(60))), `"1"`, `"a b c d e f g h"`)
}

func (m *documentMaker) day(layout string) string {
	days := []int{-3650, -365, -30, -1, 0, 1, 30, 365, 3650}[m.random.IntN(9)]
	return strconv.Quote(time.Now().AddDate(0, 0, days).Format(layout))
}

func (m *documentMaker) object(of *ast.Definition, depth int) string {
	fields := of.Fields
	if of.Directives.ForName("oneOf") != nil {
		fields = ast.FieldList{fields[m.random.IntN(len(fields))]}
	}
	var parts []string
	for _, field := range fields {
		if field.Name == "confirm" || !field.Type.NonNull && len(fields) > 1 && (depth > 2 || m.random.IntN(3) > 0) {
			continue
		}
		parts = append(parts, field.Name+": "+m.value(field.Type, depth+1))
	}
	return "{ " + strings.Join(parts, " ") + " }"
}

// change is a document with a few things changed; the one that was given stays.
func (m *documentMaker) change(c *candidate) *candidate {
	next := &candidate{mutation: c.mutation}
	for _, root := range c.roots {
		next.roots = append(next.roots, root.clone())
	}
	for range 1 + m.random.IntN(3) {
		at := next.roots[m.random.IntN(len(next.roots))]
		switch m.random.IntN(6) {
		case 0:
			for range 1 + m.random.IntN(10) {
				if len(next.roots) < 20 {
					next.roots = append(next.roots, at.clone())
				}
			}
		case 1:
			all := m.roots(c.mutation)
			if len(next.roots) < 20 {
				next.roots = append(next.roots, m.choose(all[m.random.IntN(len(all))], 0))
			}
		case 2:
			if i := m.random.IntN(len(next.roots)); len(next.roots) > 1 {
				next.roots = slices.Delete(next.roots, i, i+1)
			}
		case 3:
			m.argue(at)
		default:
			one := at.anywhere(m.random)
			if of := m.schema.Types[one.field.Type.Name()]; of != nil && !of.IsLeafType() {
				one.below = m.selection(of, 2+m.random.IntN(3))
			}
			m.argue(one)
		}
	}
	return next
}

func (c *chosen) clone() *chosen {
	same := *c
	same.below = nil
	for _, one := range c.below {
		same.below = append(same.below, one.clone())
	}
	return &same
}

// anywhere is a field at or below this one, by chance.
func (c *chosen) anywhere(random *rand.Rand) *chosen {
	for len(c.below) > 0 && random.IntN(3) > 0 {
		c = c.below[random.IntN(len(c.below))]
	}
	return c
}

// print writes the document. Root fields have aliases, so that equal ones are not one.
func (m *documentMaker) print(c *candidate) string {
	var b strings.Builder
	b.WriteString("query {")
	if c.mutation {
		b.Reset()
		b.WriteString("mutation @dryRun {")
	}
	for i, root := range c.roots {
		fmt.Fprintf(&b, " r%d:", i)
		root.print(&b)
	}
	b.WriteString(" }")
	return b.String()
}

func (c *chosen) print(b *strings.Builder) {
	b.WriteString(" " + c.field.Name)
	if len(c.arguments) > 0 {
		b.WriteString("(")
		for _, argument := range c.field.Arguments {
			if value, given := c.arguments[argument.Name]; given {
				b.WriteString(" " + argument.Name + ": " + value)
			}
		}
		b.WriteString(" )")
	}
	if len(c.below) == 0 {
		return
	}
	b.WriteString(" {")
	for _, one := range c.below {
		if one.on != "" {
			b.WriteString(" ... on " + one.on + " {")
		}
		one.print(b)
		if one.on != "" {
			b.WriteString(" }")
		}
	}
	b.WriteString(" }")
}
