package telemetry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"almanac/internal/telemetry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	apiToken = "almanac_01h455vb4pex5vsknk084sn02q01h455vb4pex5vsknk084sn02q_0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjkmnpqrst"
	jwtToken = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkYW5hIn0.XmwD92nXMQvQ5pPWrPgLJ6C7NmYuKIUituvvFpl3F_Y"
	private  = "buy milk for דנה"
)

// logged gives the one line that a function writes, as text and decoded.
func logged(t *testing.T, write func(*slog.Logger)) (string, map[string]any) {
	t.Helper()
	var b bytes.Buffer
	write(telemetry.NewLogger(&b, slog.LevelDebug))
	var line map[string]any
	if err := json.Unmarshal(b.Bytes(), &line); err != nil {
		t.Fatalf("%q is not one line of JSON: %v", b.String(), err)
	}
	return b.String(), line
}

type holder struct{ Text string }

type texter struct{ text string }

func (x *texter) String() string { return x.text }

func TestNamesThatAreRedacted(t *testing.T) {
	for _, name := range []string{
		"token", "Token", "api_token", "tokenKey", "authorization", "Authorization", "proxy-authorization", "cookie",
		"set-cookie", "secret", "jwtSecret", "client_secret",
		"password", "db.password", "passwd", "credentials", "api-key", "APIKey", "private_key", "Idempotency-Key",
		"text", "body", "query", "variables", "document", "graphql.document", "db.query.text", "sql", "url.full", "email",
		"subject", "sub", "search", "category", "input", "summary",
	} {
		for kind, value := range map[string]any{"text": private, "error": errors.New(private), "struct": holder{private},
			"list": []string{private}, "pointer": &texter{private}, "map": map[string]string{"a": private}} {
			text, line := logged(t, func(l *slog.Logger) { l.Info("m", name, value) })
			if strings.Contains(text, "milk") || line[name] != telemetry.Redacted {
				t.Errorf("%s as a %s: %s", name, kind, text)
			}
		}
	}
}

func TestNamesThatAreNot(t *testing.T) {
	for _, name := range []string{"context", "operation", "name", "kind", "status", "requestId", "user", "path", "error",
		"issuer", "task", "count", "subtasks", "textual"} {
		if text, line := logged(t, func(l *slog.Logger) { l.Info("m", name, "plain") }); line[name] != "plain" {
			t.Errorf("%s: %s", name, text)
		}
	}
	if text, line := logged(t, func(l *slog.Logger) {
		l.Info("m", "tokens", 4711, "body", 12*time.Second)
	}); line["tokens"] != 4711.0 || line["body"] != 12e9 {
		t.Errorf("numbers are no secrets: %s", text)
	}
}

func TestGroupsAreRedacted(t *testing.T) {
	text, _ := logged(t, func(l *slog.Logger) {
		l.With(slog.Group("request", "id", "r1", "headers",
			slog.GroupValue(slog.String("Authorization", private), slog.String("accept", "json")))).
			WithGroup("variables").Info("m", "a", private, "n", 5, slog.Group("deep", "b", private))
	})
	if strings.Contains(text, "milk") || strings.Contains(text, `"n":5`) || !strings.Contains(text, `"id":"r1"`) ||
		!strings.Contains(text, `"accept":"json"`) {
		t.Errorf("got %s", text)
	}
}

