package auth

import (
	"slices"
	"strings"

	"almanac/graph/model"
)

// AllScopes are all rights, as bundles.
func AllScopes() []model.Scope {
	return []model.Scope{model.ScopeRead, model.ScopeWrite, model.ScopeSend}
}

// ParseScopes reads a list of scopes, separated by commas or spaces, in any case: "read,tasks_write". They come out
// once each, in the order of model.Scopes. BAD_USER_INPUT for anything else, and for an empty list.
func ParseScopes(text string) ([]model.Scope, error) {
	var given []model.Scope
	for name := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		given = append(given, model.Scope(strings.ToUpper(name)))
	}
	return normaliseScopes(given)
}

// normaliseScopes orders scopes as model.Scopes does and drops repetitions.
func normaliseScopes(given []model.Scope) ([]model.Scope, error) {
	all := model.Scopes()
	for _, scope := range given {
		if !slices.Contains(all, scope) {
			return nil, model.BadInput("scopes",
				"%q is not a scope; allowed are READ, WRITE, SEND, and those of domains, such as TASKS_READ",
				clip(string(scope)))
		}
	}
	ordered := slices.DeleteFunc(all, func(s model.Scope) bool { return !slices.Contains(given, s) })
	if len(ordered) == 0 {
		return nil, model.BadInput("scopes", "a token needs at least one scope, such as READ, WRITE and SEND")
	}
	return ordered, nil
}

// clip shortens what the caller wrote.
func clip(text string) string {
	const most = 40
	runes := []rune(strings.ToValidUTF8(text, "\uFFFD"))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}

// claimedScopes turns what a JWT says about scopes into ours. names is nil when it says nothing.
//
//   - Nothing said, or only scopes that OpenID Connect itself defines: READ and WRITE. A login is meant to use the
//     assistant; sending mail is always asked for by name.
//   - Otherwise exactly those that are named (read, tasks_read, in any case, also as "almanac:read" or
//     "almanac.read"). None of ours named is no scope: the token was made for something else.
func claimedScopes(names []string) []model.Scope {
	var ours []model.Scope
	onlyOIDC := true
	for _, name := range names {
		switch name {
		case "openid", "profile", "email", "address", "phone", "offline_access":
			continue
		}
		onlyOIDC = false
		bare := strings.ToUpper(name)
		for _, prefix := range []string{"ALMANAC:", "ALMANAC."} {
			bare = strings.TrimPrefix(bare, prefix)
		}
		ours = append(ours, model.Scope(bare))
	}
	if names == nil || (onlyOIDC && len(names) > 0) {
		return []model.Scope{model.ScopeRead, model.ScopeWrite}
	}
	return slices.DeleteFunc(model.Scopes(), func(s model.Scope) bool { return !slices.Contains(ours, s) })
}
