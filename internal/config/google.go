package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// GoogleCallback is the path of the redirect URI below the server's URL.
const GoogleCallback = "/connect/google/callback"

// defaultGoogleRequests is half of what Google allows a project in a minute.
const defaultGoogleRequests = 5_000

// googleSecretExample stands for a client's secret in documentation.
const googleSecretExample = "file:/run/secrets/google"

func linking() []Setting {
	return []Setting{{
		Name: "google-client-id",
		Meaning: "The OAuth client with which users link their Google accounts: a \"Web application\" of your project in " +
			"Google's console, with the Calendar API enabled. Register the server's URL with `" + GoogleCallback +
			"` at its end as an authorized redirect URI; the server prints it when it starts. Needs the client's secret and " +
			"`ALMANAC_TOKEN_KEY`.",
		Allowed: "a client id as Google's console shows it, which ends with " + googleClientSuffix,
		Special: "Without one the local user gets a demo account of the built-in stand-in for Google; where there is no " +
			"local user, Google is not configured.",
		Default: "not set: the stand-in for the local user, nothing for others",
		Example: "123456789012-abc123" + googleClientSuffix,
		set:     func(d *draft, v string) (err error) { d.GoogleClientID, err = parseGoogleClient(v); return err },
	}, {
		Name:    "google-client-secret",
		Meaning: "The secret of that client.",
		Allowed: "the text that Google's console shows, from 8 to 256 characters without spaces",
		Default: "not set",
		Example: googleSecretExample,
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.GoogleClientSecret, err = parseClientSecret(v); return err },
	}, {
		Name: "google-access",
		Meaning: "What accounts are asked for when they are linked. Operations that need more answer NOT_CONFIGURED. Mail " +
			"needs a restricted scope of Google (`gmail.modify` or `gmail.readonly`): an app that asks for it has to be " +
			"verified before people outside its list of test users can link an account. Accounts that are linked already " +
			"keep what they have granted, but no more than this is used.",
		Allowed: "`calendar` or `calendar-read`, and `mail` or `mail-read`, separated by commas; at least one",
		Default: "calendar,mail",
		Example: "calendar-read",
		set:     func(d *draft, v string) (err error) { d.GoogleAccess, err = parseAccess(v); return err },
	}, {
		Name: "google-poll",
		Meaning: "How often linked calendars are polled for changes made elsewhere. Several replicas may do it: each " +
			"calendar is polled by one.",
		Allowed: "a duration from 15s to 24h, or off",
		Special: "`off`: this process polls only after a notification of Google, and every half hour where Google sends " +
			"notifications.",
		Default: "1m",
		Example: "5m",
		set:     func(d *draft, v string) (err error) { d.GooglePoll, err = parseOffOr(v, minPoll, maxPoll); return err },
	}, {
		Name: "google-requests",
		Meaning: "How many requests a minute following linked calendars and mailboxes makes at most, for all accounts " +
			"together. Google allows a project 10,000 a minute by default " +
			"(https://developers.google.com/workspace/calendar/api/guides/quota); half of that is left to what people ask, " +
			"which counts and never waits. Replicas do not know of each other: give each its part.",
		Allowed: "a number from 1 to 1000000",
		Default: strconv.Itoa(defaultGoogleRequests),
		Example: "1000",
		set:     func(d *draft, v string) (err error) { d.GoogleRequests, err = parseInt(v, 1, 1_000_000); return err },
	}, {
		Name: "google-push",
		Meaning: "Whether Google is asked for notifications when a calendar changes, so that changes are seen at once. " +
			"Google sends them only to a public https URL.",
		Allowed: "auto, on, off",
		Special: "`auto` is on with a Google client and a public https URL, off otherwise.",
		Default: "auto",
		Example: "on",
		Switch:  true,
		set:     func(d *draft, v string) (err error) { d.push, err = parseAuto(v); return err },
	}}
}

// Access is how much of a part of an account may be used.
type Access int

// The values of Access.
const (
	AccessNone Access = iota
	AccessRead
	AccessWrite
)

// GoogleAccess is what accounts of Google are asked for.
type GoogleAccess struct{ Calendar, Mail Access }

func parseAccess(text string) (GoogleAccess, error) {
	var access GoogleAccess
	for word := range strings.SplitSeq(text, ",") {
		part, how := &access.Calendar, AccessWrite
		switch strings.ToLower(strings.TrimSpace(word)) {
		case "calendar":
		case "calendar-read":
			how = AccessRead
		case "mail":
			part = &access.Mail
		case "mail-read":
			part, how = &access.Mail, AccessRead
		default:
			return GoogleAccess{}, fmt.Errorf("names %q, which is none of them", clip(word))
		}
		if *part != AccessNone {
			return GoogleAccess{}, errors.New("says one of them twice")
		}
		*part = how
	}
	return access, nil
}

