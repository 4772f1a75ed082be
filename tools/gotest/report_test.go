package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// told feeds events to a report and returns what it printed.
func told(t *testing.T, events string) string {
	t.Helper()
	var out bytes.Buffer
	r := newReport(&out, false)
	if err := r.read(strings.NewReader(events)); err != nil {
		t.Fatal(err)
	}
	r.finish()
	return out.String()
}

func TestEventsAreCounted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ events, want string }{
		"nothing": {"", "0 passed, 0 failed\n"},
		"a pass prints one line": {`{"Action":"start","Package":"a"}
{"Action":"run","Package":"a","Test":"T"}
{"Action":"output","Package":"a","Test":"T","Output":"=== RUN   T\n"}
{"Action":"output","Package":"a","Test":"T","Output":"chatter\n"}
{"Action":"output","Package":"a","Test":"T","Output":"--- PASS: T (0.00s)\n"}
{"Action":"pass","Package":"a","Test":"T"}
{"Action":"output","Package":"a","Output":"PASS\n"}
{"Action":"output","Package":"a","Output":"ok  \ta\t0.01s\n"}
{"Action":"pass","Package":"a"}
`, "ok  \ta\t0.01s\n1 passed, 0 failed\n"},
		"no test files": {`{"Action":"output","Package":"a","Output":"?   \ta\t[no test files]\n"}
{"Action":"skip","Package":"a"}
`, "?   \ta\t[no test files]\n0 passed, 0 failed\n"},
		"a skipped test": {`{"Action":"run","Package":"a","Test":"T"}
{"Action":"skip","Package":"a","Test":"T"}
{"Action":"pass","Package":"a"}
`, "skipped\ta T\n0 passed, 0 failed, 1 skipped\n"},
		"tests that take long": {`{"Action":"run","Package":"a","Test":"T"}
{"Action":"pass","Package":"a","Test":"T/1","Elapsed":29.9}
{"Action":"pass","Package":"a","Test":"T/2","Elapsed":30}
{"Action":"pass","Package":"a","Test":"T","Elapsed":59.9}
{"Action":"pass","Package":"a","Elapsed":60}
`, "  60 s\ta T\n  30 s\ta T/2\n3 passed, 0 failed\n"},
		"a package without a failing test counts once": {`{"Action":"run","Package":"a","Test":"T"}
{"Action":"pass","Package":"a","Test":"T"}
{"Action":"output","Package":"a","Output":"FAIL\ta\t0.01s\n"}
{"Action":"fail","Package":"a"}
`, "FAIL\ta\t0.01s\n1 passed, 1 failed\n"},
		"tests that never end": {`{"Action":"run","Package":"a","Test":"T"}
{"Action":"run","Package":"a","Test":"U"}
{"Action":"output","Package":"a","Test":"U","Output":"panic: test timed out\n"}
{"Action":"fail","Package":"a"}
`, "panic: test timed out\n0 passed, 2 failed\n"},
		"go test itself is ended": {`{"Action":"run","Package":"a","Test":"T"}
{"Action":"start","Package":"b"}
`, "0 passed, 2 failed\n"},
		"a line that is no event": {"go: cannot find module\n{}\n", "go: cannot find module\n{}\n0 passed, 0 failed\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := told(t, test.events); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
}

func TestEndlessOutputIsCut(t *testing.T) {
	t.Parallel()
	line := `{"Action":"output","Package":"a","Test":"T","Output":"` + strings.Repeat("x", 1000) + `"}` + "\n"
	got := told(t, strings.Repeat(line, 3000)+`{"Action":"fail","Package":"a","Test":"T"}`+"\n"+
		`{"Action":"fail","Package":"a"}`+"\n")
	if len(got) > maxOutput+1000 || !strings.Contains(got, "the rest is left out") {
		t.Errorf("%d bytes are printed of 3 MB, want about %d and a note", len(got), maxOutput)
	}
}

// TestARealRun runs the real go test over packages that pass, fail, panic and do not build.
func TestARealRun(t *testing.T) {
	inModule(t, map[string]string{
		"go.mod": "module sample\n\ngo 1.26\n",
		"good/good_test.go": "package good\nimport \"testing\"\nfunc TestGood(t *testing.T) { t.Run(\"sub\", func(t " +
			"*testing.T) { println(\"loud\") }) }\n",
		"bad/bad_test.go": "package bad\nimport \"testing\"\nfunc TestBad(t *testing.T) { t.Run(\"sub\", func(t " +
			"*testing.T) { t.Error(\"broken promise\") }) }\nfunc TestFine(t *testing.T) { t.Log(\"whisper\") }\n",
		"panics/p_test.go":     "package panics\nimport \"testing\"\nfunc TestPanics(t *testing.T) { panic(\"alarm\") }\n",
		"unbuilt/u_test.go":    "package unbuilt\nimport \"testing\"\nfunc TestU(t *testing.T) { undefinedName() }\n",
		"untested/untested.go": "package untested\n",
	})

	var out, errs bytes.Buffer
	code, err := run([]string{"./..."}, &out, &errs)
	if err != nil {
		t.Fatal(err)
	}
	got := out.String()
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	for _, want := range []string{
		"ok  \tsample/good\t", "?   \tsample/untested\t[no test files]", "broken promise", "panic: alarm",
		"undefined: undefinedName",
		"FAIL\tsample/bad\t", "FAIL\tsample/panics\t", "FAIL\tsample/unbuilt [build failed]",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the output lacks %q", want)
		}
	}
	for _, noise := range []string{"=== RUN", "--- PASS", "loud", "whisper"} {
		if strings.Contains(got, noise) {
			t.Errorf("the output holds %q", noise)
		}
	}
	// TestGood and its sub, TestFine; TestBad and its sub, TestPanics, the package that does not build.
	if !strings.HasSuffix(got, "\n3 passed, 4 failed\n") {
		t.Errorf("the last line is not the sum")
	}
	if t.Failed() {
		t.Log(got, errs.String())
	}

	out.Reset()
	if code, err := run([]string{"-v", "./good"}, &out, &errs); code != 0 || err != nil ||
		!strings.Contains(out.String(), "=== RUN   TestGood/sub\n") {
		t.Errorf("-v gives %d, %v and\n%s", code, err, out.String())
	}
	out.Reset()
	if code, err := run([]string{"./good"}, &out, &errs); code != 0 || err != nil ||
		!strings.HasSuffix(out.String(), "2 passed, 0 failed\n") {
		t.Errorf("a good package gives %d, %v and\n%s", code, err, out.String())
	}
}

