// Package sse streams answers over plain HTTP: as server-sent events in the distinct connections mode of graphql-sse,
// which a browser's EventSource can read, and as Apollo's multipart subscriptions.
//
// It promises that a stream in either form can be read to its end by its own clients, that a client which was cut off
// can resume where it was, and that a stream's memory is bounded however slowly it is read.
//
// # Which form
//
// The Accept header decides: text/event-stream, or multipart/mixed with subscriptionSpec. Queries, mutations and
// subscriptions all run, by POST; by GET queries and subscriptions, as EventSource knows nothing else. A mutation by
// GET is 405.
//
// # Errors
//
// What is wrong with the HTTP request (method, media type, size, JSON, missing query) is an ordinary answer with its
// status and a JSON body. What the engine refuses is streamed: 200, one answer with "errors" and without "data", and
// the end. PROTOCOL.md of graphql-sse demands it, since EventSource shows its page nothing of a failed response.
//
// # Resuming
//
// An answer whose extensions hold a "cursor", a string, becomes an event with that id. EventSource sends the last one
// back as Last-Event-ID when it reconnects, and it reaches the engine as the request's extension "lastEventId".
//
// # The end
//
// "complete" means that the operation is over. A stream that ends for another reason, as when the server drains or
// the caller's proof ends, ends without it, so that clients come back; a multipart stream says why in its last part.
// A token is looked at again at every keep-alive, and an API token before every answer of a subscription.
// A mutation that runs is not stopped by its client's going away. Idempotency-Key is refused for mutations here: the
// stored answer of a key belongs to plain requests.
//
// The single connection mode of graphql-sse is not offered.
package sse
