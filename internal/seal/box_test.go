package seal

import (
	"bytes"
	"errors"
	"testing"

	"almanac/graph/model"
)

var home = Place{User: alice, Row: model.UUID{1}, Column: "refresh"}

func box(t testing.TB, keys ...[]byte) *Box {
	t.Helper()
	b, err := NewBox(keys...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBoxRoundTrip(t *testing.T) {
	b := box(t, oldKey)
	for _, secret := range [][]byte{nil, []byte("x"), []byte("1//0g-refresh"), []byte("סוד"),
		bytes.Repeat([]byte{0}, 4096)} {
		sealed := b.Seal(home, secret)
		if len(sealed) != len(secret)+boxOverhead {
			t.Errorf("%d bytes became %d", len(secret), len(sealed))
		}
		got, err := b.Open(home, sealed)
		if err != nil || !bytes.Equal(got, secret) {
			t.Errorf("%q came back as %q, %v", secret, got, err)
		}
		if len(secret) > 4 && bytes.Contains(sealed, secret) {
			t.Errorf("%q can be read in its ciphertext", secret)
		}
		if bytes.Equal(sealed, b.Seal(home, secret)) {
			t.Error("two ciphertexts of one secret are alike, so a nonce was used twice")
		}
		text := b.SealText(home, secret)
		if got, err = b.OpenText(home, text); err != nil || !bytes.Equal(got, secret) {
			t.Errorf("as a text, %q came back as %q, %v", secret, got, err)
		}
	}
}

func TestBoxOpensOnlyInItsPlace(t *testing.T) {
	b := box(t, oldKey)
	sealed := b.Seal(home, []byte("secret"))
	for name, at := range map[string]Place{
		"another user":       {User: bob, Row: home.Row, Column: home.Column},
		"another row":        {User: alice, Row: model.UUID{2}, Column: home.Column},
		"another column":     {User: alice, Row: home.Row, Column: "access"},
		"a longer column":    {User: alice, Row: home.Row, Column: "refresh2"},
		"no place":           {},
		"user and row swaps": {User: model.UserID(home.Row), Row: model.UUID(alice), Column: home.Column},
	} {
		if got, err := b.Open(at, sealed); !errors.Is(err, ErrBroken) || got != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

// An altered byte, wherever it is, never opens: in the prefix it names no key or no version, elsewhere the tag is
// wrong.
func TestBoxTamper(t *testing.T) {
	b := box(t, oldKey)
	sealed := b.Seal(home, []byte("secret"))
	for i := range sealed {
		for bit := range 8 {
			altered := bytes.Clone(sealed)
			altered[i] ^= 1 << bit
			got, err := b.Open(home, altered)
			want := ErrBroken
			if i > 0 && i < boxPrefix {
				want = ErrNoKey
			}
			if !errors.Is(err, want) || got != nil {
				t.Fatalf("byte %d, bit %d altered: %q, %v; want %v", i, bit, got, err, want)
			}
		}
	}
	for cut := range sealed {
		if _, err := b.Open(home, sealed[:cut]); err == nil {
			t.Errorf("cut to %d bytes it opens", cut)
		}
	}
	if _, err := b.Open(home, append(bytes.Clone(sealed), 0)); !errors.Is(err, ErrBroken) {
		t.Errorf("with a byte more: %v", err)
	}
}

// A ciphertext that claims another of the box's keys is broken: the key's id is bound too.
func TestBoxKeyIDIsBound(t *testing.T) {
	b := box(t, newKey, oldKey)
	sealed := box(t, oldKey).Seal(home, []byte("secret"))
	copy(sealed[1:boxPrefix], b.keys[0].id[:])
	if _, err := b.Open(home, sealed); !errors.Is(err, ErrBroken) {
		t.Errorf("got %v", err)
	}
}

func TestBoxRotation(t *testing.T) {
	before, during, after := box(t, oldKey), box(t, newKey, oldKey), box(t, newKey)
	sealed := before.Seal(home, []byte("secret"))
	if before.Stale(sealed) || !during.Stale(sealed) || !after.Stale(sealed) || !during.Stale(nil) {
		t.Error("the wrong ciphertexts are stale")
	}
	if got, err := during.Open(home, sealed); err != nil || string(got) != "secret" {
		t.Errorf("with both keys: %q, %v", got, err)
	}
	if _, err := after.Open(home, sealed); !errors.Is(err, ErrNoKey) {
		t.Errorf("without the old key: %v", err)
	}
	if _, err := after.Reseal(home, sealed); !errors.Is(err, ErrNoKey) {
		t.Errorf("sealed anew without the old key: %v", err)
	}
	fresh, err := during.Reseal(home, sealed)
	if err != nil || during.Stale(fresh) {
		t.Fatalf("sealed anew: %v", err)
	}
	if got, err := after.Open(home, fresh); err != nil || string(got) != "secret" {
		t.Errorf("sealed anew, without the old key: %q, %v", got, err)
	}
	if again, err := during.Reseal(home, fresh); err != nil || !bytes.Equal(again, fresh) {
		t.Errorf("what is fresh was sealed anew: %v", err)
	}
}

// The secret signs cursors too; neither use may stand in for the other.
func TestBoxKeysAreDerived(t *testing.T) {
	b := box(t, oldKey)
	if bytes.Contains(b.Seal(home, nil), oldKey[:keyIDSize]) {
		t.Error("the key's id shows the secret")
	}
	text := sealer(t, oldKey).Seal("refresh", alice, []byte("secret, and long enough to hold nonce and tag"))
	if _, err := b.OpenText(home, text); err == nil {
		t.Error("a sealed text opens as a ciphertext")
	}
}

func TestBoxRefusesWeakKeys(t *testing.T) {
	if _, err := NewBox(); err == nil {
		t.Error("no key was accepted")
	}
	if _, err := NewBox(oldKey, []byte("short")); err == nil {
		t.Error("a short key was accepted")
	}
}

func FuzzBoxOpen(f *testing.F) {
	b := box(f, newKey, oldKey)
	sealed := b.Seal(home, []byte("secret"))
	f.Add([]byte(nil))
	f.Add(sealed)
	f.Add(sealed[:boxOverhead-1])
	f.Add(append([]byte{boxVersion}, bytes.Repeat([]byte{0}, 60)...))
	f.Add(box(f, oldKey).Seal(home, nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		secret, err := b.Open(home, data)
		if err != nil {
			if secret != nil || (!errors.Is(err, ErrBroken) && !errors.Is(err, ErrNoKey)) {
				t.Errorf("%q, %v", secret, err)
			}
			return
		}
		// Only what was sealed here opens, and what the corpus was made of is known.
		if s := string(secret); s != "secret" && s != "" {
			t.Errorf("a forged ciphertext opens as %q", secret)
		}
		if again, err := b.Open(home, b.Seal(home, secret)); err != nil || !bytes.Equal(again, secret) {
			t.Errorf("%q does not survive being sealed again: %v", secret, err)
		}
	})
}
