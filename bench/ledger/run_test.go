//go:build bench

package main

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		os.Exit(serveInstead())
	}
	os.Exit(m.Run())
}

// played runs scenarios for so much of their time and returns what is printed. The scripts that find PostgreSQL are
// found from the root of the project.
func played(t *testing.T, args ...string) (string, error) {
	t.Helper()
	t.Chdir("../..")
	var out strings.Builder
	err := run(t.Context(), args, &out, t.Output())
	t.Log(out.String())
	return out.String(), err
}

// Clients of two servers on one PostgreSQL, and of one on SQLite, are told what could have happened one after another,
// whatever breaks meanwhile. Where nothing can be written for a while, nothing that was acknowledged is lost, nothing
// is done twice, and nothing is done that was answered as refused.
func TestEveryPromiseHoldsForAWhile(t *testing.T) {
	const scenarios = "history-sqlite,history-postgres,full-sqlite,full-postgres," +
		"removed-sqlite,hung-postgres,promotion"
	out, err := played(t, "-only", scenarios, "-scale", "0.06", "-users", "4")
	if err != nil {
		t.Error(err)
	}
	if strings.Count(out, "violations 0") != 2 {
		t.Error("not both stores' histories were checked")
	}
	if !strings.Contains(out, "its standby promoted") {
		t.Error("no standby was promoted")
	}
}

// A standby that has not got what was acknowledged last is found.
func TestALateStandbyIsFound(t *testing.T) {
	out, err := played(t, "-only", "promotion", "-scale", "0.06", "-users", "2", "-plant", plantLate)
	if !errors.Is(err, errBroken) || strings.Contains(out, "lost 0, doubled 0, gaps in the log 0") {
		t.Errorf("not found: %v", err)
	}
}

// Lies of clients, in the place of faults that the server does not have, are found in what they were told. A lie that
// nobody reads before the next write is one that an order explains, and a slow machine plays few rounds: so each lie is
// looked for in several plays.
func TestLiesInHistoriesAreFound(t *testing.T) {
	const plays = 6
	for _, lie := range []string{plantLost, plantDoubled, plantStale} {
		t.Run(lie, func(t *testing.T) {
			for play := range plays {
				out, err := played(t, "-only", "history-sqlite", "-scale", "0.005", "-users", "2", "-plant", lie,
					"-seed", strconv.Itoa(play+1))
				if errors.Is(err, errBroken) && strings.Contains(out, "no order explains the answers") {
					return
				}
				if err != nil && !errors.Is(err, errBroken) {
					t.Fatal(err)
				}
			}
			t.Errorf("not found in %d plays", plays)
		})
	}
}
