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
		Meaning: "Keeps the knowledge graph on this Graphiti MCP server instead of in the database. Whatever is told, " +
			"asked and found there goes to it, and from it to the models that it is set up with. Every user has a group of " +
			"their own on it, `almanac_` and a hash, unless `ALMANAC_GRAPHITI_GROUP` is set. Who uses it needs nothing else " +
			"on it, and should let nobody else reach it: Graphiti asks for no passwords.",
		Allowed: "the http or https address of its MCP endpoint, which ends with `/mcp/`, without query, fragment or user; " +
			"or `stdio:` and a command whose words are separated by spaces",
		Special: "http is allowed on a loopback host, or with `ALMANAC_GRAPHITI_ALLOW_HTTP`. A command is started without a " +
			"shell, with this program's environment but for its own settings, and speaks MCP on its standard input and " +
			"output. " +
			"`almanac graphiti-standin` is a small server to try this with.",
		Default: "not set: the knowledge graph is in the database",
		Example: "http://localhost:8000/mcp/",
		set: func(d *draft, v string) (err error) {
			d.GraphitiURL, d.GraphitiCommand, err = parseGraphiti(v)
			return err
		},
	}, {
		Name:    "graphiti-token",
		Meaning: "A bearer token that is sent to that server. Graphiti itself knows none, a proxy before it may want one.",
		Allowed: "from 1 to 512 characters without spaces",
		Default: "not set: none is sent",
		Example: "file:/run/secrets/graphiti",
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.GraphitiToken, err = parseAPIKey(v); return err },
	}, {
		Name: "graphiti-allow-http",
		Meaning: "Allows a Graphiti server on another machine without TLS, for private networks only: what is sent there, " +
			"and the token, can be read by everybody on the way.",
		Allowed: "true, false",
		Default: "false",
		Example: "true",
		Switch:  true,
		set:     func(d *draft, v string) (err error) { d.GraphitiAllowHTTP, err = parseBool(v); return err },
	}, {
		Name: "graphiti-group",
		Meaning: "The group of that server that the local user has, so that what other programs have put there is seen " +
			"too. Refused where there is no local user; whoever else has a token keeps a group of their own.",
		Allowed: "from 1 to 200 letters of English, digits, `-` and `_`",
		Special: "`main` is the group of those who name none. With a server before 1.0.0, erasing the whole graph erases " +
			"all groups of the server; it is done only when this is set.",
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
