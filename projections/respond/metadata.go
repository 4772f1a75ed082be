package respond

import (
	"math"
	"strings"

	"almanac/graph/model"
)

// Metadata is what an answer says beside its items. What it does not say, or says in another type than the contract's,
// is nil here; it still is in JSON.
type Metadata struct {
	// Deleted, Updated and Count are numbers, with the digits that they came with.
	Deleted, Updated, Count *model.JSON
	// Errors, NotFound and Summaries are whatever stands there and is not falsy; they are lists, empty ones too.
	Errors, NotFound, Summaries *model.JSON
	// IsRecurringSeries is whatever stands there.
	IsRecurringSeries *model.JSON
}

// Number is the value of one of the numbers, nil when there is none, and when it is larger than such numbers can be.
func Number(digits *model.JSON) *float64 {
	if digits == nil {
		return nil
	}
	value := number(string(*digits))
	if math.IsInf(value, 0) {
		return nil
	}
	return &value
}

func (p *payload) metadata() Metadata {
	if !p.isObject(p.body) {
		return Metadata{}
	}
	return Metadata{
		Deleted: p.numeric("deleted"), Updated: p.numeric("updated"), Count: p.numeric("count"),
		Errors: p.given("errors"), NotFound: p.given("notFound"), Summaries: p.given("summaries"),
		IsRecurringSeries: p.present("isRecurringSeries"),
	}
}

func (p *payload) numeric(key string) *model.JSON {
	if !p.isNumber(p.fields[key]) {
		return nil
	}
	return p.present(key)
}

// FailedOperation is an operation of which nothing was done. The texts that an answer does not say are nil.
type FailedOperation struct {
	StepID       *string
	Capability   Capability
	Operation    string
	SearchedFor  *string
	UserRequest  *string
	ErrorMessage string
}

// failed returns the operation when it has failed: its envelope says so, or it has an error, or errors, or misses what
// it was to find, and nothing was done.
func (r *reader) failed(c Capability, name string) []FailedOperation {
	top := r.fields
	if r.envelope {
		top = r.outer
	}
	if success, said := top["success"]; said {
		if r.truthy(success) {
			return nil
		}
	} else {
		done := len(r.items) > 0 || r.positive("deleted") || r.positive("updated")
		if done || !r.truthy(top["error"]) && !r.filled(r.fields["errors"]) && !r.filled(r.fields["notFound"]) {
			return nil
		}
	}
	missing := strings.Join(r.texts(r.fields["notFound"]), ", ")
	said := func(key string) *string {
		if value, ok := r.string(top[key]); ok {
			return &value
		}
		return nil
	}
	out := FailedOperation{
		StepID: said("stepId"), Capability: c, Operation: name, SearchedFor: said("searchedFor"),
		UserRequest: said("userRequest"), ErrorMessage: r.errorMessage(top["error"], missing),
	}
	if out.SearchedFor == nil && missing != "" {
		out.SearchedFor = &missing
	}
	return []FailedOperation{out}
}

func (p *payload) positive(key string) bool {
	s := p.fields[key]
	return p.isNumber(s) && number(p.text.at(s)) > 0
}

// errorMessage says why nothing was done: the error itself, else those of the items, else what was not found.
func (r *reader) errorMessage(given span, missing string) string {
	notFound, unknown := "Tasks not found: ", "Unknown error"
	if r.at.Locale == "he" {
		notFound, unknown = "משימות שלא נמצאו: ", "שגיאה לא ידועה"
	}
	if text, _ := r.string(given); text != "" {
		return text
	}
	if errors := strings.Join(r.texts(r.fields["errors"]), "; "); errors != "" {
		return errors
	}
	if missing != "" {
		return notFound + missing
	}
	if r.truthy(given) {
		return r.text.at(given)
	}
	return unknown
}

// texts returns what the elements of a list say: strings themselves, of objects their error, else their text.
func (r *reader) texts(list span) []string {
	var out []string
	if list.from == list.to {
		return nil
	}
	for element := range r.elements(list) {
		text, _ := r.string(element)
		other := ""
		for key, value := range r.text.fields(element) {
			switch key {
			case "error":
				text, _ = r.string(value)
			case "text":
				other, _ = r.string(value)
			}
		}
		if text == "" {
			text = other
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out
}
