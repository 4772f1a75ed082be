package config

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// exaURL is Exa's API (https://docs.exa.ai/reference/getting-started).
const exaURL = "https://api.exa.ai"

// Bounds of the time between polls of an account's events, which Exa keeps for 60 days.
const minRepair, maxRepair = time.Minute, day

func collecting() []Setting {
	return []Setting{{
		Name: "exa-api-key",
		Meaning: "The API key of Exa for users who have linked none of their own. They share one account of Exa, where " +
			"each sees only their own records; the local user sees all of them. Queries are sent to Exa, which charges this " +
			"key.",
		Allowed: "from 1 to 512 characters without spaces",
		Special: "Without one the local user gets an account of the built-in stand-in for Exa, and others use their own " +
			"keys.",
		Default: "not set: the stand-in for the local user, own keys for others",
		Example: "file:/run/secrets/exa",
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.ExaAPIKey, err = parseAPIKey(v); return err },
	}, {
		Name:    "exa-url",
		Meaning: "The URL of Exa's API. Keys are sent there.",
		Allowed: "an https URL without query, fragment or user; http on a loopback host; or off",
		Special: "`off`: there are no websets and no research. With any other URL there is no stand-in.",
		Default: exaURL,
		Example: "http://localhost:8010",
		set:     func(d *draft, v string) (err error) { d.ExaURL, d.ExaOff, err = parseExaURL(v); return err },
	}, {
		Name: "exa-repair-interval",
		Meaning: "How often the list of events of an account is read, to find those that no webhook delivered. Several " +
			"replicas may do it: each account is read by one.",
		Allowed: "a duration from 1m to 24h, or off",
		Special: "`off`: this process reads the list only after a delivery for an account that several users share.",
		Default: "5m",
		Example: "15m",
		set: func(d *draft, v string) (err error) {
			d.ExaRepair, err = parseOffOr(v, minRepair, maxRepair)
			return err
		},
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

// exa derives which server is used for websets.
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
	d.ExaStandIn = (d.LocalUser || d.Demo) && !named && !d.ExaAPIKey.IsSet() && !d.broken["exa-api-key"]
	if d.ExaAPIKey.IsSet() && !d.LocalUser && !d.anyBroken("addr", "public-url", "jwt-secret", "oidc-issuer",
		"token-key") && len(d.TokenKeys) == 0 {
		d.Warnings = append(d.Warnings, fmt.Sprintf(
			"%s serves several people, and what tells theirs apart in its account is signed with the key that the database "+
				"keeps. Set %s, so that a new database knows it again.",
			variableOf("exa-api-key"), variableOf("token-key")))
	}
}
