package config

import (
	"slices"
	"strings"
	"testing"
)

const graphitiToken = "tok-a-secret-of-graphiti"

// A server that cannot be used as it is set is refused with one sentence for each thing that is wrong, which says what
// to set.
func TestHalfAGraphiti(t *testing.T) {
	server, token := "ALMANAC_GRAPHITI_URL=https://graphiti.example/mcp/", "ALMANAC_GRAPHITI_TOKEN="+graphitiToken
	for _, c := range []struct {
		variables []string
		// want are parts of the problems, one each.
		want [][]string
	}{
		{[]string{token}, [][]string{{"ALMANAC_GRAPHITI_TOKEN is set", "without ALMANAC_GRAPHITI_URL"}}},
		{[]string{"ALMANAC_GRAPHITI_GROUP=main"},
			[][]string{{"ALMANAC_GRAPHITI_GROUP is set", "without ALMANAC_GRAPHITI_URL"}}},
		{[]string{"ALMANAC_GRAPHITI_ALLOW_HTTP=true"}, [][]string{{"without ALMANAC_GRAPHITI_URL"}}},
		{[]string{"ALMANAC_GRAPHITI_URL=http://graphiti:8000/mcp/"},
			[][]string{{"http://graphiti:8000/mcp/", "ALMANAC_GRAPHITI_ALLOW_HTTP=true"}}},
		{[]string{server, "ALMANAC_GRAPHITI_GROUP=main", "ALMANAC_JWT_SECRET=" + longSecret},
			[][]string{{`"main"`, "local user", "Leave ALMANAC_GRAPHITI_GROUP out"}}},
		{[]string{server, "ALMANAC_GRAPHITI_GROUP=main", "ALMANAC_ADDR=0.0.0.0:80"}, [][]string{{"local user"}}},
		// What was refused for its value is not also said to be missing.
		{[]string{token, "ALMANAC_GRAPHITI_URL=x"}, [][]string{{"ALMANAC_GRAPHITI_URL is"}}},
		{[]string{server, "ALMANAC_GRAPHITI_GROUP=main", "ALMANAC_JWT_SECRET=short"},
			[][]string{{"ALMANAC_JWT_SECRET is refused"}}},
	} {
		_, err := loadTest(nil, c.variables...)
		problems := problemsOf(t, err)
		if len(problems) != len(c.want) {
			t.Errorf("%q: %d problems, want %d: %q", c.variables, len(problems), len(c.want), problems)
			continue
		}
		for i, parts := range c.want {
			for _, part := range parts {
				if !strings.Contains(problems[i], part) {
					t.Errorf("%q: %q does not say %q", c.variables, problems[i], part)
				}
			}
		}
		if strings.Contains(err.Error(), graphitiToken) {
			t.Errorf("%q: the token shows in %v", c.variables, err)
		}
	}
}

// What is set is what holds: an address or a command, and never both.
func TestGraphitis(t *testing.T) {
	for _, c := range []struct {
		variables []string
		address   string
		command   []string
		warned    string
	}{
		{nil, "", nil, ""},
		{[]string{"ALMANAC_GRAPHITI_URL=HTTP://LocalHost:8000/mcp/", "ALMANAC_GRAPHITI_GROUP=main"},
			"http://localhost:8000/mcp/", nil, ""},
		{[]string{"ALMANAC_GRAPHITI_URL=https://graphiti.example/mcp/", "ALMANAC_GRAPHITI_TOKEN=" + graphitiToken,
			"ALMANAC_JWT_SECRET=" + longSecret}, "https://graphiti.example/mcp/", nil, ""},
		{[]string{"ALMANAC_GRAPHITI_URL=http://graphiti:8000/mcp/", "ALMANAC_GRAPHITI_ALLOW_HTTP=true"},
			"http://graphiti:8000/mcp/", nil, "plain http"},
		{[]string{"ALMANAC_GRAPHITI_URL=stdio:uv run  main.py --transport stdio"}, "",
			[]string{"uv", "run", "main.py", "--transport", "stdio"}, ""},
		{[]string{"ALMANAC_GRAPHITI_URL=stdio:graphiti", "ALMANAC_GRAPHITI_TOKEN=" + graphitiToken}, "", []string{"graphiti"},
			"is sent no token"},
	} {
		config := mustLoad(t, nil, c.variables...)
		address := ""
		if config.GraphitiURL != nil {
			address = config.GraphitiURL.String()
		}
		warnings := strings.Join(config.Warnings, " ")
		if address != c.address || !slices.Equal(config.GraphitiCommand, c.command) || (c.warned == "") != (warnings == "") ||
			!strings.Contains(warnings, c.warned) {
			t.Errorf("%q: %q, %q, %q", c.variables, address, config.GraphitiCommand, warnings)
		}
		if strings.Contains(warnings, graphitiToken) {
			t.Errorf("%q: the token shows in %q", c.variables, warnings)
		}
	}
}
