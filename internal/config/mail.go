package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
)

// mostRecipients is how many addresses Gmail sends one e-mail to (https://support.google.com/mail/answer/22839).
const mostRecipients = 500

// mostAllowed is how many addresses and domains may be named.
const mostAllowed = 1_000

func mailing() []Setting {
	return []Setting{{
		Name: "mail-allow",
		Meaning: "The recipients to whom mail can be sent. Every recipient is checked when an e-mail is previewed, and " +
			"again when it is sent.",
		Allowed: "addresses (`dana@example.com`) and domains (`@example.com`), separated by commas; a domain does not " +
			"include its subdomains",
		Default: "not set: everybody",
		Example: "@example.com,dana@example.org",
		set:     func(d *draft, v string) (err error) { d.MailAllow, err = parseMailAllow(v); return err },
	}, {
		Name:    "mail-max-recipients",
		Meaning: "The maximum number of recipients of an e-mail, copies included.",
		Allowed: fmt.Sprintf("a number from 1 to %d", mostRecipients),
		Default: strconv.Itoa(model.MaxRecipients),
		Example: "10",
		set:     func(d *draft, v string) (err error) { d.MailMaxRecipients, err = parseMaxRecipients(v); return err },
	}}
}

func parseMailAllow(value string) ([]string, error) {
	var allowed []string
	for one := range strings.SplitSeq(value, ",") {
		one = strings.ToLower(strings.TrimSpace(one))
		local, domain, found := strings.Cut(one, "@")
		if !found || !isDomain(domain) || strings.ContainsAny(local, " \t\"<>()*;") {
			return nil,
				fmt.Errorf("has %q, which is neither an address such as dana@example.com nor a domain such as @example.com",
					model.Clip(one))
		}
		if !slices.Contains(allowed, one) {
			allowed = append(allowed, one)
		}
	}
	if len(allowed) > mostAllowed {
		return nil, fmt.Errorf("has %d entries; at most %d are allowed", len(allowed), mostAllowed)
	}
	return allowed, nil
}

// isDomain reports whether a text is the name of a host with a dot, as addresses have it.
func isDomain(text string) bool {
	for label := range strings.SplitSeq(text, ".") {
		if label == "" || strings.ContainsFunc(label, func(r rune) bool {
			return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
		}) {
			return false
		}
	}
	return strings.Contains(text, ".")
}

func parseMaxRecipients(value string) (int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > mostRecipients {
		return 0, errors.New("is not a number from 1 to " + strconv.Itoa(mostRecipients))
	}
	return n, nil
}
