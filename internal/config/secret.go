package config

import "log/slog"

// Secret is a text that no log record, error or dump shows. The zero value is "not set".
type Secret struct{ text string }

// hidden is printed in place of a secret.
const hidden = "[secret]"

// NewSecret wraps a text.
func NewSecret(text string) Secret { return Secret{text: text} }

// Reveal returns the text itself.
func (s Secret) Reveal() string { return s.text }

// IsSet reports whether there is a secret.
func (s Secret) IsSet() bool { return s.text != "" }

// String returns a placeholder, also for fmt's %v and %s.
func (s Secret) String() string {
	if !s.IsSet() {
		return ""
	}
	return hidden
}

// GoString returns the placeholder for fmt's %#v.
func (s Secret) GoString() string { return s.String() }

// LogValue returns the placeholder for slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText returns the placeholder for JSON and other encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
