package config

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"almanac/graph/model"
)

func TestWhomMailMayGoTo(t *testing.T) {
	for _, c := range []struct {
		value string
		want  []string
		// refused is part of the problem; empty for a value that is taken.
		refused string
	}{
		{value: "@example.com", want: []string{"@example.com"}},
		{value: " Dana@Example.org , @EXAMPLE.com,dana@example.org", want: []string{"dana@example.org", "@example.com"}},
		{value: "a+b@mail.example.co.il", want: []string{"a+b@mail.example.co.il"}},
		{value: "example.com", refused: `"example.com"`},
		{value: "*@example.com", refused: `"*@example.com"`},
		{value: "@*.example.com", refused: `"@*.example.com"`},
		{value: "@localhost", refused: `"@localhost"`},
		{value: "@example.com,", refused: `""`},
		{value: "Dana <dana@example.com>", refused: "neither an address"},
		{value: "a@b@example.com", refused: "neither an address"},
		{value: "dana@", refused: "neither an address"},
		{value: "@example.com;@example.org", refused: "neither an address"},
		{value: "@.example.com", refused: "neither an address"},
		{value: strings.Repeat("x", 10_000), refused: "neither an address"},
	} {
		config, err := loadTest(nil, "ALMANAC_MAIL_ALLOW="+c.value)
		if c.refused != "" {
			if problems := problemsOf(t, err); len(problems) != 1 || !strings.Contains(problems[0], "ALMANAC_MAIL_ALLOW") ||
				!strings.Contains(problems[0], c.refused) {
				t.Errorf("%.60q: %q", c.value, problems)
			}
			continue
		}
		if err != nil || !slices.Equal(config.MailAllow, c.want) {
			t.Errorf("%q: %q, %v", c.value, config.MailAllow, err)
		}
	}
	many := make([]string, mostAllowed+1)
	for i := range many {
		many[i] = fmt.Sprintf("@a%d.example", i)
	}
	if _, err := loadTest(nil, "ALMANAC_MAIL_ALLOW="+strings.Join(many[1:], ",")); err != nil {
		t.Errorf("as many as may be: %v", err)
	}
	if _, err := loadTest(nil, "ALMANAC_MAIL_ALLOW="+strings.Join(many, ",")); err == nil ||
		!strings.Contains(err.Error(), "at most 1000") {
		t.Errorf("one too many: %v", err)
	}
}

func TestHowManyMailMayGoTo(t *testing.T) {
	for value, want := range map[string]int{"1": 1, "500": 500, "0": 0, "501": 0, "-1": 0, "many": 0, "1.5": 0} {
		config, err := loadTest(nil, "ALMANAC_MAIL_MAX_RECIPIENTS="+value)
		if want == 0 {
			if problems := problemsOf(t, err); len(problems) != 1 || !strings.Contains(problems[0], "from 1 to 500") {
				t.Errorf("%s: %q", value, problems)
			}
		} else if err != nil || config.MailMaxRecipients != want {
			t.Errorf("%s: %d, %v", value, config.MailMaxRecipients, err)
		}
	}
	config, err := loadTest(nil)
	if err != nil || config.MailMaxRecipients != model.MaxRecipients || len(config.MailAllow) != 0 {
		t.Errorf("unset: %d, %q, %v", config.MailMaxRecipients, config.MailAllow, err)
	}
}
