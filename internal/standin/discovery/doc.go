// Package discovery holds Google's own descriptions of the Calendar and the Gmail API, as data and as judge.
//
// It promises that what it finds no fault with is in the form that Google publishes: a request's route, parameters and
// body, a response's body, the scopes a token needs and the names of a field mask. It knows forms only. What a value
// means, what is unique, ordered or forbidden together, stands in no discovery document and is not judged here.
//
// The data is a pinned copy without the prose, made from the module that the real client comes from, so that the judge
// and the client are of one revision.
package discovery

//go:generate go run ./gen
