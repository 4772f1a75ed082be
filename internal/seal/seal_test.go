package seal

import (
	"bytes"
	"errors"
	"testing"

	"almanac/graph/model"
)

var (
	oldKey = bytes.Repeat([]byte{1}, 32)
	newKey = bytes.Repeat([]byte{2}, 32)
	alice  = model.UserIDOf("alice")
	bob    = model.UserIDOf("bob")
)

func sealer(t *testing.T, keys ...[]byte) *Sealer {
	t.Helper()
	s, err := New(keys...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOpensOnlyForPurposeUserAndKey(t *testing.T) {
	text := sealer(t, oldKey).Seal("tasks", alice, []byte("payload"))
	if got, err := sealer(t, newKey, oldKey).Open("tasks", alice, text); err != nil || string(got) != "payload" {
		t.Fatalf("after rotation: %q, %v", got, err)
	}
	for name, open := range map[string]func() ([]byte, error){
		"other user":    func() ([]byte, error) { return sealer(t, oldKey).Open("tasks", bob, text) },
		"other purpose": func() ([]byte, error) { return sealer(t, oldKey).Open("task", alice, text) },
		"other key":     func() ([]byte, error) { return sealer(t, newKey).Open("tasks", alice, text) },
		"longer":        func() ([]byte, error) { return sealer(t, oldKey).Open("tasks", alice, text+"A") },
		"empty":         func() ([]byte, error) { return sealer(t, oldKey).Open("tasks", alice, "") },
	} {
		if _, err := open(); !errors.Is(err, ErrBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEveryAlteredCharacterBreaksIt(t *testing.T) {
	s := sealer(t, oldKey)
	text := s.Seal("tasks", alice, []byte("payload"))
	for i := range text {
		altered := []byte(text)
		altered[i] ^= 1
		if _, err := s.Open("tasks", alice, string(altered)); err == nil {
			t.Errorf("character %d altered, and it opens", i)
		}
	}
}

func TestWeakKeysAreRefused(t *testing.T) {
	if _, err := New(); err == nil {
		t.Error("no key was accepted")
	}
	if _, err := New([]byte("short")); err == nil {
		t.Error("a short key was accepted")
	}
}

func FuzzOpen(f *testing.F) {
	s, err := New(oldKey)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(s.Seal("tasks", alice, []byte("payload")))
	f.Fuzz(func(t *testing.T, text string) {
		if payload, err := s.Open("tasks", alice, text); err == nil && s.Seal("tasks", alice, payload) != text {
			t.Errorf("%q opens but is not what Seal gives", text)
		}
	})
}
