package config

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
)

const longSecret = "correct-horse-battery-staple-and-then-some"

// testMachine is a Linux machine in Berlin with one secret file.
func testMachine() machine {
	return machine{
		os: "linux",
		readlink: func(string) (string, error) {
			return "../usr/share/zoneinfo/Europe/Berlin", nil
		},
		readFile: func(path string) ([]byte, error) {
			switch path {
			case "/run/secrets/jwt":
				return []byte(longSecret + "\n"), nil
			case "/run/secrets/openai":
				return []byte(apiKey + "\n"), nil
			case "/run/secrets/exa":
				return []byte(exaKey + "\n"), nil
			case "/run/secrets/graphiti":
				return []byte(graphitiToken + "\n"), nil
			case "/run/secrets/google":
				return []byte(clientSecret), nil
			case "/etc/almanac.env":
				return []byte("# an example\n"), nil
			case "/run/secrets/empty":
				return []byte("\n"), nil
			}
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		},
		absolute: func(path string) (string, error) {
			if filepath.IsAbs(path) {
				return filepath.Clean(path), nil
			}
			return filepath.Join("/srv", path), nil
		},
		mode: func(string) (fs.FileMode, error) { return 0o600, nil },
	}
}

// loadTest loads with a home folder and the variables given as "NAME=value".
func loadTest(args []string, variables ...string) (Config, error) {
	config, _, err := load(args, append([]string{"HOME=/home/dana", "PATH=/bin"}, variables...), nil, testMachine())
	return config, err
}

func mustLoad(t *testing.T, args []string, variables ...string) Config {
	t.Helper()
	config, err := loadTest(args, variables...)
	if err != nil {
		t.Fatalf("args %q, variables %q: %v", args, variables, err)
	}
	return config
}

func problemsOf(t *testing.T, err error) Problems {
	t.Helper()
	var problems Problems
	if !errors.As(err, &problems) {
		t.Fatalf("got %v (%T), want Problems", err, err)
	}
	return problems
}

