package config

import (
	"io/fs"
	"strings"
	"testing"
)

// Who needs no token: the whole table.
func TestLocalUser(t *testing.T) {
	jwt, oidc := "ALMANAC_JWT_SECRET="+longSecret, "ALMANAC_OIDC_ISSUER=https://login.example.com"
	for _, c := range []struct {
		variables []string
		local     bool
		// warned is part of the warning that must be given; "" for none.
		warned string
	}{
		{nil, true, ""},
		{[]string{"ALMANAC_ADDR=localhost:80"}, true, ""},
		{[]string{"ALMANAC_ADDR=127.255.0.1:80"}, true, ""},
		{[]string{"ALMANAC_ADDR=[::1]:80"}, true, ""},
		{[]string{"ALMANAC_ADDR=[::ffff:127.0.0.1]:80"}, true, ""},
		{[]string{"ALMANAC_PUBLIC_URL=http://localhost:8080"}, true, ""},
		{[]string{"ALMANAC_PUBLIC_URL=http://[::1]:8080"}, true, ""},
		{[]string{"ALMANAC_ADDR=:80"}, false, "only API tokens"},
		{[]string{"ALMANAC_ADDR=0.0.0.0:80"}, false, "only API tokens"},
		{[]string{"ALMANAC_ADDR=[::]:80"}, false, "only API tokens"},
		{[]string{"ALMANAC_ADDR=192.168.1.5:80"}, false, "only API tokens"},
		{[]string{"ALMANAC_ADDR=localhost.example.com:80"}, false, "only API tokens"},
		{[]string{"ALMANAC_ADDR=127.0.0.1.nip.io:80"}, false, "only API tokens"},
		{[]string{"ALMANAC_PUBLIC_URL=https://almanac.example.com"}, false, "only API tokens"},
		{[]string{jwt}, false, ""},
		{[]string{jwt, "ALMANAC_ADDR=0.0.0.0:80"}, false, ""},
		{[]string{oidc, "ALMANAC_OIDC_AUDIENCE=almanac"}, false, ""},
		{[]string{oidc}, false, "ALMANAC_OIDC_AUDIENCE is not set"},
	} {
		config := mustLoad(t, nil, c.variables...)
		if config.LocalUser != c.local || !config.Introspection {
			t.Errorf("%q: local user %v, introspection %v; want %v", c.variables, config.LocalUser, config.Introspection,
				c.local)
		}
		warnings := strings.Join(config.Warnings, " ")
		if (c.warned == "") != (warnings == "") || !strings.Contains(warnings, c.warned) {
			t.Errorf("%q: warnings %q, want %q", c.variables, warnings, c.warned)
		}
		// A demo has a user of its own where there is no local user, and needs no other way in.
		demo := mustLoad(t, []string{"--demo"}, c.variables...)
		if demo.LocalUser != c.local || !demo.Demo || !demo.ExaStandIn ||
			strings.Contains(strings.Join(demo.Warnings, " "), "only API tokens") {
			t.Errorf("%q: a demo gives %+v", c.variables, demo)
		}
	}
}

func TestSettingsThatDoNotGoTogether(t *testing.T) {
	for _, c := range []struct {
		variables []string
		want      string
	}{
		{[]string{"ALMANAC_JWT_SECRET=" + longSecret, "ALMANAC_OIDC_ISSUER=https://x.example"}, "both set"},
		{[]string{"ALMANAC_JWT_ISSUER=x"}, "without ALMANAC_JWT_SECRET"},
		{[]string{"ALMANAC_JWT_AUDIENCE=x"}, "without ALMANAC_JWT_SECRET"},
		{[]string{"ALMANAC_OIDC_AUDIENCE=x"}, "without ALMANAC_OIDC_ISSUER"},
		{[]string{"ALMANAC_DATABASE_POOLER=true"}, "without ALMANAC_DATABASE_URL"},
		{[]string{"ALMANAC_DATABASE_LISTEN_URL=postgres://db/x"}, "without ALMANAC_DATABASE_URL"},
		{[]string{"ALMANAC_DATABASE_MAX_CONNS=3"}, "without ALMANAC_DATABASE_URL"},
	} {
		_, err := loadTest(nil, c.variables...)
		if problems := problemsOf(t, err); len(problems) != 1 || !strings.Contains(problems[0], c.want) {
			t.Errorf("%q: %v", c.variables, err)
		}
	}
	// A setting whose value was refused is not also said to be missing.
	_, err := loadTest(nil, "ALMANAC_JWT_SECRET=short", "ALMANAC_JWT_ISSUER=x")
	if problems := problemsOf(t, err); len(problems) != 1 {
		t.Errorf("got %q", problems)
	}
}

