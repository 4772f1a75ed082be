//go:build bench

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// listenByEvents opens an event stream as a browser's EventSource does: the document and its first cursor never change,
// the header Last-Event-ID does. Each answer's data goes to hear, until the connection or hear ends it.
func listenByEvents(ctx context.Context, address, token, document, begin, last string,
	hear func(data json.RawMessage) error) error {
	variables, err := json.Marshal(map[string]string{"after": begin})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	query := url.Values{"query": {document}, "variables": {string(variables)}}.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/graphql?"+query, http.NoBody)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Authorization", "Bearer "+token)
	if last != begin {
		r.Header.Set("Last-Event-ID", last)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(r)
	if err != nil {
		return &ended{"event stream: no connection", err}
	}
	defer response.Body.Close() //nolint:errcheck // a client that vanishes
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
		return &ended{fmt.Sprintf("event stream: refused with %d %s", response.StatusCode, wordsOf(text)),
			errors.New(clip(text))}
	}
	return readEvents(bufio.NewReader(response.Body), hear)
}

// readEvents reads the stream as the HTML standard says (section 9.2.6) and checks that the id of an event is the
// cursor of its change.
func readEvents(from *bufio.Reader, hear func(data json.RawMessage) error) error {
	var id, kind, text string
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return &ended{"event stream: ended", err}
		}
		name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "id":
			id = value
		case name == "event":
			kind = value
		case name == "data":
			text += value
		case name == "" && value == "" && kind == "complete":
			return &ended{"event stream: complete", io.EOF}
		case name == "" && value == "" && text != "":
			data, err := dataOf([]byte(text))
			if err != nil {
				return err
			}
			var got struct{ Change heard }
			if json.Unmarshal(data, &got) == nil && got.Change.Cursor != id {
				return &ended{"event stream: the event's id is not the change's cursor", errors.New(id)}
			}
			if err := hear(data); err != nil {
				return err
			}
			kind, text = "", ""
		}
	}
}
