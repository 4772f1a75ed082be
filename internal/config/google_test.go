package config

import (
	"net"
	"strings"
	"testing"
	"time"
)

const (
	clientID     = "123-abc.apps.googleusercontent.com"
	clientSecret = "GOCSPX-a-secret-of-google"
)

// google returns the variables of a whole configuration, and more.
func google(more ...string) []string {
	return append([]string{"ALMANAC_GOOGLE_CLIENT_ID=" + clientID, "ALMANAC_GOOGLE_CLIENT_SECRET=" + clientSecret,
		"ALMANAC_TOKEN_KEY=" + longSecret}, more...)
}

// Half a configuration is refused with one sentence for each thing that is missing, which says what to set.
func TestHalfAGoogleClient(t *testing.T) {
	id, secret, key := "ALMANAC_GOOGLE_CLIENT_ID="+clientID, "ALMANAC_GOOGLE_CLIENT_SECRET="+clientSecret,
		"ALMANAC_TOKEN_KEY="+longSecret
	const register = "https://almanac.example.com/connect/google/callback"
	for _, c := range []struct {
		variables []string
		// want are parts of the problems, one each.
		want [][]string
	}{
		{[]string{id, key}, [][]string{
			{"ALMANAC_GOOGLE_CLIENT_ID is set", "without ALMANAC_GOOGLE_CLIENT_SECRET", "Set both"}}},
		{[]string{secret, key}, [][]string{{"ALMANAC_GOOGLE_CLIENT_SECRET is set", "without ALMANAC_GOOGLE_CLIENT_ID"}}},
		{[]string{secret}, [][]string{{"without ALMANAC_GOOGLE_CLIENT_ID"}}},
		{[]string{id, secret}, [][]string{{"ALMANAC_TOKEN_KEY is not", "openssl rand"}}},
		{[]string{id}, [][]string{{"without ALMANAC_GOOGLE_CLIENT_SECRET"}, {"ALMANAC_TOKEN_KEY is not"}}},
		{google("ALMANAC_ADDR=:8080"), [][]string{{"ALMANAC_PUBLIC_URL is not set", register}}},
		{google("ALMANAC_ADDR=192.168.1.5:8080"),
			[][]string{{"192.168.1.5:8080", "ALMANAC_PUBLIC_URL is not set", register}}},
		{google("ALMANAC_PUBLIC_URL=http://almanac.example.com"), [][]string{{"http://almanac.example.com", register}}},
		{google("ALMANAC_PUBLIC_URL=https://203.0.113.7"), [][]string{{"https://203.0.113.7", register}}},
		{google("ALMANAC_GOOGLE_PUSH=on"), [][]string{{"ALMANAC_GOOGLE_PUSH is on", "public https"}}},
		{google("ALMANAC_GOOGLE_PUSH=on", "ALMANAC_PUBLIC_URL=https://localhost:8443"), [][]string{{"public https"}}},
		{[]string{"ALMANAC_GOOGLE_PUSH=on"}, [][]string{{"ALMANAC_GOOGLE_PUSH is set", "without ALMANAC_GOOGLE_CLIENT_ID"}}},
		// What was refused for its value is not also said to be missing.
		{[]string{id, secret, "ALMANAC_TOKEN_KEY=short"}, [][]string{{"ALMANAC_TOKEN_KEY is refused"}}},
		{[]string{id, "ALMANAC_GOOGLE_CLIENT_SECRET=short", key}, [][]string{{"ALMANAC_GOOGLE_CLIENT_SECRET is refused"}}},
		{[]string{"ALMANAC_GOOGLE_CLIENT_ID=x", secret, key}, [][]string{{"ALMANAC_GOOGLE_CLIENT_ID is \"x\""}}},
		{google("ALMANAC_ADDR=nonsense"), [][]string{{"ALMANAC_ADDR is"}}},
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
		if strings.Contains(err.Error(), clientSecret) || strings.Contains(err.Error(), longSecret) {
			t.Errorf("%q: the refusal shows a secret: %v", c.variables, err)
		}
	}
}

func TestGoogleSettings(t *testing.T) {
	for _, c := range []struct {
		variables []string
		poll      time.Duration
		push      bool
		// warned is part of the warning that must be given; "" for none.
		warned string
	}{
		{nil, time.Minute, false, ""},
		{google(), time.Minute, false, ""},
		{google("ALMANAC_GOOGLE_POLL=off"), 0, false, ""},
		{google("ALMANAC_GOOGLE_POLL=15s"), 15 * time.Second, false, ""},
		{google("ALMANAC_GOOGLE_POLL=1d"), 24 * time.Hour, false, ""},
		{[]string{"ALMANAC_GOOGLE_POLL=2m"}, 2 * time.Minute, false, ""},
		{google("ALMANAC_PUBLIC_URL=http://localhost:9000"), time.Minute, false, ""},
		{google("ALMANAC_PUBLIC_URL=http://127.0.0.1:9000"), time.Minute, false, ""},
		{google("ALMANAC_PUBLIC_URL=https://almanac.example.com"), time.Minute, true, "only API tokens"},
		{google("ALMANAC_PUBLIC_URL=https://almanac.example.com", "ALMANAC_GOOGLE_PUSH=off"), time.Minute, false,
			"only API tokens"},
		{google("ALMANAC_PUBLIC_URL=https://almanac.example.com", "ALMANAC_GOOGLE_PUSH=true", "ALMANAC_ADDR=:8080"),
			time.Minute, true, "only API tokens"},
		{[]string{"ALMANAC_PUBLIC_URL=https://almanac.example.com"}, time.Minute, false, "only API tokens"},
		{google("ALMANAC_ADDR=127.0.0.1:0"), time.Minute, false, "Choose a port"},
	} {
		config := mustLoad(t, nil, c.variables...)
		if config.GooglePoll != c.poll || config.GooglePush != c.push {
			t.Errorf("%q: poll %v, push %v; want %v and %v", c.variables, config.GooglePoll, config.GooglePush, c.poll, c.push)
		}
		warnings := strings.Join(config.Warnings, " ")
		if (c.warned == "") != (warnings == "") || !strings.Contains(warnings, c.warned) {
			t.Errorf("%q: warnings %q, want %q", c.variables, warnings, c.warned)
		}
	}
	config := mustLoad(t, nil, google()...)
	if config.GoogleClientID != clientID || config.GoogleClientSecret.Reveal() != clientSecret {
		t.Errorf("the client is %q", config.GoogleClientID)
	}
}

func TestBase(t *testing.T) {
	bound := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 4321}
	for _, c := range []struct {
		variables []string
		bound     net.Addr
		want      string
	}{
		{nil, bound, "http://127.0.0.1:4321"},
		{[]string{"ALMANAC_ADDR=localhost:0"}, bound, "http://localhost:4321"},
		{[]string{"ALMANAC_ADDR=[::1]:80"}, &net.TCPAddr{IP: net.IPv6loopback, Port: 80}, "http://[::1]:80"},
		{[]string{"ALMANAC_ADDR=:80"}, &net.TCPAddr{IP: net.IPv6zero, Port: 80}, "http://localhost:80"},
		{[]string{"ALMANAC_ADDR=0.0.0.0:80"}, &net.TCPAddr{IP: net.IPv6zero, Port: 80}, "http://localhost:80"},
		{[]string{"ALMANAC_PUBLIC_URL=https://almanac.example.com/base/"}, bound, "https://almanac.example.com/base"},
	} {
		if got := mustLoad(t, nil, c.variables...).Base(c.bound).String(); got != c.want {
			t.Errorf("%q: %s, want %s", c.variables, got, c.want)
		}
	}
}
