// Package mail reads e-mails and makes them: addresses, bodies, attachments, queries, messages.
//
// It promises that nothing a sender wrote makes it crash, hang or grow beyond a small multiple of its input; that what
// it returns as HTML neither acts nor loads anything; that what people do not see of a message's HTML is not in its
// text either; that what was quoted or signed can be left out without losing a word that the author wrote between it;
// and that a message it makes holds exactly what it was made of.
package mail

import (
	"mime"

	"almanac/graph/model"
)

// Shown is what a preview shows of a message. It is kept as JSON.
type Shown struct {
	From        model.EmailAddress   `json:"from"`
	To, Cc, Bcc []model.EmailAddress `json:",omitempty"`
	Subject     string               `json:"subject"`
	Body        string               `json:"body"`
	HTML        string               `json:"html,omitempty"`
	InReplyTo   string               `json:"inReplyTo,omitempty"`
	References  []string             `json:"references,omitempty"`
}

// Plain decodes the encoded words of a header's value (RFC 2047), as people read it. What cannot be decoded stays as it
// is.
func Plain(value string) string {
	decoder := mime.WordDecoder{CharsetReader: charsetReader}
	if plain, err := decoder.DecodeHeader(value); err == nil {
		return plain
	}
	return value
}