func TestNothingSet(t *testing.T) {
	want := Config{
		Addr: "127.0.0.1:8080", LocalUser: true, Introspection: true, DataDir: "/home/dana/.local/share/almanac",
		TimeZone: "Europe/Berlin", Locale: "en", WeekStart: model.Sunday, MaxInFlight: 256,
		UserInFlight:     256,
		RequestTimeout:   30 * time.Second,
		GoogleAccess:     GoogleAccess{Calendar: AccessWrite, Mail: AccessWrite},
		ReminderInterval: 5 * time.Second, GooglePoll: time.Minute, GoogleRequests: 5000,
		ChangeRetention: 30 * 24 * time.Hour,
		UndoFor:         24 * time.Hour, ActionRetention: 90 * 24 * time.Hour, AuditRetention: 365 * 24 * time.Hour,
		SessionLifetime: 7 * 24 * time.Hour,
		LogLevel:        slog.LevelInfo,
		OpenAIBaseURL:   &url.URL{Scheme: "https", Host: "api.openai.com", Path: "/v1"}, EmbeddingMaxTokens: 8000,
		MailMaxRecipients: 50,
		ChatMaxTokens:     8000, ExtractPartTokens: 2000, ExtractParallel: 2,
		ExaURL: &url.URL{Scheme: "https", Host: "api.exa.ai"}, ExaStandIn: true, ExaRepair: 5 * time.Minute,
	}
	if got := mustLoad(t, nil); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestDefaultsAreThoseDocumented(t *testing.T) {
	want := mustLoad(t, nil)
	written := 0
	for _, s := range Settings() {
		// Defaults that are a value, rather than a description, can be written as they stand.
		if strings.ContainsAny(s.Default, " `") || s.Default == "none" {
			continue
		}
		variables := []string{s.Variable() + "=" + s.Default}
		if strings.HasPrefix(s.Name, "database-") {
			continue // they mean nothing without a database, and their zero values are tested below
		}
		written++
		if got := mustLoad(t, nil, variables...); !reflect.DeepEqual(got, want) {
			t.Errorf("%s=%s is documented as the default, but gives\n%+v\nwant\n%+v", s.Variable(), s.Default, got, want)
		}
	}
	if written < 8 {
		t.Errorf("only %d defaults could be written; has their form changed?", written)
	}
}

func TestEveryExampleLoads(t *testing.T) {
	for _, s := range Settings() {
		value := s.Example
		if strings.Contains(value, "openssl") {
			value = longSecret
		}
		variables := []string{s.Variable() + "=" + value}
		switch s.Name {
		case "jwt-issuer", "jwt-audience":
			variables = append(variables, "ALMANAC_JWT_SECRET="+longSecret)
		case "oidc-client-secret":
			variables = append(variables, "ALMANAC_OIDC_ISSUER=https://login.example.com", "ALMANAC_OIDC_CLIENT_ID=almanac")
		case "oidc-audience", "oidc-client-id":
			variables = append(variables, "ALMANAC_OIDC_ISSUER=https://login.example.com")
		case "database-pooler", "database-listen-url", "database-max-conns":
			variables = append(variables, "ALMANAC_DATABASE_URL=postgres://db/almanac")
		case "google-client-id":
			variables = append(variables, "ALMANAC_GOOGLE_CLIENT_SECRET="+clientSecret, "ALMANAC_TOKEN_KEY="+longSecret)
		case "google-client-secret":
			variables = append(variables, "ALMANAC_GOOGLE_CLIENT_ID="+clientID, "ALMANAC_TOKEN_KEY="+longSecret)
		case "google-push":
			variables = append(variables, google("ALMANAC_PUBLIC_URL=https://almanac.example.com")...)
		case "documents-only":
			variables = append(variables, "ALMANAC_DOCUMENTS=/etc/almanac/documents.json")
		case "embedding-model", "chat-model":
			variables = append(variables, "ALMANAC_OPENAI_API_KEY=sk-1")
		case "graphiti-token", "graphiti-allow-http", "graphiti-group":
			variables = append(variables, "ALMANAC_GRAPHITI_URL=https://graphiti.example/mcp/")
		case "embedding-dimensions":
			variables = append(variables, "ALMANAC_OPENAI_BASE_URL=http://localhost/v1",
				"ALMANAC_EMBEDDING_MODEL=nomic-embed-text")
		case "embedding-shorten":
			variables = append(variables, "ALMANAC_OPENAI_BASE_URL=http://localhost/v1",
				"ALMANAC_EMBEDDING_MODEL=qwen3-embedding:0.6b", "ALMANAC_EMBEDDING_DIMENSIONS=512")
		}
		config, err := loadTest(nil, variables...)
		if err != nil {
			t.Errorf("%q: %v", variables, err)
		}
		if reflect.DeepEqual(config, mustLoad(t, nil)) {
			t.Errorf("%s: the example is the default, so it shows nothing", s.Name)
		}
	}
}

func TestEverythingIsDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Settings() {
		if s.Name == "" || s.Group == "" || s.Meaning == "" || s.Allowed == "" || s.Default == "" || s.Example == "" ||
			s.set == nil {
			t.Errorf("%q lacks a part: %+v", s.Name, s)
		}
		if seen[s.Name] {
			t.Errorf("%s stands twice", s.Name)
		}
		seen[s.Name] = true
	}
}

