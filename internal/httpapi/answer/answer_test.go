package answer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"almanac/graph/model"
	"almanac/internal/httpapi/answer"
)

func TestAppend(t *testing.T) {
	oops := gqlerror.List{{Message: "oops"}}
	for name, c := range map[string]struct {
		response graphql.Response
		want     string
	}{
		"data":          {graphql.Response{Data: json.RawMessage(`{"a":1}`)}, `{"data":{"a":1}}`},
		"request error": {graphql.Response{Errors: oops}, `{"errors":[{"message":"oops"}]}`},
		"null data": {graphql.Response{Data: json.RawMessage(`null`), Errors: oops},
			`{"errors":[{"message":"oops"}],"data":null}`},
		"nothing": {graphql.Response{}, `{"data":null}`},
		"extensions": {graphql.Response{Data: json.RawMessage(`{}`), Extensions: map[string]any{"cursor": "c"}},
			`{"data":{},"extensions":{"cursor":"c"}}`},
		"line breaks":     {graphql.Response{Data: json.RawMessage("{\r\n\"a\":\n1}\n")}, `{"data":{  "a": 1}}`},
		"escapes stay":    {graphql.Response{Data: json.RawMessage(`{"a":"x\ny"}`)}, `{"data":{"a":"x\ny"}}`},
		"hebrew":          {graphql.Response{Data: json.RawMessage(`{"a":"שָׁלוֹם"}`)}, `{"data":{"a":"שָׁלוֹם"}}`},
		"bytes, not text": {graphql.Response{Data: json.RawMessage("{\"a\":\"\xff\"}")}, "{\"data\":{\"a\":\"\ufffd\"}}"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := answer.Append([]byte("before "), &c.response)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != "before "+c.want {
				t.Fatalf("got %s, want %s", got, c.want)
			}
			if !utf8.Valid(got) {
				t.Fatal("not UTF-8")
			}
		})
	}
	if _, err := answer.Append(nil, &graphql.Response{Extensions: map[string]any{"f": func() {}}}); err == nil {
		t.Fatal("a function was encoded")
	}
}

func TestFromError(t *testing.T) {
	cause := errors.New("pq: password of host db1 is wrong")
	list, trace := answer.FromError(fmt.Errorf("open: %w", cause))
	if len(list) != 1 || trace == "" || list[0].Extensions["traceId"] != trace ||
		list[0].Extensions["code"] != model.CodeInternal ||
		strings.Contains(list[0].Message, "pq") {
		t.Fatalf("got %+v, %q", list[0], trace)
	}
	shown := model.BadInput("input.dueDate", "no such day")
	shown.Cause = cause
	shown.RetryAfter = 1500 * time.Millisecond
	list, trace = answer.FromError(fmt.Errorf("open: %w", shown))
	text, err := json.Marshal(list)
	if err != nil || trace != "" {
		t.Fatal(err, trace)
	}
	const want = `[{"message":"no such day","extensions":{"code":"BAD_USER_INPUT","field":["input","dueDate"],` +
		`"retryAfterMs":1500}}]`
	if string(text) != want {
		t.Fatalf("got %s", text)
	}
}

func TestRefuse(t *testing.T) {
	w := httptest.NewRecorder()
	e := model.Errorf(model.CodeRateLimited, "too many")
	e.RetryAfter = 1001 * time.Millisecond
	answer.Refuse(w, 503, e)
	if w.Code != 503 || w.Header().Get("Retry-After") != "2" ||
		w.Header().Get("Content-Type") != "application/json; charset=utf-8" ||
		w.Body.String() != `{"errors":[{"message":"too many","extensions":{"code":"RATE_LIMITED","retryAfterMs":1001}}]}` {
		t.Fatalf("got %d %v %s", w.Code, w.Header(), w.Body)
	}
}
