package engine_test

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
	"almanac/internal/httpapi/internal/testschema"
	"almanac/internal/httpapi/request"
)

//go:embed testdata/documents.graphql
var documents string

type oracleCase struct {
	Query     string          `json:"query"`
	Variables json.RawMessage `json:"variables,omitempty"`
}

// oracle asks graphql-js, the reference implementation, for its verdicts.
func oracle(t *testing.T, cases []oracleCase) []string {
	t.Helper()
	audit := filepath.Join("..", "audit")
	if _, err := exec.LookPath("node"); err != nil {
		t.Fatalf("node is missing; the comparison with graphql-js needs Node.js 20 or newer (apt-get install nodejs npm): %v",
			err)
	}
	if _, err := os.Stat(filepath.Join(audit, "node_modules", "graphql")); err != nil {
		install := exec.CommandContext(t.Context(), "npm", "ci", "--no-audit", "--no-fund")
		install.Dir = audit
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("npm ci in internal/httpapi/audit: %v\n%s", err, out)
		}
	}
	input, err := json.Marshal(map[string]any{"schema": testschema.Source(), "cases": cases})
	if err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), "node", "oracle.mjs")
	node.Dir, node.Stdin = audit, bytes.NewReader(input)
	var complaint bytes.Buffer
	node.Stderr = &complaint
	out, err := node.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, complaint.Bytes())
	}
	var verdicts []string
	if err := json.Unmarshal(out, &verdicts); err != nil || len(verdicts) != len(cases) {
		t.Fatalf("%d verdicts of %d: %v", len(verdicts), len(cases), err)
	}
	return verdicts
}

// verdictOf is ours, in the oracle's words; "" when a limit of ours, which graphql-js has not, decided.
func verdictOf(t *testing.T, s server, c oracleCase) string {
	t.Helper()
	req := engine.Request{Query: c.Query}
	if len(c.Variables) > 0 {
		value, err := request.ParseJSON(c.Variables)
		if err != nil {
			t.Fatalf("%s: %v", c.Variables, err)
		}
		req.Variables = value.(map[string]any)
	}
	_, errs := s.Prepare(everything(), req)
	switch {
	case len(errs) == 0:
		return "ok"
	case codeOf(errs) == model.CodeQueryTooExpensive:
		return ""
	case codeOf(errs) != model.CodeBadUserInput:
		t.Errorf("%s: %s", c.Query, show(errs))
		return ""
	case strings.HasPrefix(errs[0].Message, "Variable \"$") && errs[0].Extensions["field"] != nil:
		return "variables: " + errs[0].Message
	case strings.HasPrefix(errs[0].Message, "Syntax error"):
		return "syntax: " + errs[0].Message
	default:
		return "invalid: " + errs[0].Message
	}
}

func compare(t *testing.T, cases []oracleCase) {
	t.Helper()
	s := newServer(t, nil)
	counts := map[string]int{}
	for i, theirs := range oracle(t, cases) {
		ours := verdictOf(t, s, cases[i])
		kind, _, _ := strings.Cut(theirs, ":")
		if strings.Contains(theirs, "definition is not executable") {
			kind = "syntax" // our parser reads only what can be executed
		}
		if ourKind, _, _ := strings.Cut(ours, ":"); ours != "" && ourKind != kind {
			t.Errorf("%s %s\n  graphql-js: %s\n  ours:       %s", cases[i].Query, cases[i].Variables, theirs, ours)
		}
		if ours == "" {
			kind = "limited"
		}
		counts[kind]++
	}
	t.Logf("%d cases: %v", len(cases), counts)
}

func corpus() []string {
	var list []string
	for part := range strings.SplitSeq(documents, "\n---\n") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

func TestOracleOnDocuments(t *testing.T) {
	var cases []oracleCase
	for _, query := range corpus() {
		cases = append(cases, oracleCase{Query: query})
	}
	compare(t, cases)
}

// TestOracleOnMutants changes documents by a token or two, which makes errors of every kind that nobody thinks of.
func TestOracleOnMutants(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var tokens []string
	var texts [][]string
	for _, query := range corpus() {
		parts := split(query)
		tokens = append(tokens, parts...)
		texts = append(texts, parts)
	}
	var cases []oracleCase
	for range 2000 {
		parts := append([]string(nil), texts[r.IntN(len(texts))]...)
		for range 1 + r.IntN(2) {
			if len(parts) == 0 {
				break
			}
			i := r.IntN(len(parts))
			switch r.IntN(4) {
			case 0:
				parts = append(parts[:i], parts[i+1:]...)
			case 1:
				parts[i] = tokens[r.IntN(len(tokens))]
			case 2:
				parts = append(parts[:i], append([]string{parts[i]}, parts[i:]...)...)
			case 3:
				j := r.IntN(len(parts))
				parts[i], parts[j] = parts[j], parts[i]
			}
		}
		cases = append(cases, oracleCase{Query: strings.Join(parts, " ")})
	}
	compare(t, cases)
}

// split returns the tokens of a document, roughly: strings whole, names whole, everything else by character.
func split(query string) []string {
	var parts []string
	for i := 0; i < len(query); {
		end, kind := i+1, query[i]
		switch {
		case kind == '"':
			for end < len(query) && query[end] != '"' {
				end++
			}
			end++
		case isName(kind):
			for end < len(query) && isName(query[end]) {
				end++
			}
		case strings.HasPrefix(query[i:], "..."):
			end = i + 3
		case kind == ' ' || kind == '\n' || kind == ',':
			i++
			continue
		}
		parts = append(parts, query[i:min(end, len(query))])
		i = end
	}
	return parts
}

func isName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

func TestOracleOnRandomDocuments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var cases []oracleCase
	for range 300 {
		cases = append(cases, oracleCase{Query: randomDocument(r)})
	}
	compare(t, cases)
}

