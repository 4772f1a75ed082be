package app

import (
	"log/slog"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"almanac/adapters/store/sqlite"
	"almanac/internal/clock"
	"almanac/internal/config"
	"almanac/internal/teststore"
)

// What the tests of running processes need of this package.
const (
	DatabaseFile    = databaseFile
	OpenAIKey       = "sk-proj-a-key-of-this-test"
	StandInAccount  = standInAccount
	StandInFileName = standInFileName
	StandInPrefix   = standInPrefix
)

// AllScopes are the scopes that accounts are asked for without a setting.
func AllScopes() []string {
	return scopes(config.GoogleAccess{Calendar: config.AccessWrite, Mail: config.AccessWrite})
}

// bareServer is a server without any part, with metrics of its own. It is closed when the test ends.
func bareServer(t *testing.T, settings config.Config, now clock.Clock) (*Server, *prometheus.Registry) {
	t.Helper()
	registry := prometheus.NewRegistry()
	s := newServer(Options{Settings: settings, Log: slog.New(slog.DiscardHandler)}, now)
	s.metrics = metrics{Registerer: registry}
	t.Cleanup(func() {
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return s, registry
}

// storeOf is a fresh database.
func storeOf(t *testing.T) Store {
	t.Helper()
	opened, err := sqlite.Open(t.Context(), sqlite.Options{Path: teststore.SQLite(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = opened.Close() })
	if err := opened.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return opened
}
