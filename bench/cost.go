//go:build bench

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// pagesFile has the documents whose prices are compared with their processor time.
const pagesFile = "docs/pages.md"

// costLeast is for how long of processor time a document is run: /proc counts in hundredths of a second.
const costLeast = 300 * time.Millisecond

// priced is what a document costs, and what it takes.
type priced struct {
	name  string
	cost  int64
	bytes int
	// cpu is the server's processor time for one run.
	cpu time.Duration
}

// measureCost prints the price of each document of docs/pages.md beside its processor time, as it is written there and
// with the largest pages that are accepted: prices should follow work, and no accepted document may take a second. The
// server is the whole program on SQLite, with its sample and more beside.
func measureCost(ctx context.Context, o options, program, dir string, out, progress io.Writer) (err error) {
	documents, err := pages()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(dir, "cost-")
	if err != nil {
		return err
	}
	p, err := start(ctx, program, append(almanacArgs("warn"), "--demo", "--data-dir="+folder), plainEnvironment())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	c := &costing{process: p, client: &http.Client{Timeout: time.Minute}, least: costLeast / time.Duration(o.hurry)}
	fmt.Fprintln(progress, "laying tasks, events and memories")
	if err := c.lay(ctx, 2000/o.hurry); err != nil {
		return err
	}
	var rows []priced
	for _, document := range documents {
		fmt.Fprintln(progress, "pricing", nameOf(document))
		row, err := c.price(ctx, document, "")
		if err != nil {
			return err
		}
		rows = append(rows, row)
		if row, err = c.dearest(ctx, document, row); err != nil {
			return err
		} else if row.name != "" {
			rows = append(rows, row)
		}
	}
	writeCosts(out, rows)
	return nil
}

// pages reads the documents.
func pages() ([]string, error) {
	text, err := os.ReadFile(pagesFile)
	if err != nil {
		return nil, fmt.Errorf("run it at the root of the project: %w", err)
	}
	var documents []string
	for _, found := range regexp.MustCompile("(?s)```graphql\n(.*?)```").FindAllSubmatch(text, -1) {
		documents = append(documents, string(found[1]))
	}
	if len(documents) == 0 {
		return nil, errors.New(pagesFile + " has no documents")
	}
	return documents, nil
}

var operationName = regexp.MustCompile(`^\s*query (\w+)`)

func nameOf(document string) string {
	if found := operationName.FindStringSubmatch(document); found != nil {
		return found[1]
	}
	return "?"
}

// costing asks one server.
type costing struct {
	process *process
	client  *http.Client
	least   time.Duration
}

// costAnswer is what is of interest of an answer.
type costAnswer struct {
	Errors []struct {
		Message    string
		Extensions struct{ Code string }
	}
	Extensions struct{ Cost struct{ Requested int64 } }
	size       int
}

func (c *costing) ask(ctx context.Context, document string, variables any) (answer costAnswer, err error) {
	body, err := json.Marshal(map[string]any{"query": document, "variables": variables})
	if err != nil {
		return answer, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+c.process.address+"/graphql",
		bytes.NewReader(body))
	if err != nil {
		return answer, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Almanac-Cost", "1")
	response, err := c.client.Do(r)
	if err != nil {
		return answer, err
	}
	text, err := io.ReadAll(response.Body)
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return answer, err
	}
	answer.size = len(text)
	err = json.Unmarshal(text, &answer)
	return answer, err
}

// must is ask for what has to work.
func (c *costing) must(ctx context.Context, document string, variables any) error {
	answer, err := c.ask(ctx, document, variables)
	if err == nil && len(answer.Errors) > 0 {
		err = errors.New(answer.Errors[0].Message)
	}
	return err
}

