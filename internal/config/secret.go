package config

import "log/slog"

// Secret is a text that no log line, error or dump may show. The zero value is "not set".
type Secret struct{ text string }

// hidden stands for a secret wherever one would be printed.
const hidden = "[secret]"

// NewSecret wraps a text.
func NewSecret(text string) Secret { return Secret{text: text} }

// Reveal gives the text itself; whoever calls it answers for it.
func (s Secret) Reveal() string { return s.text }

// IsSet tells whether there is a secret.
func (s Secret) IsSet() bool { return s.text != "" }

// String gives a stand-in, also to fmt's %v and %s.
func (s Secret) String() string {
	if !s.IsSet() {
		return ""
	}
	return hidden
}

// GoString gives the stand-in to fmt's %#v.
func (s Secret) GoString() string { return s.String() }

// LogValue gives the stand-in to slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText gives the stand-in to JSON and other encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
