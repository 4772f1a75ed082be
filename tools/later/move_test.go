package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of the installed Go nothing changes but one line, which adds the days; another Go may need another way, and says so.
func TestMove(t *testing.T) {
	root, err := output(t.Context(), "go", "env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(filepath.Join(root, "src", "time", "time.go"))
	if err != nil {
		t.Fatal(err)
	}
	moved, err := move(source, 400)
	if err != nil {
		t.Fatal(err)
	}
	const added = "; sec += 34560000"
	if bytes.Count(moved, []byte(added)) != 1 || !bytes.Equal(bytes.Replace(moved, []byte(added), nil, 1), source) {
		t.Error("more than the one addition has changed")
	}
	for _, other := range []string{"package time", "package time\nfunc Now() {}",
		"package time\nfunc (c clock) Now() { a, b, c := f() }",
		"package time\nfunc Now() Time { return read() }", "no Go at all"} {
		if _, err := move([]byte(other), 400); err == nil {
			t.Errorf("%q was moved", other)
		}
	}
}

func TestRelink(t *testing.T) {
	const list = "# import config\npackagefile runtime=/a\npackagefile time/tzdata=/b\npackagefile time=/c\n" +
		"packagefile os=/d\n"
	got, err := relink([]byte(list), "/later")
	if err != nil || string(got) != strings.Replace(list, "time=/c", "time=/later", 1) {
		t.Errorf("%s %v", got, err)
	}
	if _, err := relink([]byte("packagefile runtime=/a\n"), "/later"); err == nil {
		t.Error("a program without time was linked")
	}
}