// lay makes so many tasks, a tenth as many events, and a twentieth as many memories.
func (c *costing) lay(ctx context.Context, count int) error {
	const most = 200 // in one mutation
	now := time.Now().Truncate(time.Hour)
	for first := 0; first < count; first += most {
		var tasks []any
		for i := range most {
			tasks = append(tasks, map[string]any{"text": fmt.Sprintf("Measured task %d about the contract", first+i),
				"category": fmt.Sprint("group ", i%7), "allowDuplicate": true,
				"dueDate": now.Add(time.Duration(first+i-count/3) * time.Hour).Format(time.RFC3339)})
		}
		if err := c.must(ctx, `mutation($tasks:[CreateTaskInput!]!){createTasks(input:{tasks:$tasks}){created}}`,
			map[string]any{"tasks": tasks}); err != nil {
			return err
		}
	}
	for i := range count / 10 {
		if err := c.must(ctx, `mutation($at:DateTime!,$end:DateTime!,$name:String!){createEvent(input:{summary:$name,
			start:{dateTime:$at},end:{dateTime:$end},onDuplicate:ALLOW}){event{id}}}`,
			map[string]any{"name": fmt.Sprint("Measured meeting ", i), "at": now.Add(time.Duration(i) * 3 * time.Hour),
				"end": now.Add(time.Duration(i)*3*time.Hour + time.Hour)}); err != nil {
			return err
		}
	}
	for i := range count / 20 {
		if err := c.must(ctx, `mutation($c:String!){storeMemory(input:{content:$c}){memory{id}}}`, map[string]any{
			"c": fmt.Sprintf("Measured memory %d: the code of gate %d is %d", i, i%11, i*7919)}); err != nil {
			return err
		}
	}
	return nil
}

// price runs a document until its processor time can be told.
func (c *costing) price(ctx context.Context, document, kind string) (priced, error) {
	answer, err := c.ask(ctx, document, nil) // what is made once is made now
	if err != nil {
		return priced{}, err
	}
	if len(answer.Errors) > 0 {
		return priced{}, fmt.Errorf("%s: %s", nameOf(document), answer.Errors[0].Message)
	}
	before, runs := processCPU(c.process.pid()), 0
	var took time.Duration
	for ; took < c.least && runs < 2000; runs++ {
		if _, err := c.ask(ctx, document, nil); err != nil {
			return priced{}, err
		}
		took = processCPU(c.process.pid()) - before
	}
	return priced{name: nameOf(document) + kind, cost: answer.Extensions.Cost.Requested, bytes: answer.size,
		cpu: took / time.Duration(max(runs, 1))}, nil
}

var pageSize = regexp.MustCompile(`first: (\d+)`)

// dearest prices a document with the largest pages that are accepted, each a multiple of what is written; without a
// name when it has no larger ones.
func (c *costing) dearest(ctx context.Context, document string, written priced) (priced, error) {
	best := ""
	for factor := 2; factor <= 64; factor *= 2 {
		larger := pageSize.ReplaceAllStringFunc(document, func(text string) string {
			size, _ := strconv.Atoi(strings.TrimPrefix(text, "first: ")) // the expression has digits only
			return fmt.Sprint("first: ", min(size*factor, 100))
		})
		answer, err := c.ask(ctx, larger, nil)
		if err != nil {
			return priced{}, err
		}
		if len(answer.Errors) > 0 || larger == document || larger == best {
			break
		}
		best = larger
	}
	if best == "" || written.cost == 0 {
		return priced{}, nil
	}
	return c.price(ctx, best, ", largest pages")
}

func writeCosts(out io.Writer, rows []priced) {
	slices.SortFunc(rows, func(a, b priced) int { return int(b.cost - a.cost) })
	fmt.Fprint(out, "\n## Price and processor time\n\nDocuments of docs/pages.md, as written and with the largest pages "+
		"that are accepted; the dearest first.\n\n| document | cost | answer, kB | processor, ms | ms for 1,000 of cost |\n"+
		"|---|--:|--:|--:|--:|\n")
	for _, row := range rows {
		took := row.cpu.Seconds() * 1e3
		fmt.Fprintf(out, "| %s | %d | %.1f | %.2f | %.2f |\n", row.name, row.cost, float64(row.bytes)/1e3, took,
			took*1e3/float64(max(row.cost, 1)))
	}
}