func TestValues(t *testing.T) {
	pg := "ALMANAC_DATABASE_URL=postgres://u:p@db:5432/almanac"
	for _, c := range []struct {
		variables []string
		get       func(Config) any
		want      any
	}{
		{[]string{"ALMANAC_ADDR=[::1]:0"}, func(c Config) any { return c.Addr }, "[::1]:0"},
		{[]string{"ALMANAC_ADDR= 127.0.0.2:80 "}, func(c Config) any { return c.Addr }, "127.0.0.2:80"},
		{[]string{"ALMANAC_PUBLIC_URL=HTTPS://Almanac.Example.com/base/"}, func(c Config) any { return c.PublicURL.String() },
			"https://almanac.example.com/base"},
		{[]string{"ALMANAC_ALLOWED_ORIGINS=https://A.example:443/, http://b.example:8080,,"},
			func(c Config) any { return c.AllowedOrigins }, []string{"https://a.example", "http://b.example:8080"}},
		{[]string{"ALMANAC_JWT_SECRET=" + longSecret}, func(c Config) any { return c.JWTSecret.Reveal() }, longSecret},
		{[]string{"ALMANAC_JWT_SECRET=file:/run/secrets/jwt"}, func(c Config) any { return c.JWTSecret.Reveal() },
			longSecret},
		{[]string{"ALMANAC_TOKEN_KEY=" + strings.Repeat("a", 32) + "," + strings.Repeat("b", 40)}, func(c Config) any {
			return []string{c.TokenKeys[0].Reveal(), c.TokenKeys[1].Reveal()}
		}, []string{strings.Repeat("a", 32), strings.Repeat("b", 40)}},
		{[]string{"ALMANAC_OIDC_ISSUER=https://login.example.com/"}, func(c Config) any { return c.OIDCIssuer },
			"https://login.example.com/"},
		{[]string{"ALMANAC_OIDC_ISSUER=http://localhost:9000"}, func(c Config) any { return c.OIDCIssuer },
			"http://localhost:9000"},
		{[]string{"ALMANAC_INTROSPECTION=off"}, func(c Config) any { return c.Introspection }, false},
		{[]string{"ALMANAC_INTROSPECTION=AUTO", "ALMANAC_ADDR=:80"}, func(c Config) any { return c.Introspection }, true},
		{[]string{"ALMANAC_INTROSPECTION=yes", "ALMANAC_ADDR=:80"}, func(c Config) any { return c.Introspection }, true},
		{[]string{"ALMANAC_DATA_DIR=data"}, func(c Config) any { return c.DataDir }, "/srv/data"},
		{[]string{"ALMANAC_DATA_DIR=~/notes"}, func(c Config) any { return c.DataDir }, "/home/dana/notes"},
		{[]string{pg}, func(c Config) any { return c.DataDir }, ""},
		{[]string{pg}, func(c Config) any { return c.DatabaseURL.Reveal() }, "postgres://u:p@db:5432/almanac"},
		{[]string{"ALMANAC_DATABASE_URL=postgresql:///almanac?host=/run/postgresql"},
			func(c Config) any { return c.DatabaseURL.IsSet() }, true},
		{[]string{pg, "ALMANAC_DATABASE_POOLER=1"}, func(c Config) any { return c.DatabasePooler }, true},
		{[]string{pg, "ALMANAC_DATABASE_MAX_CONNS=7"}, func(c Config) any { return c.DatabaseMaxConns }, 7},
		{[]string{"ALMANAC_UNDO_FOR=7d"}, func(c Config) any { return c.UndoFor }, 7 * 24 * time.Hour},
		{[]string{"ALMANAC_AUDIT_RETENTION=1095d"}, func(c Config) any { return c.AuditRetention }, 1095 * 24 * time.Hour},
		{[]string{"ALMANAC_ACTION_RETENTION=365d"}, func(c Config) any { return c.ActionRetention }, 365 * 24 * time.Hour},
		{[]string{"ALMANAC_CHANGE_RETENTION=90d"}, func(c Config) any { return c.ChangeRetention }, 90 * 24 * time.Hour},
		{[]string{"ALMANAC_DRAIN_NOTICE=5s"}, func(c Config) any { return c.DrainNotice }, 5 * time.Second},
		{[]string{"ALMANAC_DRAIN_NOTICE=off"}, func(c Config) any { return c.DrainNotice }, time.Duration(0)},
		{[]string{"ALMANAC_REMINDER_INTERVAL=off"}, func(c Config) any { return c.ReminderInterval }, time.Duration(0)},
		{[]string{"ALMANAC_REMINDER_INTERVAL=1m30s"}, func(c Config) any { return c.ReminderInterval }, 90 * time.Second},
		{[]string{"ALMANAC_LOCALE=HE"}, func(c Config) any { return c.Locale }, "he"},
		{[]string{"ALMANAC_WEEK_START=Monday"}, func(c Config) any { return c.WeekStart }, model.Monday},
		{[]string{"ALMANAC_TIME_ZONE=Pacific/Kiritimati"}, func(c Config) any { return c.TimeZone }, "Pacific/Kiritimati"},
		{[]string{"ALMANAC_LOG_LEVEL=WARN"}, func(c Config) any { return c.LogLevel }, slog.LevelWarn},
		{[]string{"ALMANAC_OTLP_ENDPOINT=http://localhost:4318"}, func(c Config) any { return c.OTLPEndpoint.String() },
			"http://localhost:4318/v1/traces"},
		{[]string{"ALMANAC_OTLP_ENDPOINT=https://otel.example/in/"}, func(c Config) any { return c.OTLPEndpoint.String() },
			"https://otel.example/in"},
		{[]string{"ALMANAC_LOCALE=", "ALMANAC_ADDR="}, func(c Config) any { return c.Locale + c.Addr }, "en127.0.0.1:8080"},
	} {
		if got := c.get(mustLoad(t, nil, c.variables...)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.variables, got, c.want)
		}
	}
}

