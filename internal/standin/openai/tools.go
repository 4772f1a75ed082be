package openai

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// OfferedTool is a tool that a model was offered.
type OfferedTool struct {
	Name, Description string
	Schema            json.RawMessage
	Strict            bool
}

// ToolCall is a call that a model asks for. Arguments are sent as they are, broken ones too.
type ToolCall struct{ Name, Arguments string }

// toolBody is one tool as a request has it.
type toolBody struct {
	Type     string `json:"type"`
	Function *struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      *bool           `json:"strict"`
	} `json:"function"`
}

// readTools checks the tools of a request by the published description and by what the model takes.
func (s *Server) readTools(given chatBody, facts ChatFacts, c *Chat) *problem {
	if given.Tools == nil {
		switch {
		case given.ToolChoice != nil:
			return s.problem("invalid", "tool_choice",
				"Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.")
		case given.Parallel != nil:
			return s.problem("invalid", "parallel_tool_calls",
				"Invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified.")
		}
		return nil
	}
	if len(given.Tools) == 0 {
		return s.problem("invalid", "tools", "Invalid 'tools': empty array.")
	}
	if !facts.Tools {
		return s.problem("unsupportedParameter", "tools", "'tools' is not supported with this model.")
	}
	for i, tool := range given.Tools {
		at := fmt.Sprintf("tools[%d]", i)
		switch {
		case tool.Type != "function" || tool.Function == nil:
			return s.problem("invalid", at+".type", "Invalid value: '%s'.", tool.Type)
		case !formName.MatchString(tool.Function.Name):
			return s.problem("invalid", at+".function.name", "Invalid '%s.function.name': string does not match pattern.", at)
		}
		offered := OfferedTool{Name: tool.Function.Name, Description: tool.Function.Description,
			Schema: tool.Function.Parameters}
		if offered.Strict = tool.Function.Strict != nil && *tool.Function.Strict; offered.Strict {
			if wrong := s.chats.Schema.check(offered.Schema); wrong != "" {
				return s.problem("invalid", at+".function.parameters", "Invalid schema for function '%s': %s", offered.Name, wrong)
			}
		}
		c.Tools = append(c.Tools, offered)
	}
	var choice string
	if given.ToolChoice != nil && (json.Unmarshal(given.ToolChoice, &choice) != nil ||
		!slices.Contains([]string{"none", "auto", "required"}, choice)) {
		return s.problem("invalid", "tool_choice", "Invalid value for 'tool_choice'.")
	}
	c.ToolChoice = choice
	return nil
}

// calls are what whoever plays the model asks to be called; none where it answers in text.
func (s *Server) calls(c Chat, fault Fault) []ToolCall {
	switch {
	case len(c.Tools) == 0 || fault.Say != "" || c.ToolChoice == "none":
		return nil
	case fault.Calls != nil:
		return fault.Calls
	case s.options.Call != nil:
		return s.options.Call(c)
	}
	return Obey(c)
}

// messageCall is a call as an answer has it.
type messageCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

func messageCalls(calls []ToolCall) []messageCall {
	out := make([]messageCall, len(calls))
	for i, call := range calls {
		out[i].ID, out[i].Type = fmt.Sprintf("call_%d", i+1), "function"
		out[i].Function.Name, out[i].Function.Arguments = call.Name, call.Arguments
	}
	return out
}

var (
	// everythingForm is an order to delete everything, wherever it stands and whoever gives it.
	everythingForm = regexp.MustCompile(
		`(?i)(delete|cancel|erase) (all|every|everything)|(מחק|למחוק|בטל) (את )?(כל|הכול|הכל)`)
	// oneForm is an order to delete one thing.
	oneForm = regexp.MustCompile(`(?i)(?:delete|cancel|erase|drop) (?:the |my )?["“]?([\pL\d][\pL\d ]*)`)
	// nowForm is the day that the question names.
	nowForm = regexp.MustCompile(`Now: \S+ (\d{4})-(\d{2}-\d{2})T`)
)

// Obey plays a model that does what it reads, whoever has written it: an order to delete everything wins over all else,
// also one in a mail that the sentence quotes; then one to delete something. What has no order is looked for by its
// first word, without doubt.
func Obey(c Chat) []ToolCall {
	said := c.Said("user")
	text := said
	if _, inside, ok := strings.Cut(said, " sentence\n"); ok {
		text, _, _ = strings.Cut(inside, "\nuntrusted ")
	}
	year, day := "2026", "01-01"
	if now := nowForm.FindStringSubmatch(said); now != nil {
		year, day = now[1], now[2]
	}
	var next int
	_, _ = fmt.Sscanf(year, "%d", &next)
	quoted := func(text string) string {
		out, err := json.Marshal(strings.TrimSpace(text))
		if err != nil {
			panic(err) // a text can always be written
		}
		return string(out)
	}
	if everythingForm.MatchString(text) {
		return []ToolCall{
			{"delete", fmt.Sprintf(`{"certain":true,"title":null,"from":"%s-%s","to":"%d-01-01","everything":true}`, year, day,
				next+1)}}
	}
	if one := oneForm.FindStringSubmatch(text); one != nil {
		return []ToolCall{{"delete",
			`{"certain":true,"title":` + quoted(one[1]) + `,"from":null,"to":null,"everything":false}`}}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	return []ToolCall{{"search", `{"certain":true,"query":` + quoted(first) + `,"from":null,"to":null}`}}
}
