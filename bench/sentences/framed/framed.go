// Package framed makes questions of frames and the objects that stand in them, each with what is expected of its
// answer. ../dev/frames.txt says how they are written.
package framed

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
)

// Question is a sentence that only asks.
type Question struct {
	Lang, Domain, Text string
	// Expect is what is known of the answer, by the names of ../testdata.
	Expect map[string]json.RawMessage
}

type object struct {
	text   string
	expect map[string]json.RawMessage
}

type frame struct{ lang, domain, text string }

var slotForm = regexp.MustCompile(`\{(\w+)\}`)

// Read makes the questions of a file, at most so many of each frame; always the same ones.
func Read(path string, most int) ([]Question, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []frame
	objects := map[string][]object{} // by language and slot
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		parts := strings.SplitN(line, "|", 3)
		if len(parts) != 3 {
			return nil, fmt.Errorf("%s:%d: three parts are wanted", path, n+1)
		}
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		slot, isObject := strings.CutPrefix(parts[0], "@")
		if !isObject {
			all = append(all, frame{parts[0], parts[1], parts[2]})
			continue
		}
		one := object{text: parts[1]}
		if err := json.Unmarshal([]byte(parts[2]), &one.expect); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n+1, err)
		}
		objects[slot] = append(objects[slot], one)
	}
	var out []Question
	seen := map[string]bool{}
	random := rand.New(rand.NewPCG(19, uint64(len(all)))) //nolint:gosec // a sample
	for _, f := range all {
		combinations := [][]object{nil}
		for _, slot := range slotForm.FindAllStringSubmatch(f.text, -1) {
			var longer [][]object
			for _, some := range combinations {
				for _, one := range objects[f.lang+" "+slot[1]] {
					longer = append(longer, append(some[:len(some):len(some)], one))
				}
			}
			combinations = longer
		}
		random.Shuffle(len(combinations), func(i, j int) {
			combinations[i], combinations[j] = combinations[j], combinations[i]
		})
		for _, some := range combinations[:min(len(combinations), most)] {
			q := f.with(some)
			if !seen[q.Text] {
				seen[q.Text] = true
				out = append(out, q)
			}
		}
	}
	return out, nil
}

// with puts objects into the slots of a frame. With several times, or a time beside an event, no time is expected.
func (f frame) with(objects []object) Question {
	q := Question{Lang: f.lang, Domain: f.domain, Expect: map[string]json.RawMessage{}}
	next, times := 0, 0
	q.Text = slotForm.ReplaceAllStringFunc(f.text, func(string) string {
		one := objects[next]
		next++
		maps.Copy(q.Expect, one.expect)
		if one.expect["when"] != nil || one.expect["whenRange"] != nil || one.expect["title"] != nil {
			times++
		}
		return one.text
	})
	if times > 1 {
		delete(q.Expect, "when")
		delete(q.Expect, "whenRange")
		delete(q.Expect, "whenAccept")
	}
	return q
}