// Each wrong value is refused by one sentence that names the setting, shows the value unless it is secret, and says
// what is allowed. The values of secrets hold a marker, which must never show.
func TestWrongValues(t *testing.T) {
	const marker = "S3CR3T"
	wrong := map[string][]string{
		"addr": {"8080", "127.0.0.1", "127.0.0.1:65536", "127.0.0.1:http", "a b:80", "[::1:80", "host:-1",
			"1.2.3.4.5:x"},
		"public-url": {"almanac.example.com", "ftp://a.example", "https://", "https://u:p@a.example",
			"https://a.example/?q=1", "https://a.example#x", "https:a", "https://a.example:0", "https://a.example:99999", "%zz"},
		"allowed-origins": {"*", "https://a.example/path", "a.example", ",", "null",
			strings.Repeat("https://a.example,", 101)},
		"jwt-secret": {marker, "file:/run/secrets/empty", "file:/nowhere"},
		"oidc-issuer": {"http://login.example.com", "login.example.com", "https://login.example.com?x", "https://[",
			"http://127.0.0.1.example.com"},
		"token-key":     {marker, longSecret + "," + marker, ","},
		"introspection": {"maybe"},
		"google-client-id": {"x", ".apps.googleusercontent.com", "a b.apps.googleusercontent.com", "GOCSPX-abcdefgh",
			"x.apps.googleusercontent.com.example.com", strings.Repeat("a", 200) + ".apps.googleusercontent.com"},
		"oidc-client-secret":   {marker, marker + " with spaces", marker + "\u05d0\u05d1", strings.Repeat(marker, 60)},
		"session-lifetime":     {"0", "1m", "91d", "-1d", "often"},
		"google-client-secret": {marker, marker + " with spaces", marker + "\u05d0\u05d1\u05d2", strings.Repeat(marker, 60)},
		"google-poll":          {"0", "14s", "25h", "-1m", "often"},
		"google-requests":      {"0", "-1", "1000001", "off"},
		"google-push":          {"sometimes"},
		"mail-allow":           {"example.com", "@localhost", "*@example.com", "@example.com,", "a b@example.com"},
		"mail-max-recipients":  {"0", "501", "-1", "many"},
		"openai-base-url": {"localhost:11434", "ftp://a.example", "https://u:p@a.example/v1",
			"https://a.example/v1?key=1", "https://a.example#x"},
		"openai-api-key": {marker + " with spaces", marker + "\u05d0", marker + "\x00", strings.Repeat(marker, 100),
			"file:/nowhere"},
		"openai-allow-http": {"perhaps"},
		"embedding-model": {"a model", "text-embedding-3-small@256", "@7", "local-ngram-1", "-x", "מודל",
			strings.Repeat("m", 121), "a\tb"},
		"embedding-dimensions": {"0", "7", "4001", "-1", "many", "1.5"},
		"embedding-shorten":    {"sometimes"},
		"embedding-max-tokens": {"0", "63", "100001", "x"},
		"embedding-floor":      {"-0.1", "1.1", "NaN", "Inf", "half", "30%"},
		"embedding-near":       {"-1", "2", "nan", "0,85"},
		"chat-model":           {"a model", "-x", "מודל", strings.Repeat("m", 121), "a\tb", "gpt;4"},
		"chat-max-tokens":      {"0", "255", "128001", "-1", "many"},
		"extract-part-tokens":  {"0", "255", "50001", "x"},
		"extract-parallel":     {"-1", "65", "few"},
		"graphiti-url": {"localhost:8000", "ftp://a.example/mcp/", "https://u:p@a.example/mcp/",
			"https://a.example/mcp/?key=1", "https://a.example/#x", "http://", "stdio:", "uvx graphiti"},
		"graphiti-token": {marker + " with spaces", marker + "\u05d0", marker + "\x00", strings.Repeat(marker, 100),
			"file:/nowhere"},
		"graphiti-allow-http": {"perhaps"},
		"graphiti-group":      {"a group", "a:b", "קבוצה", strings.Repeat("g", 201), "../x"},
		"exa-api-key": {marker + " with spaces", marker + "\u05d0", marker + "\x00", strings.Repeat(marker, 100),
			"file:/nowhere"},
		"exa-url": {"api.exa.ai", "ftp://a.example", "http://a.example", "https://u:p@a.example",
			"https://a.example?key=1", "https://a.example#x", "on"},
		"google-access":       {"none", "calendar,calendar-read", "mail,", "calendar mail", "mail-read,mail-read"},
		"exa-repair-interval": {"0", "59s", "25h", "-1m", "often"},
		"mcp-tools":           {"everything", "agenda,find,fly", ",", "Agenda"},
		"mcp-documents":       {},
		"documents":           {},
		"documents-only":      {"perhaps"},
		"data-dir":            {},
		"env-file":            {"/no/such/file"},
		"database-url": {"mysql://u:" + marker + "@db/x", "postgres://", "host=db password=" + marker,
			"postgres://u:" + marker + "%zz@db/x", "postgres://u:" + marker + "#@db/x?\x00"},
		"database-listen-url":    {marker},
		"database-pooler":        {"perhaps"},
		"database-max-conns":     {"-1", "10001", "many", "99999999999999999999"},
		"change-retention":       {"30", "1s", "3651d", "-1d", "d", "1w", "99999999999d"},
		"undo-for":               {"30", "59s", "31d", "-1d", "1w"},
		"action-retention":       {"30", "1s", "3651d", "-1d", "1w"},
		"audit-retention":        {"30", "1s", "3651d", "-1d", "1w"},
		"demo":                   {"2"},
		"feeds-allow-private":    {"2"},
		"webhooks-allow-private": {"2"},
		"time-zone":              {"Mars/Olympus", "Local", "../etc/passwd", "/etc/localtime", "UTC+2"},
		"locale":                 {"fr", "en-US"},
		"week-start":             {"someday"},
		"max-in-flight":          {"0", "x", "100001"},
		"user-in-flight":         {"0", "x", "100001"},
		"user-cost":              {"0", "9999", "x", "-1"},
		"user-paid":              {"-1", "x", "1000001"},
		"request-timeout":        {"0", "10", "6m", "-5s", "off"},
		"drain-notice":           {"0", "10", "2m", "-5s", "soon"},
		"reminder-interval":      {"0", "10", "2h", "500ms", "-5s"},
		"log-level":              {"loud", "5"},
		"otlp-endpoint":          {"localhost:4318", "http://", "grpc://localhost:4317"},
	}
	for _, s := range Settings() {
		values, listed := wrong[s.Name]
		if !listed && s.Allowed != "any text" {
			t.Errorf("no wrong values are tried for %s", s.Name)
		}
		for _, value := range values {
			for source, err := range map[string]error{
				s.Variable(): second(loadTest(nil, s.Variable()+"="+value)),
				s.Flag():     second(loadTest([]string{s.Flag() + "=" + value})),
			} {
				if err == nil {
					t.Errorf("%s=%q was accepted", source, value)
					continue
				}
				problems := problemsOf(t, err)
				if len(problems) != 1 {
					t.Errorf("%s=%q gave %d problems: %v", source, value, len(problems), err)
				}
				text := problems[0]
				if !strings.HasPrefix(text, source+" ") || !strings.Contains(text, "Allowed: "+s.Allowed+".") ||
					!strings.Contains(text, s.Example) {
					t.Errorf("%s=%q: the sentence does not name the setting, what is allowed and an example: %s", source, value, text)
				}
				if !s.Secret && !strings.Contains(text, clip(value)) {
					t.Errorf("%s=%q: the value does not show: %s", source, value, text)
				}
				if strings.Contains(err.Error(), marker) {
					t.Errorf("%s: the message gives the secret away: %v", source, err)
				}
			}
		}
	}
}

