package engine_test

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
)

// hostile are documents that end or stall a server without limits, and the code they are answered with; "" runs.
func hostile() map[string]struct {
	query string
	code  model.ErrorCode
} {
	chain := func(n int) string {
		var b strings.Builder
		b.WriteString("{...f0}")
		for i := range n {
			fmt.Fprintf(&b, "fragment f%d on Query{...f%d ...f%d}", i, i+1, i+1)
		}
		fmt.Fprintf(&b, "fragment f%d on Query{hello}", n)
		return b.String()
	}
	return map[string]struct {
		query string
		code  model.ErrorCode
	}{
		"lists in a value":          {"{hello(name:" + repeat(1_000_000, "["), model.CodeQueryTooExpensive},
		"selection sets":            {repeat(500_000, "{a"), model.CodeQueryTooExpensive},
		"objects in a value":        {"{hello(name:" + repeat(330_000, "{a:"), model.CodeQueryTooExpensive},
		"lists in a type":           {"query($a:" + repeat(1_000_000, "["), model.CodeQueryTooExpensive},
		"inline fragments, open":    {repeat(250_000, "{..."), model.CodeQueryTooExpensive},
		"__typename":                {"{" + repeat(20_000, "__typename ") + "}", model.CodeQueryTooExpensive},
		"__typename within tokens":  {"{" + repeat(4_900, "__typename ") + "}", model.CodeQueryTooExpensive},
		"__typename below the root": {"{person(id:1){" + repeat(4_900, "__typename ") + "}}", ""},
		"equal composite fields":    {"{person(id:1){" + repeat(1_000, "friends{__typename}") + "}}", ""},
		"equal composites, fuller": {"{person(id:1){" + repeat(150,
			"friends(first:0){nodes{id name age tags friends(first:0){__typename} friends(first:0){totalCount}}}") + "}}", ""},
		"equal connections, wide": {"{person(id:1){" + repeat(400, "friends(first:1){nodes{id}}") + "}}", ""},
		"nested inline fragments": {"{person(id:1){" + repeat(20_000, "...{") + "id" + repeat(20_000, "}") + "}}",
			model.CodeQueryTooExpensive},
		"inline fragments, allowed": {"{person(id:1){" + repeat(1_600, "...{") + "id" + repeat(1_600, "}") + "}}", ""},
		"directives":                {"{hello " + repeat(50_000, "@aa") + "}", model.CodeQueryTooExpensive},
		"directives within tokens":  {"{hello " + repeat(2_400, "@aa") + "}", model.CodeQueryTooExpensive},
		"unknown fields":            {"{" + numberedFields(5_000) + "}", model.CodeQueryTooExpensive},
		"unknown fields, deeper":    {"{person(id:1){" + numberedFields(4_900) + "}}", model.CodeBadUserInput},
		"pages three deep": {"{people(first:50){nodes{friends(first:50){nodes{friends(first:50){nodes{id}}}}}}}",
			model.CodeQueryTooExpensive},
		"aliases of a connection": {"{" + numbered(700, "a%d:people(first:1){totalCount}") + "}",
			model.CodeQueryTooExpensive},
		"fragment chain 2^24":  {chain(24), model.CodeQueryTooExpensive},
		"fragment chain 2^30":  {chain(30), model.CodeQueryTooExpensive},
		"fragment chain 2^198": {chain(198), model.CodeQueryTooExpensive},
		"fragment chain under a field": {"{person(id:1){...f0}}" +
			strings.ReplaceAll(strings.ReplaceAll(chain(30)[7:], "Query", "Person"), "hello", "name"),
			model.CodeQueryTooExpensive},
		"fragment chain in the schema": {"{__schema{types{...f0}}}" +
			strings.ReplaceAll(strings.ReplaceAll(chain(30)[7:], "Query", "__Type"), "hello", "name"),
			model.CodeQueryTooExpensive},
		"chain in another operation": {"query a{hello}query b{person(id:1){...f0}}" +
			strings.ReplaceAll(strings.ReplaceAll(chain(30)[7:], "Query", "Person"), "hello", "name"),
			model.CodeBadUserInput},
		"fragment cycle": {"{...a}fragment a on Query{...b}fragment b on Query{...c}fragment c on Query{...a}",
			model.CodeBadUserInput},
		"self cycle": {"{...a}fragment a on Query{...a}", model.CodeBadUserInput},
		"many fragments": {"{...f0}" + numbered2(190, "fragment f%d on Query{...f%d hello}") +
			"fragment f190 on Query{hello}", model.CodeQueryTooExpensive},
		"many operations": {numbered(199, "query q%d{hello}"), model.CodeBadUserInput},
		"operations over a chain": {numbered(90, "query q%d{...f0}") + numbered2(100, "fragment f%d on Query{...f%d}") +
			"fragment f100 on Query{hello}", model.CodeBadUserInput},
		"circular introspection": {"{__schema{types{fields{type{fields{type{fields{type{fields{name}}}}}}}}}}",
			model.CodeQueryTooExpensive},
		"introspection, 30 times": {"{" + numbered(30, "a%d:__schema{types{name}}") + "}", model.CodeQueryTooExpensive},
		"introspection, 15 times": {"{" + numbered(15, "a%d:__schema{types{name}}") + "}", model.CodeQueryTooExpensive},
		"a name of a mebibyte":    {"{" + repeat(1<<20, "a") + "}", model.CodeQueryTooExpensive},
		"a string of a mebibyte":  {`{hello(name:"` + repeat(1<<20, "a") + `")}`, ""},
		"escapes of a mebibyte":   {`{hello(name:"` + repeat(87_000, `\ud83d\ude00`) + `")}`, ""},
		"a comment of a mebibyte": {"#" + repeat(1<<20, "a") + "\n{hello}", ""},
		"comments":                {repeat(500_000, "#\n"), model.CodeQueryTooExpensive},
		"a wrong string":          {`{person(id:1){age(x:"` + repeat(1<<20, "a") + `")}}`, model.CodeBadUserInput},
		"a string out of place":   {`{"` + repeat(1<<20, "a") + `"}`, model.CodeBadUserInput},
		"a string without an end": {`{hello(name:"` + repeat(1<<20, "a"), model.CodeBadUserInput},
		"a number of a mebibyte":  {`{people(first:` + repeat(1<<20, "9") + `){totalCount}}`, model.CodeBadUserInput},
		"quotes":                  {repeat(1<<20, `"`), model.CodeBadUserInput},
		"blanks":                  {repeat(1<<20, ","), model.CodeBadUserInput},
		"backslashes in a string": {`{hello(name:"` + repeat(1<<19, `\\`) + `")}`, ""},
		"variables, many":         {"query(" + numbered(1_200, "$v%d:Int ") + "){hello}", model.CodeBadUserInput},
		"deep recursive input": {"{echo(input:" + repeat(1_000, `{text:"a",child:`) + "null" + repeat(1_000, "}") +
			"){text}}", model.CodeQueryTooExpensive},
		"wide recursive input": {"{echo(input:{text:1," + repeat(1_200, "child:{},") + "}){text}}",
			model.CodeBadUserInput},
		"arguments":       {"{hello(" + numbered(1_600, "a%d:1 ") + ")}", model.CodeBadUserInput},
		"equal arguments": {"{hello(" + repeat(1_600, "name:1 ") + ")}", model.CodeBadUserInput},
		"unknown types":   {numbered(190, "fragment f%d on Qwery{a}") + "{hello}", model.CodeBadUserInput},
		"spreads of one": {"{person(id:1){" + repeat(2_000, "...f ") +
			"}}fragment f on Person{name friends(first:0){totalCount}}", ""},
		"overlap across types": {"{person(id:1){" +
			repeat(140, "...{friends(first:0){nodes{id}}}...on Node{...on Cat{lives}...on Dog{barks}}") + "}}",
			""},
	}
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func numbered2(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i, i+1)
	}
	return b.String()
}

func numberedFields(n int) string { return numbered(n, "x%d ") }

// TestHostileDocuments sends each document once, to a server that has not seen it. The CPU is printed, not held, since
// no test may depend on the machine; the memory is held.
func TestHostileDocuments(t *testing.T) {
	for name, c := range hostile() {
		t.Run(name, func(t *testing.T) {
			s := newServer(t, nil)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := cpuTime(t)
			data, errs, refused := s.run(t, c.query, "")
			took := cpuTime(t) - start
			runtime.ReadMemStats(&after)
			allocated := (after.TotalAlloc - before.TotalAlloc) >> 10
			t.Logf("%8.1f ms %8d KiB", float64(took.Microseconds())/1000, allocated)
			if allocated > 64<<10 {
				t.Errorf("%d KiB", allocated)
			}
			if code := codeOf(errs); refused && code != c.code || !refused && c.code != "" {
				t.Errorf("want code %q: refused %v, %s", c.code, refused, show(errs))
			}
			if size := len(show(errs)); len(errs) > engine.MaxErrors || refused && size > 20_000 {
				t.Errorf("%d errors in %d bytes (data %d)", len(errs), size, len(data))
			}
		})
	}
}

func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
