// Package openai stands in for an endpoint that speaks OpenAI's API, in the process of a test: POST /v1/embeddings,
// POST /v1/chat/completions and nothing else.
//
// It promises that a request which OpenAI's published description refuses is refused here in OpenAI's form (the rules
// are data: embeddings.json and chat.json), the schema of a strict form included; that the same text has the same
// vector on every machine; that texts about the same things are near each other whatever words or which of the two
// languages they use, as long as meanings.json has the words; that a question has an answer which a test has written,
// or else what a small reader finds in plain sentences of both languages, always the same; and that whatever can go
// wrong on the way can be made to go wrong on demand. It keeps every request for the test to look at, and so it is for
// tests alone.
package openai