func second(_ Config, err error) error { return err }

func TestAllProblemsAtOnce(t *testing.T) {
	_, err := loadTest([]string{"--adr=x", "--locale", "fr"}, "ALMANAC_ADDR=8080", "ALMANAC_JWT_SECRET=short",
		"ALMANAC_LOGLEVEL=debug", "ALMANAC_MAX_IN_FLIGHT=0")
	problems := problemsOf(t, err)
	if len(problems) != 6 {
		t.Fatalf("got %d problems, want 6: %v", len(problems), err)
	}
	for _, want := range []string{"--adr", "--locale", "ALMANAC_ADDR", "ALMANAC_JWT_SECRET", "ALMANAC_LOGLEVEL",
		"ALMANAC_MAX_IN_FLIGHT"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the message says nothing about %s: %v", want, err)
		}
	}
}

func TestUnknownNames(t *testing.T) {
	for given, want := range map[string]string{
		"ALMANAC_ADR=x":              "Did you mean ALMANAC_ADDR?",
		"ALMANAC_DATABASEURL=x":      "Did you mean ALMANAC_DATABASE_URL?",
		"ALMANAC_TOKENKEY=x":         "Did you mean ALMANAC_TOKEN_KEY?",
		"ALMANAC_TIMEZONE=x":         "Did you mean ALMANAC_TIME_ZONE?",
		"ALMANAC_JWT_SECERT=x":       "Did you mean ALMANAC_JWT_SECRET?",
		"ALMANAC_QQQQQQQQQQQQQQQQ=x": "is not a setting. Unset it",
		"ALMANAC_=x":                 "is not a setting. Unset it",
	} {
		_, err := loadTest(nil, given)
		if problems := problemsOf(t, err); len(problems) != 1 || !strings.Contains(problems[0], want) {
			t.Errorf("%s: got %v, want %q", given, err, want)
		}
	}
	for given, want := range map[string]string{
		"--databse-url=x":                "Did you mean --database-url?",
		"-Demo":                          "Did you mean --demo?",
		"--xyzzyxyzzy":                   "is not a flag. Run with --help",
		"--" + strings.Repeat("a", 5000): "is not a flag. Run with --help",
	} {
		_, err := loadTest([]string{given})
		if problems := problemsOf(t, err); len(problems) != 1 || !strings.Contains(problems[0], want) ||
			len(problems[0]) > 300 {
			t.Errorf("%s: got %v, want %q", clip(given), err, want)
		}
	}
}

