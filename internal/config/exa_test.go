package config

import (
	"strings"
	"testing"
	"time"
)

const exaKey = "0b57a34c-a-secret-of-exa"

// Who serves websets follows from what is set: the stand-in serves nobody but a local user for whom nothing was chosen.
func TestWhoServesWebsets(t *testing.T) {
	key, others := "ALMANAC_EXA_API_KEY="+exaKey, "ALMANAC_JWT_SECRET="+longSecret
	for _, c := range []struct {
		variables []string
		address   string // "off" for none
		standIn   bool
		warned    string
	}{
		{nil, "https://api.exa.ai", true, ""},
		{[]string{key}, "https://api.exa.ai", false, ""},
		{[]string{others}, "https://api.exa.ai", false, ""},
		{[]string{others, key}, "https://api.exa.ai", false, "ALMANAC_TOKEN_KEY"},
		{[]string{others, key, "ALMANAC_TOKEN_KEY=" + longSecret}, "https://api.exa.ai", false, ""},
		{[]string{"ALMANAC_EXA_URL=OFF"}, "off", false, ""},
		{[]string{"ALMANAC_EXA_URL=http://LocalHost:8010/exa/"}, "http://localhost:8010/exa", false, ""},
		{[]string{"ALMANAC_EXA_URL=https://proxy.example"}, "https://proxy.example", false, ""},
	} {
		config := mustLoad(t, nil, c.variables...)
		address := "off"
		if config.ExaURL != nil {
			address = config.ExaURL.String()
		}
		warnings := strings.Join(config.Warnings, " ")
		if address != c.address || config.ExaOff != (c.address == "off") || config.ExaStandIn != c.standIn {
			t.Errorf("%q: at %q, off %v, stand-in %v", c.variables, address, config.ExaOff, config.ExaStandIn)
		}
		if (c.warned == "") != (warnings == "") || !strings.Contains(warnings, c.warned) ||
			strings.Contains(warnings, exaKey) {
			t.Errorf("%q: warnings %q", c.variables, warnings)
		}
	}
}

// What cannot be used is refused with what to set instead, and without the key.
func TestHalfAnExa(t *testing.T) {
	key := "ALMANAC_EXA_API_KEY=" + exaKey
	for _, c := range []struct {
		variables []string
		want      string
	}{
		{[]string{key, "ALMANAC_EXA_URL=off"}, "Leave one of them out"},
		{[]string{key, "ALMANAC_EXA_URL=http://exa.example"}, "http on another machine"},
		{[]string{key, "ALMANAC_EXA_URL=ftp://exa.example"}, "http:// or https://"},
		{[]string{"ALMANAC_EXA_API_KEY=" + exaKey + " x"}, "ALMANAC_EXA_API_KEY is refused"},
		{[]string{"ALMANAC_EXA_REPAIR_INTERVAL=30s"}, "ALMANAC_EXA_REPAIR_INTERVAL"},
		{[]string{"ALMANAC_EXA_REPAIR_INTERVAL=25h"}, "ALMANAC_EXA_REPAIR_INTERVAL"},
	} {
		_, err := loadTest(nil, c.variables...)
		problems := problemsOf(t, err)
		if len(problems) != 1 || !strings.Contains(problems[0], c.want) {
			t.Errorf("%q: %q, want one that says %q", c.variables, problems, c.want)
		}
		if strings.Contains(err.Error(), exaKey) {
			t.Errorf("%q: the key shows in %v", c.variables, err)
		}
	}
	for value, want := range map[string]time.Duration{"off": 0, "Off": 0, "1m": time.Minute, "24h": day} {
		if config := mustLoad(t, nil, "ALMANAC_EXA_REPAIR_INTERVAL="+value); config.ExaRepair != want {
			t.Errorf("%s: %v", value, config.ExaRepair)
		}
	}
}
