package config

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
)

// stdioPrefix begins the target of a Graphiti server that is a command.
const stdioPrefix = "stdio:"

func graphing() []Setting {
	return []Setting{{
		Name: "graphiti-url",
		Meaning: "The Graphiti MCP server that stores the knowledge graph instead of the database. Episodes and queries " +
			"are sent to it, and from it to the models that it is configured with. Each user has a group there, `almanac_` " +
			"and a hash, unless `ALMANAC_GRAPHITI_GROUP` is set. Nobody else should be able to reach it: Graphiti has no " +
			"authentication.",
		Allowed: "the http or https URL of its MCP endpoint, which ends with `/mcp/`, without query, fragment or user; or " +
			"`stdio:` and a command whose words are separated by spaces",
		Special: "http is allowed on a loopback host, or with `ALMANAC_GRAPHITI_ALLOW_HTTP`. A command is started without " +
			"a shell, with this program's environment except its settings, and speaks MCP on its standard input and output. " +
			"`almanac graphiti-standin` is a small server for trials.",
		Default: "not set: the knowledge graph is in the database",
		Example: "http://localhost:8000/mcp/",
		set: func(d *draft, v string) (err error) {
			d.GraphitiURL, d.GraphitiCommand, err = parseGraphiti(v)
			return err
		},
	}, {
		Name:    "graphiti-token",
		Meaning: "A bearer token for that server. Graphiti itself needs none, a proxy before it may.",
		Allowed: "from 1 to 512 characters without spaces",
		Default: "not set: none is sent",
		Example: "file:/run/secrets/graphiti",
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.GraphitiToken, err = parseAPIKey(v); return err },
	}, switchOf("graphiti-allow-http",
		"Allows a Graphiti server on another machine without TLS, for private networks only: requests and the token can be "+
			"read on the network.",
		func(d *draft) *bool { return &d.GraphitiAllowHTTP }), {
		Name: "graphiti-group",
		Meaning: "The local user's group on that server, so that data of other programs is seen too. Refused where there " +
			"is no local user; other users keep their own groups.",
		Allowed: "from 1 to 200 letters of English, digits, `-` and `_`",
		Special: "`main` is Graphiti's default group. On a server before 1.0.0, deleting the whole graph deletes all " +
			"groups of the server; it is done only when this is set.",
		Default: "not set: a group for each user",
		Example: "main",
		set:     func(d *draft, v string) (err error) { d.GraphitiGroup, err = parseGroup(v); return err },
	}}
}

// parseGraphiti reads an address, or a command.
func parseGraphiti(text string) (*url.URL, []string, error) {
	command, ok := strings.CutPrefix(text, stdioPrefix)
	if !ok {
		u, err := parseHTTPAddress(text)
		return u, nil, err
	}
	const most = 100
	words := strings.Fields(command)
	switch {
	case len(words) == 0:
		return nil, nil, errors.New("names no command")
	case len(words) > most:
		return nil, nil, errors.New("has too many words")
	case strings.ContainsRune(command, 0):
		return nil, nil, errors.New("has a character that no command has")
	}
	return nil, words, nil
}

// groupForm is Graphiti's own rule for groups.
var groupForm = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,200}$`)

func parseGroup(text string) (string, error) {
	if !groupForm.MatchString(text) {
		return "", errors.New("is not the name of a group")
	}
	return text, nil
}

// graphiti checks that the server can be used as it is set, and by whom.
func (d *draft) graphiti() {
	set := d.GraphitiURL != nil || len(d.GraphitiCommand) > 0
	d.needs("graphiti-token", d.GraphitiToken.IsSet(), "graphiti-url", set)
	d.needs("graphiti-allow-http", d.GraphitiAllowHTTP, "graphiti-url", set)
	d.needs("graphiti-group", d.GraphitiGroup != "", "graphiti-url", set)
	if d.GraphitiGroup != "" && !d.LocalUser && !d.anyBroken("addr", "public-url", "jwt-secret", "oidc-issuer") {
		d.problem(
			"ALMANAC_GRAPHITI_GROUP is %q, the local user's group, but there is no local user, and one group for several "+
				"people would show each the others' knowledge. Leave ALMANAC_GRAPHITI_GROUP out: each has a group of their own "+
				"then.",
			clip(d.GraphitiGroup))
	}
	if len(d.GraphitiCommand) > 0 && d.GraphitiToken.IsSet() {
		d.Warnings = append(d.Warnings,
			"ALMANAC_GRAPHITI_TOKEN is set, but ALMANAC_GRAPHITI_URL is a command, which is sent no token.")
	}
	u := d.GraphitiURL
	if u == nil || u.Scheme != "http" || isLoopbackHost(u.Hostname()) {
		return
	}
	if !d.GraphitiAllowHTTP {
		d.problem(
			"ALMANAC_GRAPHITI_URL is %q, which is neither https nor on this machine: what is sent there, and the token, could "+
				"be read by everybody on the way. "+
				"Use https, or set ALMANAC_GRAPHITI_ALLOW_HTTP=true where the network is private.", clip(u.String()))
		return
	}
	d.Warnings = append(d.Warnings,
		"ALMANAC_GRAPHITI_URL is plain http to another machine: what is sent there, and the token, can be read by everybody "+
			"on the way.")
}

func (d *draft) anyBroken(names ...string) bool {
	for _, name := range names {
		if d.broken[name] {
			return true
		}
	}
	return false
}
