package exa

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"
)

// HeaderSignature is the header that signs what a webhook is told: "t=<unix seconds>,v1=<hex>", with several v1 while a
// secret is being replaced.
const HeaderSignature = "Exa-Signature"

// Tolerance is how far from now a signature's time may be, in the past and in the future.
const Tolerance = 5 * time.Minute

var (
	// ErrSignature says that a body was not signed with the secret, or that its header is none.
	ErrSignature = errors.New("exa: the signature is not of this secret and body")
	// ErrSignatureTime says that a body was signed, at a time that is too far away: somebody may be sending an old one
	// again.
	ErrSignatureTime = errors.New("exa: the signature is of another time")
)

const (
	// maxSignature bounds a header, in bytes, and maxSignatures how many of its signatures are looked at.
	maxSignature  = 4 << 10
	maxSignatures = 16
)

// Verify reports whether a body, byte for byte as it came, was signed with a secret at about this time: at most
// tolerance away on either side, to the second. One of the header's v1 must be the HMAC-SHA256 of "<t>.<body>" in
// hexadecimal; they are compared in constant time, and the time is judged only of what was signed, so that an answer
// tells strangers nothing. ErrSignature or ErrSignatureTime. An empty secret signs nothing. Source:
// https://docs.exa.ai/websets/api/webhooks/verifying-signatures.
func Verify(secret, header string, body []byte, now time.Time, tolerance time.Duration) error {
	stamp, given, ok := readSignature(header)
	if !ok || secret == "" {
		return ErrSignature
	}
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write([]byte(stamp))
	_, _ = mac.Write([]byte{'.'})
	_, _ = mac.Write(body)
	want := mac.Sum(nil)
	signed := false
	for _, signature := range given {
		if hmac.Equal(signature, want) {
			signed = true
		}
	}
	if !signed {
		return ErrSignature
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return ErrSignature
	}
	// In whole seconds, since a difference of times overflows for those that are very far away.
	most := int64(tolerance / time.Second)
	if at := now.Unix(); seconds < at-most || seconds > at+most {
		return ErrSignatureTime
	}
	return nil
}

// readSignature returns the time, in the digits that were signed, and the signatures. Other parts are of schemes to
// come; a part without a name, a second time, or a v1 that cannot be one makes the header none.
func readSignature(header string) (stamp string, signatures [][]byte, ok bool) {
	if len(header) > maxSignature {
		return "", nil, false
	}
	for part := range strings.SplitSeq(header, ",") {
		name, value, named := strings.Cut(strings.TrimSpace(part), "=")
		switch {
		case !named || name == "" || name == "t" && stamp != "":
			return "", nil, false
		case name == "t":
			if !isDigits(value) {
				return "", nil, false
			}
			stamp = value
		case name == "v1":
			signature, err := hex.DecodeString(value)
			if err != nil || len(signature) != sha256.Size || len(signatures) == maxSignatures {
				return "", nil, false
			}
			signatures = append(signatures, signature)
		}
	}
	return stamp, signatures, stamp != "" && len(signatures) > 0
}

// isDigits reports whether a text is a number of seconds: 1–15 digits.
func isDigits(text string) bool {
	const most = 15
	if text == "" || len(text) > most {
		return false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}
