package app_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// fenced returns a page's blocks of one language, in order.
func fenced(t *testing.T, page, language string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", page))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, found := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
		blocks = append(blocks, found[1])
	}
	return blocks
}

var curlBody = regexp.MustCompile(`(?s)-d '(.*?)'`)

// The query on the README's first screen gives, on the sample, the answer that is printed below it: the same fields, of
// the same types, with the same words where they do not depend on the day.
func TestReadmeQueryHasItsAnswer(t *testing.T) {
	t.Parallel()
	var body string
	for _, block := range fenced(t, "README.md", "sh") {
		if found := curlBody.FindStringSubmatch(block); found != nil && strings.Contains(block, "127.0.0.1:8080/graphql") {
			body = found[1]
			break
		}
	}
	printed := fenced(t, "README.md", "json")
	if body == "" || len(printed) == 0 {
		t.Fatal("README.md has no curl command, or no answer")
	}
	p := start(t, "--data-dir="+t.TempDir(), "--demo")
	r := p.mustSend("POST", "/graphql", []byte(body), "Content-Type", "application/json")
	var want, got any
	if err := json.Unmarshal([]byte(printed[0]), &want); err != nil {
		t.Fatalf("the printed answer: %v", err)
	}
	if err := json.Unmarshal(r.body, &got); err != nil {
		t.Fatalf("%v: %s", err, r.body)
	}
	if differs := sameShape(want, got); differs != "" {
		t.Errorf("%s\nprinted: %s\nanswered: %s", differs, printed[0], r.body)
	}
	for _, text := range regexp.MustCompile(`"text":"([^"]*)"`).FindAllStringSubmatch(printed[0], -1) {
		if all := p.mustSend("POST", "/graphql", []byte(`{"query":"{ tasks(first: 100) { nodes { text } } }"}`),
			"Content-Type", "application/json"); !strings.Contains(string(all.body), text[1]) {
			t.Errorf("the sample has no task %q", text[1])
		}
	}
}

// sameShape says where two answers differ in their fields or types. The first item of a list stands for all; a list
// that the hour of the day has emptied has every shape.
func sameShape(want, got any) string {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok || len(object) != len(want) {
			return fmt.Sprintf("want %v, got %v", want, got)
		}
		for name, value := range want {
			found, there := object[name]
			if !there {
				return name + " is not in the answer"
			}
			if differs := sameShape(value, found); differs != "" {
				return name + ": " + differs
			}
		}
	case []any:
		list, ok := got.([]any)
		if !ok {
			return fmt.Sprintf("want a list, got %v", got)
		}
		for _, item := range list {
			if len(want) > 0 {
				if differs := sameShape(want[0], item); differs != "" {
					return differs
				}
			}
		}
	default:
		if fmt.Sprintf("%T", want) != fmt.Sprintf("%T", got) {
			return fmt.Sprintf("want %v, got %v", want, got)
		}
	}
	return ""
}

// wantedAnswers says, by a part of each document in the pages for newcomers, what its answer on the sample must have. A
// part that begins with ! must not be there.
func wantedAnswers() map[string][]string {
	return map[string][]string{
		`match: { text: "finance" }`: {`"task":null`, `"kind":"PICK_ONE"`, `"label":"Electricity bill`, `!"code"`},
		`the code of the gate`:       {`"edges":[{"matchedBy":["VECTOR","KEYWORD"],"node":{"content":"הקוד של השער הוא 4711"}}]`},
		`my car's number`:            {`"content":"License plate: 123-45-678"`, `"KEYWORD"`},
		`freeBusy`:                   {`"summary":"Stand-up"`, `"free":[{"start"`, `"summary":"Team meeting with Dana"`},
		`deleteEventsBySummary`:      {`"deleted":0`, `"kind":"`, `"label":"`},
		`unread: true`:               {`"subject":"Invoice 2291 is overdue"`, `"name":"Noa Bar"`},
		`addFacts`:                   {`"created":1`, `"invalidated":1`, `"name":"Acme"`},
		`where does Noa work`:        {`"fact":"Noa Bar works at Bluebird Labs"`, `"distance":1`},
		`websets(first: 2)`:          {`"satisfied":"yes"`, `"description":"`},
		`agenda {`:                   {`"kind":"EVENT"`, `"kind":"TASK"`, `"kind":"EMAIL"`, `"notes":[]`, `untrusted`},
		`maxTokens: 400`:             {`"output":"`, `"next":"`, `"tokens":`},
		`taskChanged`:                {`"operation":"CREATED"`, `"cursor":"`},
	}
}

