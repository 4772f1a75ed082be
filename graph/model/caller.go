package model

import (
	"slices"
	"strings"
	"time"
)

// Scope is what a caller's token allows: the reading or the writing of one domain, an effect on other people, or a
// bundle of those.
type Scope string

// The bundles: READ is the reading of every domain, WRITE the writing, SEND the effects on other people.
const (
	ScopeRead  Scope = "READ"
	ScopeWrite Scope = "WRITE"
	ScopeSend  Scope = "SEND"
)

// The scopes of domains. TASKS has lists too, ACCOUNT linked accounts, settings and API tokens. MAIL_SEND sends e-mail,
// and CALENDAR_INVITE tells guests of events by e-mail; both need the writing of their domain beside.
const (
	ScopeTasksRead      Scope = "TASKS_READ"
	ScopeTasksWrite     Scope = "TASKS_WRITE"
	ScopeCalendarRead   Scope = "CALENDAR_READ"
	ScopeCalendarWrite  Scope = "CALENDAR_WRITE"
	ScopeMailRead       Scope = "MAIL_READ"
	ScopeMailWrite      Scope = "MAIL_WRITE"
	ScopeMemoriesRead   Scope = "MEMORIES_READ"
	ScopeMemoriesWrite  Scope = "MEMORIES_WRITE"
	ScopeKnowledgeRead  Scope = "KNOWLEDGE_READ"
	ScopeKnowledgeWrite Scope = "KNOWLEDGE_WRITE"
	ScopeWebsetsRead    Scope = "WEBSETS_READ"
	ScopeWebsetsWrite   Scope = "WEBSETS_WRITE"
	ScopeAccountRead    Scope = "ACCOUNT_READ"
	ScopeAccountWrite   Scope = "ACCOUNT_WRITE"
	ScopeMailSend       Scope = "MAIL_SEND"
	ScopeCalendarInvite Scope = "CALENDAR_INVITE"
)

// scopeBits are the scopes that are no bundles; the place of one is its bit. Of a domain the writing follows the
// reading.
var scopeBits = [...]Scope{
	ScopeTasksRead, ScopeTasksWrite, ScopeCalendarRead, ScopeCalendarWrite, ScopeMailRead, ScopeMailWrite,
	ScopeMemoriesRead, ScopeMemoriesWrite, ScopeKnowledgeRead, ScopeKnowledgeWrite, ScopeWebsetsRead,
	ScopeWebsetsWrite, ScopeAccountRead, ScopeAccountWrite, ScopeMailSend, ScopeCalendarInvite,
}

// Scopes returns every scope: the bundles, and those of domains.
func Scopes() []Scope { return append([]Scope{ScopeRead, ScopeWrite, ScopeSend}, scopeBits[:]...) }

// ScopeSet is a set of scopes; a bundle in it is all that it bundles.
type ScopeSet uint32

// The bundles as sets.
const (
	reads  ScopeSet = 1<<0 | 1<<2 | 1<<4 | 1<<6 | 1<<8 | 1<<10 | 1<<12
	writes ScopeSet = reads << 1
	sends  ScopeSet = 1<<14 | 1<<15
)

// ScopeSetOf returns a set. What is no scope is not in it.
func ScopeSetOf(scopes ...Scope) (set ScopeSet) {
	for _, scope := range scopes {
		switch scope {
		case ScopeRead:
			set |= reads
		case ScopeWrite:
			set |= writes
		case ScopeSend:
			set |= sends
		default:
			if bit := slices.Index(scopeBits[:], scope); bit >= 0 {
				set |= 1 << bit
			}
		}
	}
	return set
}

// Has reports whether all of other is in the set.
func (s ScopeSet) Has(other ScopeSet) bool { return s&other == other }

// Reads reports whether the set has any reading, Writes whether it has any writing.
func (s ScopeSet) Reads() bool { return s&reads != 0 }

// Writes reports whether the set has any writing.
func (s ScopeSet) Writes() bool { return s&writes != 0 }

// ReadingWhatItWrites returns the set as it counts for the answer of a mutation: what may be written may be read in the
// answer.
func (s ScopeSet) ReadingWhatItWrites() ScopeSet { return s | s&writes>>1 }

// String names the scopes of the set, a bundle by its name, with spaces between.
func (s ScopeSet) String() string {
	var names []string
	for _, bundle := range []Scope{ScopeRead, ScopeWrite, ScopeSend} {
		if of := ScopeSetOf(bundle); s.Has(of) {
			names, s = append(names, string(bundle)), s&^of
		}
	}
	for bit, scope := range scopeBits {
		if s&(1<<bit) != 0 {
			names = append(names, string(scope))
		}
	}
	return strings.Join(names, " ")
}

// Caller is who a request comes from, as proved by its token and by nothing else.
type Caller struct {
	UserID UserID
	// Subject is the name the token's issuer uses: the JWT's sub, the API token's user, or "local".
	Subject string
	Email   string
	Scopes  []Scope
	// Token is the name of the API token that proved it; empty for other proofs.
	Token string
	// Recipients are whom the token may send e-mail to; empty: anybody. See APIToken.
	Recipients []string
	// PaidPerHour is what the token may spend, and TokenID which token it is: zero for other proofs.
	PaidPerHour PaidPerHour
	TokenID     UUID
	// ExpiresAt is when the proof ends; zero means it does not end by itself.
	ExpiresAt time.Time
}

// May reports whether the caller's token carries the scope, or all that it bundles.
func (c Caller) May(s Scope) bool {
	if slices.Contains(c.Scopes, s) {
		return true
	}
	asked := ScopeSetOf(s)
	return asked != 0 && ScopeSetOf(c.Scopes...).Has(asked)
}
