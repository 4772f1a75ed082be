// Package answer writes GraphQL answers as the streaming transports frame them.
//
// It promises that an answer is one line of valid UTF-8 JSON, that a request error has no "data" key (GraphQL over
// HTTP, section "Body"), and that an error which is not for the client becomes INTERNAL with a trace id and nothing
// else.
package answer
