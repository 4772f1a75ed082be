package config

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // so that a zone that is right here is right on a machine without zone files

	"almanac/graph/model"
)

// The functions of this file parse one value each. Their errors are clauses without the value, so that they are usable
// for secrets too.

const (
	day          = 24 * time.Hour
	minRetention = time.Hour
	maxRetention = 3650 * day
	minInterval  = time.Second
	maxInterval  = time.Hour
	// maxNotice bounds how long a stop can be delayed.
	maxNotice = time.Minute
	// usersAtOnce is how many users' shares fill the server, where no share is set; none is less than minUserInFlight.
	usersAtOnce, minUserInFlight = 8, 4
	// defaultUserCost is a minute's; no budget is less than the dearest operation costs.
	defaultUserCost, minUserCost, maxUserCost = 600_000, 10_000, 1_000_000_000
	// defaultUserPaid is an hour's.
	defaultUserPaid, maxUserPaid = 1_000, 1_000_000
	// maxRequestTimeout bounds how long a request may hold its place.
	maxRequestTimeout = 5 * time.Minute
)

// hostName is a DNS name as people write one in a setting (RFC 1123, 2.1, and the underscore of container networks).
var hostName = regexp.MustCompile(
	`^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?(\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?)*\.?$`)

func parseAddr(text string) (string, error) {
	host, port, err := net.SplitHostPort(text)
	if err != nil {
		return "", errors.New("is not host:port")
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return "", errors.New("has no port from 0 to 65535")
	}
	if host != "" && !isHost(host) {
		return "", errors.New("has a host that is neither a name nor an IP address")
	}
	return text, nil
}

func isHost(host string) bool {
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	return len(host) <= 253 && hostName.MatchString(host)
}

// isLoopbackHost reports whether a host can only mean this machine: a loopback IP, or localhost (RFC 6761, 6.3).
func isLoopbackHost(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback()
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	return name == "localhost" || strings.HasSuffix(name, ".localhost")
}

// parseHTTPAddress parses an http or https URL without user, query and fragment.
func parseHTTPAddress(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("is not an address")
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("does not begin with http:// or https://")
	case u.Opaque != "" || !isHost(u.Hostname()):
		return nil, errors.New("names no host")
	case u.Port() != "" && !isPort(u.Port()):
		return nil, errors.New("has no port from 1 to 65535")
	case u.User != nil:
		return nil, errors.New("has a user or a password in it")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("has a query or a fragment")
	}
	return u, nil
}

func isPort(text string) bool {
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0
}

func parsePublicURL(text string) (*url.URL, error) {
	u, err := parseHTTPAddress(text)
	if err != nil {
		return nil, err
	}
	return trimPath(u), nil
}

// trimPath removes slashes at the end, so that a path can be appended.
func trimPath(u *url.URL) *url.URL {
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	return u
}

func parseOTLPEndpoint(text string) (*url.URL, error) {
	u, err := parseHTTPAddress(text)
	if err != nil {
		return nil, err
	}
	if trimPath(u).Path == "" {
		u.Path = "/v1/traces"
	}
	return u, nil
}

// parseOrigin returns an origin as browsers write it (RFC 6454, 6.2).
func parseOrigin(text string) (string, error) {
	if text == "*" {
		return "", errors.New("allows every page in the world")
	}
	u, err := parseHTTPAddress(text)
	if err != nil {
		return "", err
	}
	if u.Path != "" && u.Path != "/" {
		return "", errors.New("has a path, which an origin does not")
	}
	if (u.Scheme == "http" && u.Port() == "80") || (u.Scheme == "https" && u.Port() == "443") {
		u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	}
	return u.Scheme + "://" + u.Host, nil
}

// parseIssuer returns the text unchanged: issuers are compared exactly (OpenID Connect Discovery 1.0, 4.3).
func parseIssuer(text string) (string, error) {
	u, err := parseHTTPAddress(text)
	if err != nil {
		return "", err
	}
	if u.Scheme == "http" && !isLoopbackHost(u.Hostname()) {
		return "", errors.New("is not https, so anybody on the way could swap its keys")
	}
	return text, nil
}

