// Package emails answers the fields of e-mails: it reads mailboxes through the linked accounts, marks and labels, and
// sends what was previewed, once.
package emails

import "almanac/resolvers/core"

// Resolver answers the fields of e-mails.
type Resolver struct {
	*core.Base
	Mail Mail
}