func TestNamesOfTooling(t *testing.T) {
	config := mustLoad(t, nil, "ALMANAC_TEST_DATABASE_URL=postgres://x", "ALMANAC_PG_HOME=/x", "almanac_addr=x",
		"HOME=/again")
	if len(config.Warnings) != 0 {
		t.Errorf("warnings: %q", config.Warnings)
	}
	if config.DataDir != "/home/dana/.local/share/almanac" {
		t.Errorf("of two equal variables the second won: %s", config.DataDir)
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--addr", "127.0.0.1:1"}, "127.0.0.1:1"},
		{[]string{"--addr=127.0.0.1:1"}, "127.0.0.1:1"},
		{[]string{"-addr", "127.0.0.1:1"}, "127.0.0.1:1"},
		{[]string{"--addr=127.0.0.1:1", "--addr=127.0.0.1:2"}, "127.0.0.1:2"},
		{[]string{"--demo", "--addr=127.0.0.1:1", "--demo=false"}, "127.0.0.1:1"},
		{[]string{"--addr="}, "127.0.0.1:8080"},
		{nil, "127.0.0.1:9"},
	} {
		config := mustLoad(t, c.args, "ALMANAC_ADDR=127.0.0.1:9")
		if config.Addr != c.want || config.Demo {
			t.Errorf("%q: address %s, demo %v; want %s", c.args, config.Addr, config.Demo, c.want)
		}
	}
	if !mustLoad(t, []string{"--demo"}).Demo {
		t.Error("--demo alone does not switch it on")
	}
	for _, args := range [][]string{{"--addr"}, {"--addr", "--demo"}} {
		_, err := loadTest(args)
		if problems := problemsOf(t, err); len(problems) != 1 ||
			!strings.Contains(problems[0], "--addr wants a value: write --addr=") {
			t.Errorf("%q: %v", args, err)
		}
	}
	for _, help := range []string{"--help", "-h", "-help"} {
		if _, err := Load([]string{"--adr=1", help}, nil); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s: %v", help, err)
		}
	}
	if _, err := Load([]string{"word", "-"}, []string{"HOME=/h"}); err == nil ||
		!strings.Contains(err.Error(), `"word" is not expected here`) {
		t.Errorf("a stray word: %v", err)
	}
	if _, err := Load([]string{"word", "--locale=fr"}, []string{"HOME=/h"}); len(problemsOf(t, err)) != 2 {
		t.Errorf("a stray word and a wrong value: %v", err)
	}
}