// TestSomePackagesAreNotWatched runs two packages that know whether the race detector watches them.
func TestSomePackagesAreNotWatched(t *testing.T) {
	const knows = "import \"testing\"\nfunc TestIt(t *testing.T) { t.Log(\"watched:\", watched) }\n"
	inModule(t, map[string]string{
		"go.mod":       "module sample\n\ngo 1.26\n",
		"a/a_test.go":  "package a\n" + knows,
		"a/with.go":    "//go:build race\n\npackage a\n\nconst watched = true\n",
		"a/without.go": "//go:build !race\n\npackage a\n\nconst watched = false\n",
		"b/b_test.go":  "package b\n" + knows,
		"b/with.go":    "//go:build race\n\npackage b\n\nconst watched = true\n",
		"b/without.go": "//go:build !race\n\npackage b\n\nconst watched = false\n",
	})
	said := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code, err := run(append([]string{unwatched, "./b", "-race", "-gcflags=strings=-race=false", "-v"}, args...),
			&out, &errs); code != 0 || err != nil {
			t.Fatalf("%d, %v\n%s%s", code, err, out.String(), errs.String())
		}
		return out.String()
	}
	both := said("./a", "./...")
	for _, want := range []string{"a_test.go:3: watched: true", "b_test.go:3: watched: false", "\n2 passed, 0 failed\n"} {
		if !strings.Contains(both, want) {
			t.Errorf("the output lacks %q:\n%s", want, both)
		}
	}
	if one := said("./a"); !strings.Contains(one, "watched: true") || !strings.HasSuffix(one, "\n1 passed, 0 failed\n") {
		t.Errorf("of one package that is watched:\n%s", one)
	}
	if one := said("./b"); !strings.Contains(one, "watched: false") || !strings.HasSuffix(one, "\n1 passed, 0 failed\n") {
		t.Errorf("of one package that is not watched:\n%s", one)
	}
}

// inModule makes files, by their paths, in a folder in which the test goes on.
func inModule(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}
