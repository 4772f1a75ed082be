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
//	client library → Endpoint (breaker, attempts, judgement) → Base → answer, or wait and again
//
// Endpoint knows neither embeddings (Client) nor answers (Chat); whatever else is asked of the same endpoint goes
// through it too.
package openai
