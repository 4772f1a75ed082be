package rows

import (
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// UsedSpan is how precisely it is known when a message of the cache was last used: reading one does not write every
// time.
const UsedSpan = time.Hour

// Mail returns a message's labels as they are kept, and refuses texts that cannot be.
func Mail(mail store.CachedMail) (labels string, err error) {
	if labels, err = Words(mail.Labels); err != nil {
		return "", err
	}
	return labels, Text(mail.ID)
}

// ForgetAt is from when on nobody needs to know of an e-mail of the outbox any more.
func ForgetAt(mail model.OutgoingEmail) time.Time {
	if mail.SentAt.After(mail.ExpiresAt) {
		return mail.SentAt.Add(model.KeepOutgoing)
	}
	return mail.ExpiresAt.Add(model.KeepOutgoing)
}

// States returns states as texts.
func States(states []model.OutboxState) []string {
	texts := make([]string, len(states))
	for i, state := range states {
		texts[i] = string(state)
	}
	return texts
}
