package gmail

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
)

// sealToken makes a page's token of where the page begins. It belongs to the account, the method and the parameters.
func (r *request) sealToken(content []byte) string {
	return base64.RawURLEncoding.EncodeToString(append(r.tokenDigest(content), content...))
}

// openToken returns what a token was made of; ok is false for one that is of another list, or none.
func (r *request) openToken(token string) (content []byte, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) < digestSize {
		return nil, false
	}
	content = raw[digestSize:]
	return content, bytes.Equal(raw[:digestSize], r.tokenDigest(content))
}

func (r *request) tokenDigest(content []byte) []byte {
	key := scramble("page", r.state.Seed, 0)
	h := sha256.New()
	for _, text := range []string{string(key[:]), r.box.Email, r.call.Method} {
		h.Write([]byte(text + "\x00"))
	}
	for _, name := range []string{"q", "labelIds", "includeSpamTrash", "startHistoryId", "labelId", "historyTypes"} {
		h.Write([]byte(name + "\x00"))
		for _, value := range r.call.Query[name] {
			h.Write([]byte(value + "\x00"))
		}
	}
	h.Write(content)
	return h.Sum(nil)[:digestSize]
}
