//go:build bench

package main

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
)

// logLines counts the lines of a server's log by level and message, and returns those that no server should ever write:
// panics, races, and lines that hold a secret or a text of a user.
func logLines(path string) (counts map[string]int, alarms []string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	counts = map[string]int{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text := lines.Text()
		var line struct{ Level, Msg string }
		if json.Unmarshal([]byte(text), &line) == nil {
			counts[line.Level+" "+line.Msg]++
		} else {
			counts["plain: "+changing.ReplaceAllString(text, "…")]++
		}
		for _, word := range []string{"panic", "DATA RACE", "fatal error", secret, "Bearer ", "לקנות"} {
			if strings.Contains(text, word) && len(alarms) < maxFaults {
				alarms = append(alarms, clip([]byte(text)))
			}
		}
	}
	return counts, alarms, lines.Err()
}
