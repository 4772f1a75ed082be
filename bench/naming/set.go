//go:build bench

package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"almanac/projections/naming"
)

// one is a text with the names among which it is said.
type one struct {
	id, class, kind, lang, query string
	stored                       []string
	want                         []int // indexes into stored
}

var kindsByName = map[string]naming.Kind{
	"task": naming.Task, "subtask": naming.Task, "list": naming.List, "item": naming.Item, "event": naming.Event,
	"memory": naming.Memory, "entity": naming.Entity, "email": naming.Email, "webset": naming.Webset,
}

func readSet(path string) ([]one, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	var set []one
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		parts := strings.Split(lines.Text(), "\t")
		if parts[0] == "id" || lines.Text() == "" {
			continue
		}
		if len(parts) < 7 {
			return nil, fmt.Errorf("%s:%d: %d columns, not 7 or 8", path, number, len(parts))
		}
		next := one{id: parts[0], class: parts[1], kind: parts[2], lang: parts[3], query: parts[4],
			stored: strings.Split(parts[5], " | ")}
		if _, known := kindsByName[next.kind]; !known {
			return nil, fmt.Errorf("%s:%d: unknown kind %q", path, number, next.kind)
		}
		for _, want := range strings.FieldsFunc(parts[6], func(r rune) bool { return r == ',' || r == ' ' }) {
			if want == "-" || want == "0" || want == "none" {
				continue
			}
			n, err := strconv.Atoi(want)
			if err != nil || n < 1 || n > len(next.stored) {
				return nil, fmt.Errorf("%s:%d: want %q", path, number, want)
			}
			next.want = append(next.want, n-1)
		}
		slices.Sort(next.want)
		set = append(set, next)
	}
	return set, lines.Err()
}
