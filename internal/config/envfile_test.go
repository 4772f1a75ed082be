package config

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
)

// withFiles is the test's machine with these files, which have the mode.
func withFiles(mode fs.FileMode, files map[string]string) machine {
	m := testMachine()
	read := m.readFile
	m.readFile = func(path string) ([]byte, error) {
		if content, there := files[path]; there {
			return []byte(content), nil
		}
		return read(path)
	}
	m.mode = func(string) (fs.FileMode, error) { return mode, nil }
	return m
}

func TestSettingsFile(t *testing.T) {
	const inData, named = "/home/dana/.local/share/almanac/almanac.env", "/etc/almanac.env"
	for name, c := range map[string]struct {
		files     map[string]string
		args      []string
		variables []string
		addr      string
		file      string
	}{
		"none":               {nil, nil, nil, "127.0.0.1:8080", ""},
		"in the data folder": {map[string]string{inData: "ALMANAC_ADDR=127.0.0.1:1\n"}, nil, nil, "127.0.0.1:1", inData},
		"in the data folder of a flag": {map[string]string{"/data/almanac.env": "ALMANAC_ADDR=127.0.0.1:2"},
			[]string{"--data-dir=/data"}, nil, "127.0.0.1:2", "/data/almanac.env"},
		"in the data folder of a variable": {map[string]string{"/home/dana/d/almanac.env": "ALMANAC_ADDR=127.0.0.1:3"}, nil,
			[]string{"ALMANAC_DATA_DIR=~/d"}, "127.0.0.1:3", "/home/dana/d/almanac.env"},
		"named by a flag, and no other is read": {map[string]string{named: "ALMANAC_ADDR=127.0.0.1:4\nALMANAC_DATA_DIR=/x",
			inData: "ALMANAC_ADDR=127.0.0.1:1"}, []string{"--env-file", named}, nil, "127.0.0.1:4", named},
		"named by a variable": {map[string]string{"/srv/a.env": "ALMANAC_ADDR=127.0.0.1:5"}, nil,
			[]string{"ALMANAC_ENV_FILE=a.env"}, "127.0.0.1:5", "/srv/a.env"},
		"a variable takes precedence": {map[string]string{inData: "ALMANAC_ADDR=127.0.0.1:1"}, nil,
			[]string{"ALMANAC_ADDR=127.0.0.1:6"}, "127.0.0.1:6", inData},
		"an empty variable does not": {map[string]string{inData: "ALMANAC_ADDR=127.0.0.1:1"}, nil,
			[]string{"ALMANAC_ADDR="}, "127.0.0.1:1", inData},
		"a flag takes precedence": {map[string]string{inData: "ALMANAC_ADDR=127.0.0.1:1"},
			[]string{"--addr=127.0.0.1:7"}, nil, "127.0.0.1:7", inData},
		"an empty flag means the default": {map[string]string{inData: "ALMANAC_ADDR=127.0.0.1:1"}, []string{"--addr="}, nil,
			"127.0.0.1:8080", inData},
		"comments, quotes, exports, other programs' lines and Windows' ends of lines": {map[string]string{
			inData: "\uFEFF# a comment\r\n\r\n  export ALMANAC_ADDR = \"127.0.0.1:8\"\r\nPOSTGRES_PASSWORD=a b\r\n"}, nil, nil,
			"127.0.0.1:8", inData},
		"the last of two equal names": {map[string]string{inData: "ALMANAC_ADDR=127.0.0.1:1\nALMANAC_ADDR='127.0.0.1:9'"},
			nil, nil, "127.0.0.1:9", inData},
	} {
		got, _, err := load(c.args, append([]string{"HOME=/home/dana"}, c.variables...), nil, withFiles(0o600, c.files))
		if err != nil || got.Addr != c.addr || got.EnvFile != c.file || len(got.Warnings) > 0 {
			t.Errorf("%s: %s from %q, %v %q; want %s from %q", name, got.Addr, got.EnvFile, err, got.Warnings, c.addr, c.file)
		}
	}
}

func TestSettingsFileIsRefused(t *testing.T) {
	const file = "/home/dana/.local/share/almanac/almanac.env"
	for content, want := range map[string]string{
		"ALMANAC_ADR=127.0.0.1:1":                  "ALMANAC_ADR is not a setting. Did you mean ALMANAC_ADDR?",
		"\nALMANAC_JWT_SECRET hunter2hunter2":      "Line 2 of",
		"=hunter2":                                 "Line 1 of",
		"ALMANAC_ADDR=nowhere":                     "ALMANAC_ADDR in " + file,
		"ALMANAC_JWT_SECRET=hunter2":               "ALMANAC_JWT_SECRET in " + file,
		"ALMANAC_DATA_DIR=/elsewhere":              "cannot set ALMANAC_DATA_DIR",
		"ALMANAC_ENV_FILE=/etc/almanac.env":        "cannot name another",
		"ALMANAC_JWT_SECRET=file:/no/such/hunter3": "cannot be read",
	} {
		_, _, err := load(nil, []string{"HOME=/home/dana"}, nil, withFiles(0o600, map[string]string{file: content}))
		problems := problemsOf(t, err)
		if len(problems) != 1 || !strings.Contains(problems[0], want) || strings.Contains(problems[0], "hunter2") {
			t.Errorf("%q: %q, want %q", content, problems, want)
		}
	}
	if _, err := loadTest([]string{"--env-file=/no/such/file"}); !strings.Contains(err.Error(), "no such") &&
		!strings.Contains(err.Error(), "not exist") {
		t.Errorf("a named file that is not there: %v", err)
	}
	unreadable := testMachine()
	unreadable.readFile = func(path string) ([]byte, error) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	if _, _, err := load(nil, []string{"HOME=/home/dana"}, nil, unreadable); !errors.As(err, new(Problems)) ||
		!strings.Contains(err.Error(), "permission denied") {
		t.Errorf("a file that is there and cannot be read: %v", err)
	}
}

// A file with a secret that others can read is warned of, and one without is not.
func TestReadersOfTheSettingsFile(t *testing.T) {
	const file = "/home/dana/.local/share/almanac/almanac.env"
	contents := map[string]bool{
		"ALMANAC_JWT_SECRET=" + longSecret:           true,
		"ALMANAC_JWT_SECRET=file:/run/secrets/jwt":   false,
		"ALMANAC_ADDR=127.0.0.1:1":                   false,
		"POSTGRES_PASSWORD=not ours":                 false,
		"ALMANAC_TOKEN_KEY=\"" + longSecret + "\"\n": true,
	}
	for _, content := range slices.Sorted(maps.Keys(contents)) {
		for mode, open := range map[fs.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o644: true} {
			got, _, err := load(nil, []string{"HOME=/home/dana"}, nil, withFiles(mode, map[string]string{file: content}))
			warned := strings.Contains(strings.Join(got.Warnings, " "), "chmod 600 "+file)
			if err != nil || warned != (open && contents[content]) {
				t.Errorf("%o: %v, %q", mode, err, got.Warnings)
			}
		}
	}
}
