// Package google is what every adapter of a Google API shares: tokens, the transport, repeats, the breaker, and what
// Google's errors mean.
//
// It promises that a call never outlives its context; that a write which may already have taken effect is repeated only
// when its caller said that this does no harm; that a token is renewed once however many calls wait for it; that a
// grant Google has ended is not used again; that a bearer token goes to Google's hosts only; and that no token, code,
// body, or address with somebody's name in it reaches a log line or an error message. Waiting and memory are bounded
// for any answer.
//
// A call goes this way:
//
//	client library → HTTP(ctx, account) → remote.Caller (token, slot, breaker, attempts) → judge → answer, or again
//
// Adapters hand every error of a client to Classify before it leaves them.
package google
