// Package openai asks an endpoint that speaks OpenAI's API: OpenAI itself, or a server of one's own that offers the
// same.
//
// It promises that a call never outlives its context; that nothing but the API's own address is asked, and over TLS
// unless the operator said otherwise; that neither the key nor a text, in either direction, reaches a log line or an
// error; that a vector which leaves it belongs to the text at its place, has the length that was expected and a
// direction; that an answer in a form is one whole JSON object, and one that was cut off or refused is an error; and
// that waiting and memory are bounded for any answer.
//
// A call goes this way:
//
//	Client or Chat → post → remote.Caller (breaker, attempts, backoff) → refusal (judgement) → answer, or again
package openai