// Secrets are found by their look in messages, errors and texts, whatever the attribute is called.
func TestTextsAreScrubbed(t *testing.T) {
	for name, c := range map[string]struct{ text, kept string }{
		"API token":           {"bad token " + apiToken + " from 10.0.0.1", "from 10.0.0.1"},
		"API token, cut":      {"bad token " + apiToken[:60], "bad token "},
		"JWT":                 {"parse " + jwtToken + ": expired", ": expired"},
		"Authorization":       {"header Authorization: Bearer 0123456789abcdef.ghi!", "header Authorization: "},
		"lower case":          {"authorization=bearer 0123456789abcdefghi", "authorization="},
		"database address":    {"dial postgres://almanac:hunter2hunter2@db:5432/x failed", "@db:5432/x failed"},
		"odd database":        {"parse \"postgres://almanac:p@hunter2@db/x\" failed", "@db/x"},
		"keyword form":        {"host=db user=almanac password=hunter2 dbname=x", "dbname=x"},
		"quoted keyword form": {"host=db password = 'hunter2 and more' dbname=x", "dbname=x"},
	} {
		for place, write := range map[string]func(*slog.Logger){
			"message":  func(l *slog.Logger) { l.Info(c.text) },
			"text":     func(l *slog.Logger) { l.Info("m", "cause", c.text) },
			"error":    func(l *slog.Logger) { l.Info("m", "error", fmt.Errorf("wrapped: %w", errors.New(c.text))) },
			"stringer": func(l *slog.Logger) { l.Info("m", "thing", &texter{c.text}) },
			"list":     func(l *slog.Logger) { l.Info("m", "things", []string{c.text}) },
		} {
			text, _ := logged(t, write)
			for _, secret := range []string{"hunter2", "0123456789abcdef", "84sn02q", "eyJzdWIi", "Xmw"} {
				if strings.Contains(text, secret) {
					t.Errorf("%s in a %s: %q is left in %s", name, place, secret, text)
				}
			}
			if !strings.Contains(text, telemetry.Redacted) || !strings.Contains(text, c.kept) {
				t.Errorf("%s in a %s: too much or too little was taken out: %s", name, place, text)
			}
		}
	}
}

func TestOnlyPlainValuesAreWritten(t *testing.T) {
	var missing *texter
	address := &url.URL{Scheme: "https", User: url.UserPassword("u", "hunter2"), Host: "a.example"}
	text, line := logged(t, func(l *slog.Logger) {
		l.Info("m", "struct", holder{private}, "bytes", []byte(private), "map", map[string]any{"a": private}, "missing",
			missing, "nil", nil,
			"addr", netip.MustParseAddr("127.0.0.1"), "url", address, "long", strings.Repeat("א", 20_000), "took",
			3*time.Millisecond)
	})
	if strings.Contains(text, "milk") || strings.Contains(text, "hunter2") || len(text) > 20_000 {
		t.Errorf("got %.400s", text)
	}
	if line["struct"] != "(telemetry_test.holder)" || line["bytes"] != "([]uint8)" ||
		line["missing"] != "(*telemetry_test.texter)" || line["nil"] != nil || line["addr"] != "127.0.0.1" ||
		line["took"] != 3e6 {
		t.Errorf("got %.600s", text)
	}
}

func TestLevelAndTime(t *testing.T) {
	var b bytes.Buffer
	level := new(slog.LevelVar)
	level.Set(slog.LevelWarn)
	logger := telemetry.NewLogger(&b, level)
	logger.Info("below")
	if b.Len() != 0 {
		t.Errorf("a line below the level was written: %s", b.String())
	}
	logger.Warn("at")
	var line struct {
		Time       time.Time
		Level, Msg string
	}
	if err := json.Unmarshal(b.Bytes(), &line); err != nil || line.Level != "WARN" || line.Msg != "at" ||
		line.Time.Location() != time.UTC {
		t.Errorf("got %+v, %v", line, err)
	}
}

func FuzzScrub(f *testing.F) {
	f.Add("a", "b")
	f.Add("://", "@")
	f.Add("password='", "\xff")
	f.Fuzz(func(t *testing.T, before, after string) {
		var b bytes.Buffer
		telemetry.NewLogger(&b, slog.LevelInfo).Info("m", "cause", before+" "+apiToken+" "+after)
		if strings.Contains(b.String(), apiToken[30:60]) {
			t.Errorf("the token is left in %s", b.String())
		}
	})
}