// Every GraphQL document in the pages for newcomers answers what it is there to show, and exactly what is printed below
// it where an answer is. An "…" stands for what the reader fills in.
func TestShownDocumentsAnswer(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"README.md", "docs/tour.md"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			p := start(t, "--data-dir="+t.TempDir(), "--demo")
			documents := fenced(t, page, "graphql")
			if len(documents) < 2 {
				t.Fatalf("%s has %d documents", page, len(documents))
			}
			for _, document := range documents {
				answer := p.answerTo(strings.ReplaceAll(document, `"…"`, `"`+changeHead(p)+`"`))
				checked := false
				for part, wants := range wantedAnswers() {
					if !strings.Contains(document, part) {
						continue
					}
					checked = true
					for _, want := range wants {
						want, unwanted := strings.CutPrefix(want, "!")
						if strings.Contains(answer, want) == unwanted {
							t.Errorf("%s is missing, or there and should not be: %s\n%s", want, answer, document)
						}
					}
				}
				if !checked {
					t.Errorf("nobody has said what this should answer:\n%s\n%s", document, answer)
				}
			}
		})
	}
}

// answerTo runs a document and returns the data of its answer; of a subscription, that of the first event.
func (p *process) answerTo(document string) string {
	p.t.Helper()
	parsed, err := parser.ParseQuery(&ast.Source{Input: document})
	if err != nil {
		p.t.Fatalf("%v\n%s", err, document)
	}
	if parsed.Operations[0].Operation == ast.Subscription {
		s := p.mustDial("")
		if err := s.subscribe("1", document, nil); err != nil {
			p.t.Fatal(err)
		}
		p.mustAsk(createTask, map[string]any{"text": document}, &struct{}{})
		var event json.RawMessage
		if err := s.next(&event); err != nil {
			p.t.Fatalf("%v\n%s", err, document)
		}
		return string(event)
	}
	r, a := p.post(document, nil)
	if len(a.Errors) > 0 {
		p.t.Errorf("%s\n%s", r.body, document)
	}
	return string(a.Data)
}

// The client on the README's second screen runs as it is printed.
func TestReadmeFirstClient(t *testing.T) {
	t.Parallel()
	scripts := fenced(t, "README.md", "js")
	if len(scripts) != 1 {
		t.Fatalf("README.md has %d scripts", len(scripts))
	}
	if lines := strings.Count(scripts[0], "\n"); lines > 14 {
		t.Errorf("the first client has %d lines", lines)
	}
	file := filepath.Join(t.TempDir(), "first.mjs")
	if err := os.WriteFile(file, []byte(scripts[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, "--data-dir="+t.TempDir())
	node := exec.CommandContext(t.Context(), "node", file) //nolint:gosec // what is printed in our README
	node.Env = append(environment(nil), "ALMANAC="+p.address)
	out, err := node.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Water the basil") || !strings.Contains(string(out), "June 1, 2030") {
		t.Errorf("%v: %s", err, out)
	}
	if n := len(countTasks(p)); n != 1 {
		t.Errorf("there are %d tasks", n)
	}
}

// The lines by which the README makes the first user and token do so, word by word; only the port is another one.
func TestReadmeFirstToken(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, block := range fenced(t, "README.md", "sh") {
		if strings.Contains(block, "token create") {
			lines = strings.Split(strings.TrimSpace(block), "\n")
		}
	}
	if len(lines) < 4 || lines[0] != "make build" || !strings.HasSuffix(lines[len(lines)-1], " bin/almanac") {
		t.Fatalf("README.md has other lines: %q", lines)
	}
	home := t.TempDir()
	bin := filepath.Join(home, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(own, filepath.Join(bin, "almanac")); err != nil {
		t.Fatal(err)
	}
	shell := exec.CommandContext(t.Context(), "sh", "-ec",
		strings.Join(lines[1:len(lines)-1], "\n")) //nolint:gosec // ours
	shell.Dir, shell.Env = home, append(environment([]string{"HOME=" + home}), asServer+"=1")
	out, err := shell.CombinedOutput()
	token := tokenText.FindString(string(out))
	if err != nil || token == "" {
		t.Fatalf("%v: %s", err, out)
	}
	address, _, _ := strings.Cut(lines[len(lines)-1], " ")
	if address != "ALMANAC_ADDR=0.0.0.0:8080" {
		t.Fatalf("the server is started with %q", address)
	}
	p := spawn(t, []string{"HOME=" + home, "ALMANAC_DATA_DIR=" + filepath.Join(home, "almanac-data")},
		"--addr=0.0.0.0:0").await()
	if id, scopes := p.viewerOf(token); id == "" || len(scopes) != 2 {
		t.Errorf("the token opens %q with %v", id, scopes)
	}
}