// TestOracleOnVariables sets a variable of every type to every value.
func TestOracleOnVariables(t *testing.T) {
	values := []string{
		`null`, `true`, `false`, `0`, `-0`, `1`, `1.0`, `1e2`, `1.5`, `-1`, `2147483647`, `2147483648`, `-2147483648`,
		`-2147483649`, `1e10`,
		`4503599627370496`, `""`, `"1"`, `"true"`, `"GREEN"`, `"green"`, `"GREEN "`, `"null"`, `"שלום"`, `"😀"`, `[]`,
		`[null]`, `[1]`, `[1,null]`,
		`["a"]`, `["a",null]`, `["a",1]`, `[[1]]`, `[[1],[2]]`, `[[1],null]`, `[[null]]`, `[1,[2]]`, `[[[1]]]`, `{}`,
		`{"text":"a"}`, `{"text":null}`,
		`{"text":1}`, `{"text":"a","count":1}`, `{"text":"a","count":"1"}`, `{"text":"a","count":null}`, `{"text":"a","x":1}`,
		`{"text":"a","__typename":"EchoInput"}`, `{"text":"a","tags":"x"}`, `{"text":"a","tags":["x",null]}`,
		`{"text":"a","child":{"text":"b"}}`,
		`{"text":"a","child":{}}`, `{"text":"a","color":"RED"}`, `{"text":"a","color":"red"}`, `{"text":"a","id":7}`,
		`{"text":"a","id":7.5}`,
		`{"text":"a","ratio":1,"flag":true}`, `{"text":"a","flag":"true"}`, `[{"text":"a"}]`, `{"id":"1"}`, `{"name":"a"}`,
		`{"id":"1","name":"a"}`,
		`{"id":null}`, `{"id":"1","name":null}`, `{"id":1}`,
	}
	types := []string{"String", "String!", "Int", "Int!", "Float", "Boolean", "ID", "Color", "Color!", "EchoInput",
		"EchoInput!", "Target", "Target!",
		"[String]", "[String!]!", "[Int]", "[[Int!]!]", "Stamp"}
	use := map[string]string{
		"String": "hello(name:$v)", "Int": "people(first:$v){totalCount}", "Float": "echoes(float:$v)",
		"Boolean": "echoes(bool:$v)", "ID": "echoes(id:$v)",
		"Color": "echoes(color:$v)", "EchoInput": "hello", "Target": "hello", "Stamp": "echoes(stamp:$v)",
	}
	var cases []oracleCase
	for _, kind := range types {
		query := fmt.Sprintf("query($v:%s){%s}", kind, use[kind])
		switch kind {
		case "String!", "Int!", "Color!":
			query = fmt.Sprintf("query($v:%s){%s}", kind, use[strings.TrimSuffix(kind, "!")])
		case "EchoInput!":
			query = "query($v:EchoInput!){echo(input:$v){text}}"
		case "EchoInput":
			query = `query($v:EchoInput){echo(input:{text:"a",child:$v}){text}}`
		case "Target", "Target!":
			query = "query($v:Target!){find(target:$v)}"
		case "[String]":
			query = "query($v:[String]){echoes(stamp:$v)}"
		case "[String!]!":
			query = "query($v:[String!]!){echoes(strings:$v)}"
		case "[Int]":
			query = "query($v:[Int]){echoes(ints:$v)}"
		case "[[Int!]!]":
			query = "query($v:[[Int!]!]){echoes(matrix:$v)}"
		}
		for _, value := range values {
			cases = append(cases, oracleCase{Query: query, Variables: json.RawMessage(`{"v":` + value + `}`)})
		}
		cases = append(cases, oracleCase{Query: query, Variables: json.RawMessage(`{}`)})
	}
	compare(t, cases)
}
