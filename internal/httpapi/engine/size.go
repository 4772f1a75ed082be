package engine

import (
	"almanac/graph/model"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// LimitAnswer is the name of the limit on an answer's bytes, as errors show it.
const LimitAnswer = "answer"

// Beyond is told that the answer has grown beyond its bound. What still runs is for nothing.
func (o *operation) Beyond() {
	o.tooLarge.Store(true)
	o.stop()
}

// largeAnswer stands in the place of an answer beyond its bound. What a mutation has changed, it has changed.
func (e *Engine) largeAnswer() *graphql.Response {
	err := errorOf(model.Errorf(model.CodeQueryTooExpensive,
		"The answer is larger than %d bytes and is left out. Ask for "+
			"smaller pages, or for fewer long texts. What a mutation has changed before stays changed.",
		e.limits.AnswerBytes))
	err.Extensions["limit"], err.Extensions["allowed"] = LimitAnswer, e.limits.AnswerBytes
	return &graphql.Response{Data: []byte("null"), Errors: gqlerror.List{err}}
}

// notTooLarge holds an answer that was made without a plan to the same bound.
func (e *Engine) notTooLarge(response *graphql.Response) *graphql.Response {
	if response != nil && int64(len(response.Data)) > e.limits.AnswerBytes {
		return e.largeAnswer()
	}
	return response
}
