package app

import (
	"bytes"
	"encoding/base64"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"
	api "google.golang.org/api/gmail/v1"
	"google.golang.org/api/option"
	"zombiezen.com/go/sqlite/sqlitex"

	"almanac/internal/clock"
	"almanac/internal/config"
)

// standInIn opens the stand-in of a folder, with a client of its mailbox.
func standInIn(t *testing.T, folder string) (*standIn, *api.UsersService) {
	t.Helper()
	base, err := url.Parse("http://localhost:8080")
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(Options{
		Settings: config.Config{DataDir: folder, TimeZone: "Asia/Jerusalem", Locale: "he"},
		Log:      slog.New(slog.DiscardHandler), Base: base,
	}, clock.Fixed(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)))
	s, err := server.newStandIn()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Close(t.Context()) }) // once more where a test has closed it
	token, err := s.demo().Grant(t.Context(), []string{api.MailGoogleComScope})
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &oauth2.Transport{
		Source: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: token.Access}), Base: s}}
	service, err := api.NewService(t.Context(), option.WithHTTPClient(client))
	if err != nil {
		t.Fatal(err)
	}
	return s, service.Users
}

// TestStandInKeepsMail: what was sent is there for another process on the same folder, and after a restart.
func TestStandInKeepsMail(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	_, first := standInIn(t, folder)
	_, second := standInIn(t, folder)
	raw := base64.URLEncoding.EncodeToString([]byte("To: " + standInAccount + "\r\nSubject: kept\r\n\r\nhello"))
	sent, err := first.Messages.Send("me", &api.Message{Raw: raw}).Do()
	if err != nil {
		t.Fatal(err)
	}
	_, third := standInIn(t, folder)
	for name, users := range map[string]*api.UsersService{"the other process": second, "after a restart": third} {
		if found, err := users.Messages.List("me").Q("subject:kept").Do(); err != nil || len(found.Messages) != 1 ||
			found.Messages[0].Id != sent.Id {
			t.Errorf("%s: %+v %v", name, found, err)
		}
	}
}

// TestStandInOfBeforeThereWasMail: a file that knows no mail gets an empty mailbox.
func TestStandInOfBeforeThereWasMail(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	old, _ := standInIn(t, folder)
	var state bytes.Buffer
	if err := old.front.Snapshot(&state); err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(state.String(), `,"gmail":`)
	if !found {
		t.Fatal("there is no mail in a snapshot")
	}
	err := sqlitex.Execute(old.file.conn, `UPDATE standin SET version = version + 1, state = ?`,
		&sqlitex.ExecOptions{Args: []any{[]byte(before + "}}")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := old.file.Close(); err != nil {
		t.Fatal(err)
	}
	_, users := standInIn(t, folder)
	if profile, err := users.GetProfile("me").Do(); err != nil || profile.EmailAddress != standInAccount ||
		profile.MessagesTotal != 0 {
		t.Errorf("%+v %v", profile, err)
	}
	if aside, err := filepath.Glob(filepath.Join(folder, "*.broken*")); err != nil || len(aside) > 0 {
		t.Errorf("the file was put aside as %v (%v)", aside, err)
	}
}
