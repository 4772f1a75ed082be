// Package exa speaks with Exa: its Websets API, its research, and its search.
//
// It promises that a user sees of an account only what is theirs (see Account), that paths are made of nothing but
// sound ids, that answers keep values which are newer than this program, that what is written is never written twice,
// that waiting and memory are bounded for any answer, and that errors are fit for clients (*model.Error). A key goes to
// the API's own address and nowhere else; keys and secrets are in no log and no message.
//
// A call goes this way:
//
//	Account's method (whose is it?) → remote.Caller (budget, breaker, attempts, backoff) → judge → answer, or again
//
// Connector finds the account that serves a user. The remote is described at https://docs.exa.ai/websets/api/overview.
package exa
