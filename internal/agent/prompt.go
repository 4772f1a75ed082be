package agent

import (
	"crypto/rand"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"almanac/adapters/openai"
	"almanac/projections/plan"
	"almanac/projections/when"
)

// instructions are our own words. What stands between the marks of the question is never among them.
//
//go:embed instructions.txt
var instructions string

// The parts that schemas are made of.
const (
	textOrNull = `{"type":["string","null"]}`
	schemaHead = `{"type":"object","additionalProperties":false,"properties":{"certain":{"type":"boolean"},`
)

// tools are the six things that can be asked of a calendar.
func tools() []openai.Tool {
	tool := func(name plan.Tool, description, properties string) openai.Tool {
		var required []string
		fields := strings.Split(properties, " ")
		var b strings.Builder
		for i, field := range fields {
			name, kind, _ := strings.Cut(field, ":")
			if i > 0 {
				b.WriteByte(',')
			}
			schema := textOrNull
			switch kind {
			case "text":
				schema = `{"type":"string"}`
			case "texts":
				schema = `{"type":"array","items":{"type":"string"}}`
			case "flag":
				schema = `{"type":"boolean"}`
			}
			b.WriteString(`"` + name + `":` + schema)
			required = append(required, `"`+name+`"`)
		}
		return openai.Tool{Name: string(name), Description: description, Schema: json.RawMessage(
			schemaHead + b.String() + `},"required":["certain",` + strings.Join(required, ",") + `]}`)}
	}
	return []openai.Tool{
		tool(plan.ToolCreate, "An event is to be made.", "title start:text end location people:texts"),
		tool(plan.ToolRead, "What comes next is to be told; no time is said.", "from to"),
		tool(plan.ToolSchedule, "What stands in a range of time is to be told.", "from:text to:text"),
		tool(plan.ToolSearch, "Events are to be found by words.", "query:text from to"),
		tool(plan.ToolUpdate, "One event, called by its title, is to be changed. from and to say when it is now.",
			"title:text from to new_title new_start new_end new_location"),
		tool(plan.ToolDelete, "One event is to be deleted; or, with everything, all from one time to another.",
			"title from to everything:flag"),
	}
}

// question asks about a sentence.
func question(name string, tokens int, text string, at when.Moment) openai.Question {
	code := codeFor(text)
	now := at.Now.In(at.Zone)
	var b strings.Builder
	b.WriteString("Now: " + now.Format("Monday ") + now.Format(time.RFC3339) + "\nTime zone: " + at.Zone.String() +
		"\nLanguage: " + at.Locale + "\nWeeks begin on: " + string(at.WeekStart) + "\n")
	b.WriteString("\n<<untrusted " + code + " sentence\n" + text + "\nuntrusted " + code + ">>\n")
	return openai.Question{
		Model: name, MaxTokens: tokens, Tools: tools(),
		Messages: []openai.Message{{Role: openai.RoleSystem, Text: instructions}, {Role: openai.RoleUser, Text: b.String()}},
	}
}

// codeFor returns the code of the marks, which stands nowhere between them and is new each time.
func codeFor(text string) string {
	for all := strings.ToLower(text); ; {
		var code [8]byte
		_, _ = rand.Read(code[:]) // never fails, by its contract
		if shown := hex.EncodeToString(code[:]); !strings.Contains(all, shown) {
			return shown
		}
	}
}