const (
	googleClientSuffix = ".apps.googleusercontent.com"
	minPoll            = 15 * time.Second
	maxPoll            = day
)

var googleClientForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,150}$`)

func parseGoogleClient(text string) (string, error) {
	if !googleClientForm.MatchString(text) || len(text) <= len(googleClientSuffix) ||
		!strings.HasSuffix(text, googleClientSuffix) {
		return "", errors.New("is not the id of a Google client")
	}
	return text, nil
}

func parseClientSecret(text string) (Secret, error) {
	const least, most = 8, 256
	switch {
	case len(text) < least || len(text) > most:
		return Secret{}, fmt.Errorf("has %d characters", len(text))
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		return Secret{}, errors.New("has a character that no such secret has")
	}
	return NewSecret(text), nil
}

// google checks that a Google client is configured completely; otherwise it would fail only when somebody links an
// account.
func (d *draft) google() {
	linked := d.GoogleClientID != ""
	d.needs("google-client-id", linked, "google-client-secret", d.GoogleClientSecret.IsSet())
	d.needs("google-client-secret", d.GoogleClientSecret.IsSet(), "google-client-id", linked)
	d.needs("google-push", d.push != nil && *d.push, "google-client-id", linked)
	if linked && len(d.TokenKeys) == 0 && !d.broken["token-key"] {
		d.problem(
			"ALMANAC_GOOGLE_CLIENT_ID is set, but ALMANAC_TOKEN_KEY is not: users' tokens are stored encrypted, with a key of " +
				`yours that is not in the database. Set ALMANAC_TOKEN_KEY="$(openssl rand -base64 48)", and keep it safe: ` +
				"without it they have to link their accounts again.")
	}
	if !linked || d.broken["addr"] || d.broken["public-url"] {
		return
	}
	d.googleRedirect()
	public := d.PublicURL != nil && d.PublicURL.Scheme == "https" && !isLoopbackHost(d.PublicURL.Hostname())
	d.GooglePush = public
	if d.push == nil {
		return
	}
	d.GooglePush = *d.push
	if *d.push && !public {
		d.problem(
			"ALMANAC_GOOGLE_PUSH is on, but Google sends notices only to a public https address. Set ALMANAC_PUBLIC_URL to " +
				"one, or leave ALMANAC_GOOGLE_PUSH out.")
	}
}

// googleRedirect refuses URLs that Google does not accept as redirect URIs
// (https://developers.google.com/identity/protocols/oauth2/web-server, "Redirect URI validation rules").
func (d *draft) googleRedirect() {
	const example = "https://almanac.example.com"
	const fix = "Set ALMANAC_PUBLIC_URL to an https address with a name, such as " + example +
		", and register that address with " + GoogleCallback +
		" at its end as redirect URI with Google (" + example + GoogleCallback + ")."
	if d.PublicURL == nil {
		if !loopbackAddr(d.Addr) {
			d.problem(
				"ALMANAC_GOOGLE_CLIENT_ID is set and ALMANAC_ADDR (%s) can be reached from other machines, but ALMANAC_PUBLIC_URL "+
					"is not set, so it is not known where Google should send people back to. %s", clip(d.Addr), fix)
			return
		}
		if _, port, err := net.SplitHostPort(d.Addr); err == nil && strings.Trim(port, "0") == "" {
			d.Warnings = append(d.Warnings,
				"ALMANAC_ADDR lets the system choose a port, so the redirect URI changes with every start, and Google knows only "+
					"those that are registered. Choose a port, such as 127.0.0.1:8080.")
		}
		return
	}
	host := d.PublicURL.Hostname()
	_, notAnIP := netip.ParseAddr(host)
	if !isLoopbackHost(host) && (d.PublicURL.Scheme != "https" || notAnIP == nil) {
		d.problem(
			"ALMANAC_PUBLIC_URL is %q, to which Google sends nobody back: it takes http and IP addresses only for this machine "+
				"itself. %s", clip(d.PublicURL.String()), fix)
	}
}

// Base returns the URL under which clients reach the server, without a slash at its end: PublicURL, or else the
// address to which its listener is bound.
func (c Config) Base(bound net.Addr) *url.URL {
	if c.PublicURL != nil {
		public := *c.PublicURL
		return &public
	}
	host, _, err := net.SplitHostPort(c.Addr)
	boundHost, port, boundErr := net.SplitHostPort(bound.String())
	if err != nil || boundErr != nil {
		return &url.URL{Scheme: "http", Host: bound.String()}
	}
	if host == "" {
		host = boundHost
	}
	if ip, err := netip.ParseAddr(host); err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return &url.URL{Scheme: "http", Host: net.JoinHostPort(host, port)}
}
