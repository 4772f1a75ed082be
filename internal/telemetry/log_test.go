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

	"almanac/graph/model"
	"almanac/internal/telemetry"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	apiToken = "almanac_01h455vb4pex5vsknk084sn02q01h455vb4pex5vsknk084sn02q_" +
		"0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjkmnpqrst"
	jwtToken = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJkYW5hIn0.XmwD92nXMQvQ5pPWrPgLJ6C7NmYuKIUituvvFpl3F_Y"
	private  = "buy milk for דנה"
)

// logged returns the one record that a function writes, as text and decoded.
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

// privateValues are private things in each type of value that a caller may log.
func privateValues(private string) map[string]any {
	return map[string]any{"text": private, "error": errors.New(private), "struct": holder{private},
		"list": []string{private}, "pointer": &texter{private}, "map": map[string]string{"a": private},
		"bytes": []byte(private), "url": &url.URL{Path: private}}
}

func TestUnknownKeysAreRedacted(t *testing.T) {
	for _, name := range []string{
		"token", "Token", "api_token", "tokenKey", "authorization", "Authorization", "proxy-authorization", "cookie",
		"set-cookie", "secret", "jwtSecret", "client_secret",
		"password", "db.password", "passwd", "credentials", "api-key", "APIKey", "private_key", "Idempotency-Key",
		"text", "body", "query", "variables", "document", "graphql.document", "db.query.text", "sql", "url.full", "email",
		"subject", "sub", "search", "category", "input", "summary", "location", "attendees", "", "Cause", "somethingNew",
	} {
		for kind, value := range privateValues(private) {
			text, line := logged(t, func(l *slog.Logger) { l.Info("m", name, value) })
			if strings.Contains(text, "milk") || line[name] != telemetry.Redacted {
				t.Errorf("%q as a %s: %s", name, kind, text)
			}
		}
		if _, line := logged(t, func(l *slog.Logger) { l.Info("m", name, 972501234567) }); line[name] != telemetry.Redacted {
			t.Errorf("%q as a number: %v", name, line[name])
		}
	}
}

func TestAllowedKeys(t *testing.T) {
	user := model.UserIDOf("dana").String()
	for name, value := range map[string]string{"operation": "calendar.events.list", "name": "Board", "kind": "query",
		"result": "ok", "requestId": "0123456789abcdef+/=", "user": user, "route": "/graphql", "error": "it did not work",
		"issuer": "https://issuer.example/realm", "field": "Query.tasks", "mediaType": "text/event-stream",
		"episode": "episode_01h455vb4pex5vsknk084sn02q", "what": "the calendar"} {
		if text, line := logged(t, func(l *slog.Logger) { l.Info("m", name, value) }); line[name] != value {
			t.Errorf("%s: %s", name, text)
		}
	}
	if text, line := logged(t, func(l *slog.Logger) {
		l.Info("m", "attempt", 4711, "latency", 12*time.Second, "vectors", true, "code", 1008)
	}); line["attempt"] != 4711.0 || line["latency"] != 12e9 || fmt.Sprint(line["vectors"]) != "true" ||
		line["code"] != 1008.0 {
		t.Errorf("got %s", text)
	}
}

// A key that is allowed for a code, a name or an id does not carry anything else.
func TestAllowedKeysHaveAForm(t *testing.T) {
	for _, name := range []string{"name", "operation", "kind", "result", "reason", "code", "user", "id", "task", "host",
		"operationId", "tool", "attempt", "status", "count"} {
		for _, value := range []string{private, "dana@example.com", "+972 50 123", jwtToken + " ", "פגישה"} {
			if _, line := logged(t, func(l *slog.Logger) { l.Info("m", name, value) }); line[name] != telemetry.Redacted {
				t.Errorf("%s: %q came out as %v", name, value, line[name])
			}
		}
	}
	for _, id := range []string{"18c2f0a9d3e4b5a6", "email_" + strings.Repeat("0", 26), "event_" + strings.Repeat("0", 40),
		"thread_" + strings.Repeat("0", 26), "calendar_" + strings.Repeat("0", 26)} {
		if _, line := logged(t, func(l *slog.Logger) { l.Info("m", "id", id) }); line["id"] != telemetry.Redacted {
			t.Errorf("%q came out as %v", id, line["id"])
		}
	}
}

func TestGroupsAreRedacted(t *testing.T) {
	text, _ := logged(t, func(l *slog.Logger) {
		l.With("requestId", "r1", slog.Group("request", "id", "r2", "headers",
			slog.GroupValue(slog.String("Authorization", private), slog.String("kind", "json")))).
			WithGroup("variables").Info("m", "a", private, "count", 5, slog.Group("deep", "error", private))
	})
	if strings.Contains(text, "milk") || strings.Contains(text, `"count":5`) || strings.Contains(text, "json") ||
		strings.Contains(text, "r2") || !strings.Contains(text, `"requestId":"r1"`) {
		t.Errorf("got %s", text)
	}
}

// Secrets are found by their form in messages, errors and texts, whatever the attribute is called.
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
		"e-mail address":      {"550 no such user dana.k+work@mail.example.com here", " here"},
		"Hebrew address":      {"to דנה@דואר.קום: refused", ": refused"},
		"id of an e-mail":     {"email_64s36d1n6rvkge9g6ct3jc1g is gone", " is gone"},
		"id of an event":      {"event_64s36d1n6rvkge9g6ct3jc1g is gone", " is gone"},
		"quoted keyword form": {"host=db password = 'hunter2 and more' dbname=x", "dbname=x"},
	} {
		for place, write := range map[string]func(*slog.Logger){
			"message":  func(l *slog.Logger) { l.Info(c.text) },
			"text":     func(l *slog.Logger) { l.Info("m", "cause", c.text) },
			"error":    func(l *slog.Logger) { l.Info("m", "error", fmt.Errorf("wrapped: %w", errors.New(c.text))) },
			"stringer": func(l *slog.Logger) { l.Info("m", "panic", &texter{c.text}) },
			"list":     func(l *slog.Logger) { l.Info("m", "error", []string{c.text}) },
		} {
			text, _ := logged(t, write)
			for _, secret := range []string{"hunter2", "0123456789abcdef", "84sn02q", "eyJzdWIi", "Xmw", "dana.k", "דואר",
				"64s36d1n6"} {
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
		l.Info("m", "cause", holder{private}, "error", []byte(private), "panic", map[string]any{"a": private}, "stack",
			missing, "warning", nil, "host", netip.MustParseAddr("127.0.0.1"), "issuer", address,
			"what", strings.Repeat("א", 20_000), "took", 3*time.Millisecond)
	})
	if strings.Contains(text, "milk") || strings.Contains(text, "hunter2") || len(text) > 20_000 {
		t.Errorf("got %.400s", text)
	}
	if line["cause"] != "(telemetry_test.holder)" || line["error"] != "([]uint8)" ||
		line["stack"] != "(*telemetry_test.texter)" || line["warning"] != nil || line["host"] != "127.0.0.1" ||
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
