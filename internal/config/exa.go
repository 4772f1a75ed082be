package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// exaURL is where Exa itself is (https://docs.exa.ai/reference/getting-started).
const exaURL = "https://api.exa.ai"

// Bounds of the time between looks at an account's events: the remote gives them for 60 days.
const minRepair, maxRepair = time.Minute, day

func collecting() []Setting {
	return []Setting{{
		Name: "exa-api-key",
		Meaning: "The key of Exa that serves everybody who has linked none of their own. What users make with it lies in " +
			"one account of Exa, where each sees their own only; the local user sees all of it. " +
			"What is searched for is sent to Exa, which counts it on this key.",
		Allowed: "from 1 to 512 characters without spaces",
		Special: "Without one the local user gets an account of the built-in stand-in for Exa, and others have what their " +
			"own keys open.",
		Default: "not set: the stand-in for the local user, own keys for others",
		Example: "file:/run/secrets/exa",
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.ExaAPIKey, err = parseAPIKey(v); return err },
	}, {
		Name:    "exa-url",
		Meaning: "Where Exa's API is. Keys are sent there.",
		Allowed: "an https address without query, fragment or user; http on a loopback host; or off",
		Special: "`off`: there are no websets and no research, and nobody is asked for them. With any other address there " +
			"is no stand-in.",
		Default: exaURL,
		Example: "http://localhost:8010",
		set:     func(d *draft, v string) (err error) { d.ExaURL, d.ExaOff, err = parseExaURL(v); return err },
	}, {
		Name: "exa-repair-interval",
		Meaning: "How often the events of an account are read that webhooks of this server are told of, to find those that " +
			"no webhook has told. " +
			"Several replicas may do it: each account is read by one.",
		Allowed: "a length of time from 1m to 24h, or off",
		Special: "`off`: this process reads only when a webhook asks it to, which is so where several share an account.",
		Default: "5m",
		Example: "15m",
		set:     func(d *draft, v string) (err error) { d.ExaRepair, err = parseRepair(v); return err },
	}}
}

// parseExaURL reads an address, or off.
func parseExaURL(text string) (u *url.URL, off bool, err error) {
	if strings.EqualFold(text, "off") {
		return nil, true, nil
	}
	u, err = parseHTTPAddress(text)
	if err != nil {
		return nil, false, err
	}
	if u.Scheme == "http" && !isLoopbackHost(u.Hostname()) {
		return nil, false, errors.New("is http on another machine, so that keys could be read by everybody on the way")
	}
	return trimPath(u), false, nil
}

func parseRepair(text string) (time.Duration, error) {
	if strings.EqualFold(text, "off") {
		return 0, nil
	}
	return parseDuration(text, minRepair, maxRepair)
}

// exa decides who serves websets.
func (d *draft) exa() {
	named := d.ExaURL != nil && d.ExaURL.String() != exaURL
	if d.broken["exa-url"] {
		return
	}
	if d.ExaOff {
		if d.ExaAPIKey.IsSet() {
			d.problem("ALMANAC_EXA_API_KEY is set, but ALMANAC_EXA_URL is off, so nobody would use it. Leave one of them out.")
		}
		return
	}
	if d.ExaURL == nil {
		d.ExaURL = &url.URL{Scheme: "https", Host: strings.TrimPrefix(exaURL, "https://")}
	}
	d.ExaStandIn = d.LocalUser && !named && !d.ExaAPIKey.IsSet() && !d.broken["exa-api-key"]
	if d.ExaAPIKey.IsSet() && !d.LocalUser && !d.anyBroken("addr", "public-url", "jwt-secret", "oidc-issuer",
		"token-key") && len(d.TokenKeys) == 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf(
			"%s serves several people, and what tells theirs apart in its account is signed with the key that the database "+
				"keeps. Set %s, so that a new database knows it again.",
			variableOf("exa-api-key"), variableOf("token-key")))
	}
}
