package resolvers_test

import (
	"regexp"
	"testing"
	"time"
)

// start is a Sunday morning on which nothing special happens.
var start = time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)

// twins are the same server on either store, with the same clock, keys and ids: they must say the same, letter by
// letter.
type twins struct {
	harnesses []*harness
}

func buildBoth(t *testing.T, now time.Time) twins {
	t.Helper()
	var out twins
	for _, kind := range harnesses() {
		out.harnesses = append(out.harnesses, kind.build(t, now))
	}
	return out
}

// secretToken is the text of an API token, which is made by chance.
var secretToken = regexp.MustCompile(`almanac_[0-9A-Za-z_-]{20,}`)

// sayAll sends the same to all and gives their one answer, errors sorted by path.
func (w twins) sayAll(t *testing.T, user string, header map[string]string, query string, variables any) string {
	t.Helper()
	var first string
	for i, h := range w.harnesses {
		answer := secretToken.ReplaceAllString(string(inOrder(t, h.say(t, user, header, query, variables))), "SECRET")
		if i == 0 {
			first = answer
		} else if answer != first {
			t.Errorf("the stores differ on %s %s\n sqlite:   %s\n postgres: %s", query, brief(variables), first, answer)
		}
	}
	return first
}
