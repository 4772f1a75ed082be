package discovery

import "fmt"

// Rule says what kind of fault a violation is.
type Rule string

// The rules that are judged.
const (
	// RuleRoute: no method has this path and verb.
	RuleRoute Rule = "route"
	// RuleUnknown: a parameter, a field or a name in a mask that the description does not have.
	RuleUnknown Rule = "unknown"
	// RuleRepeated: a parameter given twice that may be given once.
	RuleRepeated Rule = "repeated"
	// RuleRequired: a parameter or a field that must be there is not.
	RuleRequired Rule = "required"
	// RuleType: a value of another JSON type; an integer of 64 bits must be a string.
	RuleType Rule = "type"
	// RuleFormat: a string in another form, such as a time without its offset.
	RuleFormat Rule = "format"
	// RuleEnum: a value outside the list of those there are.
	RuleEnum Rule = "enum"
	// RuleRange: a number below the minimum or above the maximum.
	RuleRange Rule = "range"
	// RuleNull: null where a value must stand; only requests may hold null, which erases.
	RuleNull Rule = "null"
	// RuleKind: a response without the kind that its schema names, or with another.
	RuleKind Rule = "kind"
	// RuleBody: a body where none belongs, none where one belongs, or one that is not JSON.
	RuleBody Rule = "body"
	// RuleMask: a field mask that cannot be read, or a response that holds what its mask leaves out.
	RuleMask Rule = "mask"
	// RuleScope: a token without any of the scopes of the method.
	RuleScope Rule = "scope"
	// RuleError: an error's body that is not in Google's form.
	RuleError Rule = "error"
)

// Part says where a violation is.
type Part string

// The parts of an exchange.
const (
	InQuery    Part = "query"
	InRequest  Part = "request body"
	InResponse Part = "response body"
	InMask     Part = "mask"
	InRoute    Part = "route"
)

// Violation is one breach of a description. It quotes names, and values only where they are of the protocol (a verb, an
// enum, a time); never a token.
type Violation struct {
	// Method is the id of the method, or the verb and path when there is none.
	Method string
	Part   Part
	// Path leads to the place in the part: "maxResults", "items/3/start/dateTime"; empty for the whole.
	Path string
	Rule Rule
	// Text is a sentence for people.
	Text string
}

// String returns the violation in one line.
func (v Violation) String() string {
	place := string(v.Part)
	if v.Path != "" {
		place += " " + v.Path
	}
	return fmt.Sprintf("%s: %s: %s (%s)", v.Method, place, v.Text, v.Rule)
}

// findings gathers violations of one part of one call, up to a limit: one wrong list can hold thousands of them.
type findings struct {
	method string
	part   Part
	found  []Violation
}

const maxFindings = 100

func (f *findings) add(path string, rule Rule, format string, args ...any) {
	if len(f.found) < maxFindings {
		f.found = append(f.found, Violation{Method: f.method, Part: f.part, Path: path, Rule: rule,
			Text: fmt.Sprintf(format, args...)})
	}
}