func TestSecretsOnTheCommandLineAreWarnedOf(t *testing.T) {
	config := mustLoad(t, []string{"--jwt-secret=" + longSecret})
	if len(config.Warnings) != 1 || !strings.Contains(config.Warnings[0], "--jwt-secret was given on the command line") ||
		strings.Contains(config.Warnings[0], longSecret) {
		t.Errorf("warnings: %q", config.Warnings)
	}
	if config = mustLoad(t, []string{"--jwt-secret=file:/run/secrets/jwt"}); len(config.Warnings) != 0 {
		t.Errorf("a file is no secret: %q", config.Warnings)
	}
}

func TestCommandsHaveFlagsAndWordsOfTheirOwn(t *testing.T) {
	own := flag.NewFlagSet("token create", flag.ContinueOnError)
	name := own.String("name", "", "what to call it")
	days := own.Int("days", 30, "how long it lasts, in days")
	quiet := own.Bool("quiet", false, "only the token")
	environ := []string{"HOME=/home/dana"}
	config, words, err := LoadCommand([]string{"phone", "--name", "my phone", "--quiet", "--data-dir=/d", "-days=7", "x",
		"--", "--name"}, environ, own)
	if err != nil || *name != "my phone" || *days != 7 || !*quiet || config.DataDir != "/d" {
		t.Errorf("%v: name %q, days %d, quiet %v, %+v", err, *name, *days, *quiet, config)
	}
	if want := []string{"phone", "x", "--name"}; !reflect.DeepEqual(words, want) {
		t.Errorf("words %q, want %q", words, want)
	}
	_, _, err = LoadCommand([]string{"--days=soon", "--nam=x"}, environ, own)
	if problems := problemsOf(t, err); len(problems) != 2 || !strings.Contains(problems[0], "how long it lasts") ||
		!strings.Contains(problems[1], "Did you mean --name?") {
		t.Errorf("got %q", problems)
	}
}

func TestLoopbackOfAListener(t *testing.T) {
	for addr, want := range map[string]bool{"127.0.0.1:1": true, "127.9.9.9:1": true, "[::1]:1": true,
		"[::ffff:127.0.0.1]:1": true, "0.0.0.0:1": false, "[::]:1": false, "192.0.2.1:1": false} {
		tcp, err := net.ResolveTCPAddr("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		if Loopback(tcp) != want {
			t.Errorf("%s: got %v", addr, !want)
		}
	}
	if Loopback(&net.UnixAddr{Name: "/run/x", Net: "unix"}) {
		t.Error("a socket file is no loopback address")
	}
}

func TestSecretIsNeverPrinted(t *testing.T) {
	config := mustLoad(t, nil, "ALMANAC_JWT_SECRET="+longSecret, "ALMANAC_DATABASE_URL=postgres://u:"+longSecret+"@db/x",
		"ALMANAC_TOKEN_KEY="+longSecret)
	asJSON, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("settings", "all", config, "one", config.JWTSecret)
	for name, text := range map[string]string{
		"%v": fmt.Sprintf("%v", config), "%+v": fmt.Sprintf("%+v", config), "%#v": fmt.Sprintf("%#v", config),
		"%s":   fmt.Sprintf("secret %s", config.JWTSecret),
		"json": string(asJSON), "slog": log.String(),
	} {
		if strings.Contains(text, "battery") {
			t.Errorf("%s shows a secret: %s", name, text)
		}
		if !strings.Contains(text, hidden) {
			t.Errorf("%s does not show that a secret is set: %s", name, text)
		}
	}
	if fmt.Sprint(Secret{}) != "" {
		t.Error("a secret that is not set looks like one")
	}
}

func TestFilesOfSecretsAreBounded(t *testing.T) {
	big := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(big, make([]byte, maxSecretFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readSmallFile(big); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("got %v", err)
	}
	if err := os.WriteFile(big, make([]byte, maxSecretFile), 0o600); err != nil {
		t.Fatal(err)
	}
	if content, err := readSmallFile(big); err != nil || len(content) != maxSecretFile {
		t.Errorf("got %d bytes, %v", len(content), err)
	}
}
