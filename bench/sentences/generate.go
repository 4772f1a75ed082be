//go:build bench

package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"almanac/bench/sentences/framed"
)

// readFrames makes sentences of a file of frames, at most so many of each.
func readFrames(path string, most int) ([]sentence, error) {
	questions, err := framed.Read(path, most)
	if err != nil {
		return nil, err
	}
	var set []sentence
	for i, q := range questions {
		wanted := map[string]any{"domain": q.Domain, "effect": "read"}
		for name, value := range q.Expect {
			wanted[name] = value
		}
		text, err := json.Marshal(wanted)
		if err != nil {
			return nil, err
		}
		one := sentence{ID: fmt.Sprintf("%s-frame-%04d", q.Lang, i+1), Lang: q.Lang, Class: "questions", Text: q.Text,
			file: filepath.Base(path)}
		if err := json.Unmarshal(text, &one.Expect); err != nil {
			return nil, fmt.Errorf("%s: %w", q.Text, err)
		}
		set = append(set, one)
	}
	return set, nil
}
