//go:build bench

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// dialect is what a server speaks.
type dialect int

// The dialects.
const (
	graphql dialect = iota
	rest
	// open is rest without a proof of the caller: the token's place is taken by the subject.
	open
)

// raw is the question as the bytes of an HTTP/1.1 request on a connection that is kept.
func (d dialect) raw(q question) ([]byte, error) {
	method, path, body, err := d.parts(q)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nAccept: application/json\r\n",
		method, path, d.token(q))
	if len(body) > 0 {
		b.WriteString("Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n")
	}
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes(), nil
}

func (d dialect) parts(q question) (method, path string, body []byte, err error) {
	if d == graphql {
		body, err = q.graphqlBody()
		return "POST", "/graphql", body, err
	}
	body, err = q.restBody()
	return q.method, q.path, body, err
}

func (d dialect) token(q question) string {
	if d == open {
		return q.asker.subject
	}
	return q.asker.token
}

// content returns what an answer says: of GraphQL the data, of the other the whole.
func (d dialect) content(status int, body []byte) (any, error) {
	if status != 200 {
		return nil, fmt.Errorf("status %d: %.300s", status, body)
	}
	var whole any
	if err := json.Unmarshal(body, &whole); err != nil {
		return nil, fmt.Errorf("an answer that is no JSON: %w", err)
	}
	if d != graphql {
		return whole, nil
	}
	answer, ok := whole.(map[string]any)
	if !ok || answer["errors"] != nil || answer["data"] == nil {
		return nil, fmt.Errorf("an answer with errors: %.300s", body)
	}
	return answer["data"], nil
}

// checker returns the check of a case's answers under load, which must cost little: the status, no errors, and the
// proof.
func checker(c benchCase) func(status int, body []byte) error {
	proof, failed := []byte(c.proof), []byte(`{"errors"`)
	return func(status int, body []byte) error {
		if status != 200 || bytes.HasPrefix(body, failed) || !bytes.Contains(body, proof) {
			return fmt.Errorf("a wrong answer, status %d: %.300s", status, body)
		}
		return nil
	}
}