func TestDataDirOfEachSystem(t *testing.T) {
	for _, c := range []struct {
		os      string
		environ []string
		want    string
	}{
		{"linux", []string{"HOME=/home/dana"}, "/home/dana/.local/share/almanac"},
		{"linux", []string{"HOME=/home/dana", "XDG_DATA_HOME=/data"}, "/data/almanac"},
		{"linux", []string{"HOME=/home/dana", "XDG_DATA_HOME=data"}, "/home/dana/.local/share/almanac"},
		{"freebsd", []string{"HOME=/home/dana"}, "/home/dana/.local/share/almanac"},
		{"darwin", []string{"HOME=/Users/dana"}, "/Users/dana/Library/Application Support/almanac"},
		{"windows", []string{"LOCALAPPDATA=/c/Users/dana/AppData/Local"}, "/c/Users/dana/AppData/Local/almanac"},
		{"windows", []string{"LocalAppData=/c/L"}, "/c/L/almanac"},
		{"linux", nil, ""},
		{"darwin", nil, ""},
		{"windows", nil, ""},
	} {
		m := testMachine()
		m.os = c.os
		config, _, err := load(nil, c.environ, nil, m)
		if c.want == "" {
			if problems := problemsOf(t, err); len(problems) != 1 ||
				!strings.Contains(problems[0], "ALMANAC_DATA_DIR is not set") {
				t.Errorf("%s %q: %v", c.os, c.environ, err)
			}
			continue
		}
		if err != nil || config.DataDir != c.want {
			t.Errorf("%s %q: %q, %v; want %q", c.os, c.environ, config.DataDir, err, c.want)
		}
	}
	if config, _, err := load(nil, []string{"ALMANAC_DATABASE_URL=postgres://db/x"}, nil, testMachine()); err != nil ||
		config.DataDir != "" {
		t.Errorf("with a database no home is needed: %q, %v", config.DataDir, err)
	}
	if _, _, err := load(nil, []string{"ALMANAC_DATA_DIR=~/x"}, nil, testMachine()); err == nil ||
		!strings.Contains(err.Error(), "no home folder") {
		t.Errorf("~ without a home: %v", err)
	}
}

func TestMachineZone(t *testing.T) {
	for _, c := range []struct{ tz, link, want string }{
		{"", "/usr/share/zoneinfo/Asia/Jerusalem", "Asia/Jerusalem"},
		{"Europe/Paris", "/usr/share/zoneinfo/Asia/Jerusalem", "Europe/Paris"},
		{":Europe/Paris", "", "Europe/Paris"},
		{"EST5EDT4,M3.2.0,M11.1.0", "/usr/share/zoneinfo/Asia/Jerusalem", "UTC"},
		{"", "/usr/share/zoneinfo/Nowhere/Town", "UTC"},
		{"", "", "UTC"},
	} {
		m := testMachine()
		m.readlink = func(string) (string, error) {
			if c.link == "" {
				return "", fs.ErrNotExist
			}
			return c.link, nil
		}
		config, _, err := load(nil, []string{"HOME=/h", "TZ=" + c.tz}, nil, m)
		if err != nil || config.TimeZone != c.want {
			t.Errorf("TZ %q, link %q: %q, %v; want %q", c.tz, c.link, config.TimeZone, err, c.want)
		}
	}
}
