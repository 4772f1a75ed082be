package model

import (
	"encoding/hex"
	"math/big"
	"strings"
)

// Exa's ids are a short prefix and some 25 characters that carry 120 to 128 bits. A packed reference is one byte that
// says which prefixes and which alphabets, and the bits. Its first byte is 128 or more, which a reference of texts has
// only when it is longer than maxPacked.
const (
	packedMark = 0x80
	maxPacked  = 100
)

// packings are how an id without its prefix is packed, by number.
var packings = [...]struct {
	size   int // in bytes
	pack   func(string) (*big.Int, bool)
	unpack func(*big.Int) string
}{
	{16, packUUIDText, unpackUUIDText},
	{16, packULID, unpackULID},
	{16, packCUID, unpackCUID},
	{15, packDigits(base32Digits, 24), unpackDigits(base32Digits, 24)},
}

// prefixes are those of what a record stands in and of its own id, by number.
var prefixes = [8][2]string{
	{"", ""}, {"ws_", "wi_"}, {"ws_", "wss_"}, {"ws_", "we_"}, {"monitor_", "monitor_run_"}, {"webset_", "witem_"},
	{"webset_", "wenrich_"}, {"webset_", "item_"},
}

// pack returns the ids of a nested record as tightly as their content allows; false when they have another form.
func (r WebsetRef) pack() (string, bool) {
	if r.Within == "" {
		return "", false
	}
	for p, prefix := range prefixes {
		within, ok1 := strings.CutPrefix(r.Within, prefix[0])
		own, ok2 := strings.CutPrefix(r.ID, prefix[1])
		if !ok1 || !ok2 {
			continue
		}
		first, a, ok1 := packID(within)
		second, b, ok2 := packID(own)
		if ok1 && ok2 {
			return string([]byte{packedMark | byte(p<<4|first<<2|second)}) + a + b, true
		}
	}
	return "", false
}

func packID(text string) (packing int, packed string, ok bool) {
	for i, form := range packings {
		if n, ok := form.pack(text); ok {
			return i, string(n.FillBytes(make([]byte, form.size))), true
		}
	}
	return 0, "", false
}

// unpackWebset returns the reference of packed ids; false for one of texts.
func unpackWebset(kind Kind, packed string) (WebsetRef, bool) {
	if packed == "" || packed[0] < packedMark || len(packed) > maxPacked {
		return WebsetRef{}, false
	}
	prefix, first, second := prefixes[packed[0]>>4&7], packings[packed[0]>>2&3], packings[packed[0]&3]
	bits := packed[1:]
	if len(bits) != first.size+second.size {
		return WebsetRef{}, false
	}
	return WebsetRef{
		Kind: kind, Within: prefix[0] + first.unpack(new(big.Int).SetBytes([]byte(bits[:first.size]))),
		ID: prefix[1] + second.unpack(new(big.Int).SetBytes([]byte(bits[first.size:]))),
	}, true
}

// packDigits reads a text of so many digits of an alphabet as a number.
func packDigits(alphabet string, length int) func(string) (*big.Int, bool) {
	base := big.NewInt(int64(len(alphabet)))
	return func(text string) (*big.Int, bool) {
		n := new(big.Int)
		if len(text) != length {
			return nil, false
		}
		for i := range len(text) {
			digit := strings.IndexByte(alphabet, text[i])
			if digit < 0 {
				return nil, false
			}
			n.Mul(n, base).Add(n, big.NewInt(int64(digit)))
		}
		return n, true
	}
}

func unpackDigits(alphabet string, length int) func(*big.Int) string {
	base := big.NewInt(int64(len(alphabet)))
	return func(n *big.Int) string {
		text, digit := make([]byte, length), new(big.Int)
		for i := length - 1; i >= 0; i-- {
			n, digit = new(big.Int).DivMod(n, base, digit)
			text[i] = alphabet[digit.Int64()]
		}
		return string(text)
	}
}

const (
	base36Digits    = "0123456789abcdefghijklmnopqrstuvwxyz"
	crockfordDigits = "0123456789abcdefghjkmnpqrstvwxyz"
)

// A ULID in lower case has 128 bits in 26 characters, so its first is at most 7.
func packULID(text string) (*big.Int, bool) {
	n, ok := packDigits(crockfordDigits, 26)(text)
	return n, ok && text[0] <= '7'
}

func unpackULID(n *big.Int) string { return unpackDigits(crockfordDigits, 26)(n) }

// A cuid is a "c" and 24 letters and digits.
func packCUID(text string) (*big.Int, bool) {
	rest, ok := strings.CutPrefix(text, "c")
	if !ok {
		return nil, false
	}
	return packDigits(base36Digits, 24)(rest)
}

func unpackCUID(n *big.Int) string { return "c" + unpackDigits(base36Digits, 24)(n) }

func packUUIDText(text string) (*big.Int, bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return nil, false
	}
	raw, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil || len(raw) != 16 || strings.ToLower(text) != text {
		return nil, false
	}
	return new(big.Int).SetBytes(raw), true
}

func unpackUUIDText(n *big.Int) string {
	text := hex.EncodeToString(n.FillBytes(make([]byte, 16)))
	return strings.Join([]string{text[:8], text[8:12], text[12:16], text[16:20], text[20:]}, "-")
}
