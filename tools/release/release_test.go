package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"almanac/tools/components"
)

// release of a test, and the files of its archives.
func sample(t *testing.T) (release, []entry) {
	t.Helper()
	folder := t.TempDir()
	var files []entry
	for name, mode := range map[string]os.FileMode{"almanac": 0o755, "LICENSE": 0o644} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte("the bytes of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, entry{name, path, mode})
	}
	if files[0].name != "LICENSE" { // a map has no order
		files[0], files[1] = files[1], files[0]
	}
	return release{out: t.TempDir(), version: "1.2.3", made: time.Unix(1_790_000_000, 0).UTC()}, files
}

// The same files make the same archive, and other programs read it.
func TestArchives(t *testing.T) {
	r, files := sample(t)
	for name, write := range map[string]func(string, []entry) error{"a.tar.gz": r.tarball, "a.zip": r.zip} {
		path := filepath.Join(r.out, name)
		var made [][]byte
		for range 2 {
			if err := write(path, files); err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			made = append(made, content)
			for _, file := range files { // only its bytes count
				if err := os.Chtimes(file.path, time.Now(), time.Now().Add(time.Hour)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !bytes.Equal(made[0], made[1]) {
			t.Errorf("%s differs from one time to the next", name)
		}
	}
	list, err := exec.CommandContext(t.Context(), "tar", "--utc", "-tvzf",
		filepath.Join(r.out, "a.tar.gz")).CombinedOutput()
	if err != nil {
		t.Fatalf("tar: %v %s", err, list)
	}
	for _, want := range []string{"-rwxr-xr-x 0/0", "2026-09-21 14:13 almanac-1.2.3/almanac", "-rw-r--r-- 0/0",
		"almanac-1.2.3/LICENSE"} {
		if !strings.Contains(string(list), want) {
			t.Errorf("tar does not say %q:\n%s", want, list)
		}
	}
	unpacked, err := zip.OpenReader(filepath.Join(r.out, "a.zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer unpacked.Close() //nolint:errcheck // it was read
	for i, file := range unpacked.File {
		content, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil || string(text) != "the bytes of "+files[i].name || file.Mode() != files[i].mode ||
			!file.Modified.Equal(r.made) {
			t.Errorf("%s: %q %v %v %v", file.Name, text, err, file.Mode(), file.Modified)
		}
	}
}

// The checksums are those of sha256sum.
func TestSums(t *testing.T) {
	r, files := sample(t)
	if err := r.tarball(filepath.Join(r.out, "a.tar.gz"), files); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time the file with the sums is there already
		if err := writeSums(r.out); err != nil {
			t.Fatal(err)
		}
	}
	check := exec.CommandContext(t.Context(), "sha256sum", "--strict", "-c", sums)
	check.Dir = r.out
	if said, err := check.CombinedOutput(); err != nil || string(said) != "a.tar.gz: OK\n" {
		t.Errorf("%v: %s", err, said)
	}
}

// A list of components is what CycloneDX's own description of the format asks for.
func TestSBOM(t *testing.T) {
	r, _ := sample(t)
	path := filepath.Join(r.out, "a.cdx.json")
	inside := []components.Component{
		{Ecosystem: components.GoModule, Name: "github.com/jackc/pgx/v5", Version: "v5.12.0", Licences: []string{"MIT"}},
		{Ecosystem: components.NPM, Name: "@graphiql/react", Version: "0.39.1", Licences: []string{"MIT", "Apache-2.0"}},
	}
	if err := r.writeSBOM(path, components.Target{OS: "linux", Arch: "arm64"}, inside); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatal(err)
	}
	if err := cycloneDX(t).Validate(value); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	for _, want := range []string{`"pkg:golang/github.com/jackc/pgx/v5@v5.12.0"`, `"pkg:npm/%40graphiql/react@0.39.1"`,
		`"version": "1.2.3"`, `"2026-09-21T14:13:20Z"`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	// The judge is able to refuse.
	value["components"].([]any)[0].(map[string]any)["type"] = "no such type"
	if err := cycloneDX(t).Validate(value); err == nil {
		t.Error("the description of the format accepts a component of no type")
	}
}

// cycloneDX is the format's own description, from the module that writes it.
func cycloneDX(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	folder, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}",
		"github.com/CycloneDX/cyclonedx-go").Output()
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string) *jsonschema.Schema {
		text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "schema", name))
		if err != nil {
			t.Fatal(err)
		}
		schema := new(jsonschema.Schema)
		if err := json.Unmarshal(text, schema); err != nil {
			t.Fatal(err)
		}
		return schema
	}
	resolved, err := read("bom-1.6.schema.json").Resolve(&jsonschema.ResolveOptions{
		Loader: func(address *url.URL) (*jsonschema.Schema, error) {
			// Two parts have files of their own; one is stored under another name.
			return read(strings.ReplaceAll(path.Base(address.Path), "jsf-0.82.schema.json", "jsf-0.82.schemax.json")), nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// A program with a module that the list of licences does not have is not published.
func TestWhatIsEmbeddedIsListed(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	all, err := components.All(t.Context(), filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	// This program embeds what the product does not: the library that recognises licences.
	if _, err := componentsOf(program, all); err == nil || !strings.Contains(err.Error(), "licensecheck") ||
		strings.Contains(err.Error(), components.Standard) {
		t.Errorf("%v", err)
	}
}

func TestTargets(t *testing.T) {
	all, err := chosen("")
	if err != nil || len(all) != 6 {
		t.Errorf("%v %v", all, err)
	}
	some, err := chosen("linux/amd64,darwin/arm64")
	if err != nil || len(some) != 2 || some[1].String() != "darwin/arm64" {
		t.Errorf("%v %v", some, err)
	}
	if _, err := chosen("linux"); err == nil {
		t.Error("a system without a processor is a target")
	}
}
