package edge_test

import (
	"context"
	"errors"
	"fmt"
	"net/http/httptest"
	"testing"

	"almanac/graph/model"
	"almanac/internal/httpapi/edge"
)

func TestBearer(t *testing.T) {
	for _, c := range []struct {
		value, token string
		ok           bool
	}{
		{"", "", true},
		{"Bearer abc", "abc", true},
		{"bearer abc", "abc", true},
		{"Bearer   a-b._~+/9==", "a-b._~+/9==", true},
		{"Bearer", "", false},
		{"Bearer ", "", false},
		{"Bearer ==", "", false},
		{"Bearer a b", "", false},
		{"Bearer a=b", "", false},
		{"Bearer a,b", "", false},
		{"Bearer א", "", false},
		{"Basic abc", "", false},
		{"abc", "", false},
	} {
		if token, ok := edge.Bearer(c.value); token != c.token || ok != c.ok {
			t.Errorf("%q: got %q, %v", c.value, token, ok)
		}
	}
}

func TestHintsFrom(t *testing.T) {
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("X-Time-Zone", "Asia/Jerusalem")
	r.Header.Add("Accept-Language", "he")
	r.Header.Add("Accept-Language", "en;q=0.5")
	r = r.WithContext(edge.WithRequestID(r.Context(), "req-1"))
	want := edge.Hints{TimeZone: "Asia/Jerusalem", AcceptLanguage: "he, en;q=0.5", RequestID: "req-1",
		Address: "192.0.2.1"}
	if got := edge.HintsFrom(r); got != want {
		t.Fatalf("got %+v", got)
	}
	if id := edge.RequestID(context.Background()); id != "" {
		t.Fatalf("request id %q", id)
	}
}

func TestRefused(t *testing.T) {
	for err, want := range map[error]bool{
		model.Errorf(model.CodeUnauthenticated, "no"):                    true,
		fmt.Errorf("x: %w", model.Errorf(model.CodeForbidden, "no")):     true,
		model.Errorf(model.CodeUpstreamUnavailable, "the issuer sleeps"): false,
		errors.New("disk"): false,
	} {
		if edge.Refused(err) != want {
			t.Errorf("%v: got %v", err, !want)
		}
	}
	if edge.Refused(nil) {
		t.Error("nil is refused")
	}
}
