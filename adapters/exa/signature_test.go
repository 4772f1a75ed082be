package exa_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"almanac/adapters/exa"
	standin "almanac/internal/standin/exa"
)

// sign is the signature as the remote describes it, written here a second time.
func sign(secret, stamp, body string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(stamp + "." + body))
	return hex.EncodeToString(mac.Sum(nil))
}

func TestVerify(t *testing.T) {
	t.Parallel()
	const secret, body = "whsec_a", `{"id":"event_1"}`
	stamp := func(d time.Duration) string { return fmt.Sprint(noon.Add(d).Unix()) }
	good := func(d time.Duration) string { return "t=" + stamp(d) + ",v1=" + sign(secret, stamp(d), body) }
	other := sign("whsec_b", stamp(0), body)
	for _, c := range []struct {
		name, header string
		want         error
	}{
		{"now", good(0), nil},
		{"five minutes ago", good(-5 * time.Minute), nil},
		{"in five minutes", good(5 * time.Minute), nil},
		{"a second too old", good(-5*time.Minute - time.Second), exa.ErrSignatureTime},
		{"a second too new", good(5*time.Minute + time.Second), exa.ErrSignatureTime},
		{"spaces", "t=" + stamp(0) + " , v1=" + sign(secret, stamp(0), body), nil},
		{"another order", "v1=" + sign(secret, stamp(0), body) + ",t=" + stamp(0), nil},
		{"the second of two", "t=" + stamp(0) + ",v1=" + other + ",v1=" + sign(secret, stamp(0), body), nil},
		{"another scheme beside it", good(0) + ",v2=zz,v0=", nil},
		{"upper case", "t=" + stamp(0) + ",v1=" + strings.ToUpper(sign(secret, stamp(0), body)), nil},
		{"another secret", "t=" + stamp(0) + ",v1=" + other, exa.ErrSignature},
		{"another body", "t=" + stamp(0) + ",v1=" + sign(secret, stamp(0), body+" "), exa.ErrSignature},
		{"another time", "t=" + stamp(time.Second) + ",v1=" + sign(secret, stamp(0), body), exa.ErrSignature},
		{"another secret, too old", "t=" + stamp(-time.Hour) + ",v1=" + sign("whsec_b", stamp(-time.Hour), body),
			exa.ErrSignature},
		{"no header", "", exa.ErrSignature},
		{"no time", "v1=" + sign(secret, "", body), exa.ErrSignature},
		{"no signature", "t=" + stamp(0), exa.ErrSignature},
		{"two times", "t=1,t=" + stamp(0) + ",v1=" + sign(secret, stamp(0), body), exa.ErrSignature},
		{"empty time", "t=,v1=" + sign(secret, "", body), exa.ErrSignature},
		{"negative time", "t=-1,v1=" + sign(secret, "-1", body), exa.ErrSignature},
		{"a time beyond numbers", "t=99999999999999999999,v1=" + sign(secret, "99999999999999999999", body),
			exa.ErrSignature},
		{"the end of times", "t=999999999999999,v1=" + sign(secret, "999999999999999", body), exa.ErrSignatureTime},
		{"year zero", "t=0,v1=" + sign(secret, "0", body), exa.ErrSignatureTime},
		{"half a signature", "t=" + stamp(0) + ",v1=" + sign(secret, stamp(0), body)[:62], exa.ErrSignature},
		{"not hexadecimal", "t=" + stamp(0) + ",v1=" + strings.Repeat("zz", 32), exa.ErrSignature},
		{"an empty part", good(0) + ",", exa.ErrSignature},
		{"a part without a name", good(0) + ",=x", exa.ErrSignature},
		{"another separator", strings.ReplaceAll(good(0), ",", ";"), exa.ErrSignature},
		{"a long header", good(0) + ",x=" + strings.Repeat("x", 5000), exa.ErrSignature},
		{"many signatures", good(0) + strings.Repeat(",v1="+other, 16), exa.ErrSignature},
		{"sixteen signatures", good(0) + strings.Repeat(",v1="+other, 15), nil},
	} {
		if err := exa.Verify(secret, c.header, []byte(body), noon, exa.Tolerance); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		if err := exa.Verify("", c.header, []byte(body), noon, exa.Tolerance); err == nil {
			t.Errorf("%s: an empty secret signs", c.name)
		}
	}
	empty := "t=" + stamp(0) + ",v1=" + sign("", stamp(0), body)
	if err := exa.Verify("", empty, []byte(body), noon, exa.Tolerance); !errors.Is(err, exa.ErrSignature) {
		t.Errorf("signed with nothing: %v", err)
	}
	if err := exa.Verify(secret, good(0), []byte(body), noon, 0); err != nil {
		t.Errorf("without tolerance: %v", err)
	}
	if err := exa.Verify(secret, standin.Sign(noon, []byte(body), "whsec_old", secret), []byte(body), noon,
		exa.Tolerance); err != nil {
		t.Errorf("as the stand-in signs: %v", err)
	}
}

// Whatever header comes, only who has the secret can have signed, and no header ends the process.
func FuzzVerify(f *testing.F) {
	const secret = "whsec_a"
	f.Add("t=1795348800,v1="+sign(secret, "1795348800", "x"), []byte("x"))
	f.Add("t=1795348800,v1=00,v1="+sign(secret, "1795348800", ""), []byte(""))
	f.Add("t=,v1=", []byte("x"))
	f.Add("t=1=2,v1==,,", []byte("\x00\xff"))
	f.Add(strings.Repeat("v1=", 99), []byte("x"))
	f.Fuzz(func(t *testing.T, header string, body []byte) {
		err := exa.Verify(secret, header, body, noon, exa.Tolerance)
		if err == nil {
			ok := false
			for part := range strings.SplitSeq(header, ",") {
				stamp, found := strings.CutPrefix(strings.TrimSpace(part), "t=")
				ok = ok || found && strings.Contains(strings.ToLower(header), sign(secret, stamp, string(body)))
			}
			if !ok {
				t.Errorf("%q signs %q", header, body)
			}
		} else if !errors.Is(err, exa.ErrSignature) && !errors.Is(err, exa.ErrSignatureTime) {
			t.Errorf("%v", err)
		}
		if exa.Verify("whsec_b", header, body, noon, exa.Tolerance) == nil {
			t.Errorf("%q signs with two secrets", header)
		}
	})
}