func parsePostgresURL(text string) (Secret, error) {
	u, err := url.Parse(text)
	if err != nil {
		return Secret{}, errors.New(
			"is not an address; characters such as @ : / ? # % in the password must be percent-encoded")
	}
	if u.Scheme != "postgres" && u.Scheme != "postgresql" {
		return Secret{}, errors.New("does not begin with postgres:// or postgresql://")
	}
	if u.Host == "" && u.Query().Get("host") == "" {
		return Secret{}, errors.New("names no host")
	}
	return NewSecret(text), nil
}

func parseSigningSecret(text string) (Secret, error) {
	if len(text) < MinSecret {
		return Secret{}, fmt.Errorf("has only %d bytes", len(text))
	}
	return NewSecret(text), nil
}

// parseList parses values separated by commas or line ends; empty ones are skipped.
func parseList[T any](text string, parse func(string) (T, error)) ([]T, error) {
	const most = 100
	var all []T
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == '\n' || r == '\r' }) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if len(all) == most {
			return nil, fmt.Errorf("has more than %d entries", most)
		}
		one, err := parse(part)
		if err != nil {
			return nil, fmt.Errorf("has an entry (number %d) that %w", len(all)+1, err)
		}
		all = append(all, one)
	}
	if all == nil {
		return nil, errors.New("has no entry")
	}
	return all, nil
}

func parseInt(text string, least, most int) (int, error) {
	n, err := strconv.Atoi(text)
	if errors.Is(err, strconv.ErrRange) || (err == nil && (n < least || n > most)) {
		return 0, errors.New("is out of bounds")
	}
	if err != nil {
		return 0, errors.New("is not a whole number")
	}
	return n, nil
}

func parseBool(text string) (bool, error) {
	switch strings.ToLower(text) {
	case "true", "1", "on", "yes":
		return true, nil
	case "false", "0", "off", "no":
		return false, nil
	}
	return false, errors.New("is neither true nor false")
}

// parseAuto parses a switch with a third state, auto, for which it returns nil.
func parseAuto(text string) (*bool, error) {
	if strings.EqualFold(text, "auto") {
		return nil, nil //nolint:nilnil // nil is the value "auto", not a missing answer
	}
	on, err := parseBool(text)
	if err != nil {
		return nil, errors.New("is none of auto, on and off")
	}
	return &on, nil
}

// parseDuration accepts Go's form ("90s", "1h30m") and whole days ("30d").
func parseDuration(text string, least, most time.Duration) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if digits, ok := strings.CutSuffix(text, "d"); ok {
		var days uint64
		if days, err = strconv.ParseUint(digits, 10, 16); err == nil {
			d = time.Duration(days) * day
		}
	}
	if err != nil {
		return 0, errors.New("is not a length of time such as 90s, 12h or 30d")
	}
	if d < least || d > most {
		return 0, errors.New("is out of bounds")
	}
	return d, nil
}

// parseOffOr is parseDuration for settings that can be "off", which is 0.
func parseOffOr(text string, least, most time.Duration) (time.Duration, error) {
	if strings.EqualFold(text, "off") {
		return 0, nil
	}
	return parseDuration(text, least, most)
}

func parseZone(text string) (string, error) {
	if text == "Local" || text == "" {
		return "", errors.New("is not the name of a zone")
	}
	if _, err := time.LoadLocation(text); err != nil {
		return "", errors.New("is not in the IANA time zone database")
	}
	return text, nil
}

func parseOneOf(text string, allowed ...string) (string, error) {
	lower := strings.ToLower(text)
	for _, one := range allowed {
		if lower == one {
			return one, nil
		}
	}
	return "", errors.New("is none of these")
}

func parseWeekday(text string) (model.Weekday, error) {
	weekday := model.Weekday(strings.ToUpper(text))
	if !weekday.Valid() {
		return "", errors.New("is not a day of the week")
	}
	return weekday, nil
}

func parseLevel(text string) (slog.Level, error) {
	switch strings.ToLower(text) {
	case "debug":
		return slog.LevelDebug, nil
	case "info":
		return slog.LevelInfo, nil
	case "warn":
		return slog.LevelWarn, nil
	case "error":
		return slog.LevelError, nil
	}
	return 0, errors.New("is not a log level")
}
