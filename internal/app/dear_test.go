package app_test

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// processor returns the processor time that a process has used so far (proc(5)).
func (p *process) processor() time.Duration {
	p.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		p.t.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	var ticks int64
	for _, at := range []int{11, 12} { // utime and stime, in hundredths of a second
		n, err := strconv.ParseInt(fields[at], 10, 64)
		if err != nil {
			p.t.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// Texts of a letter or two, each of which must be compared with thousands of long names, are refused when they have
// been too much work together, whatever names them and in however many fields; what it took is logged.
func TestDearTextsAreRefused(t *testing.T) {
	t.Parallel()
	for name, flags := range databases(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, flags...)
			text := string([]rune(strings.Repeat("אב גד הו ", 222))[:1_900])
			for batch := range 21 {
				var inputs []map[string]any
				for i := range 100 {
					inputs = append(inputs, map[string]any{"text": fmt.Sprintf("%s %d", text, 100*batch+i)})
				}
				var made struct{ CreateTasks struct{ Created int } }
				p.mustAsk(`mutation ($input: CreateTasksInput!) { createTasks(input: $input) { created } }`,
					map[string]any{"input": map[string]any{"tasks": inputs}}, &made)
				if made.CreateTasks.Created != 100 {
					t.Fatalf("%d tasks were made", made.CreateTasks.Created)
				}
			}
			var items []string
			for i := range 190 {
				items = append(items, fmt.Sprintf(`{ text: "%.490s %d" }`, text, i))
			}
			var list struct {
				CreateList struct{ List struct{ ID string } }
			}
			p.mustAsk(`mutation { createList(input: { name: "long" }) { list { id } } }`, nil, &list)
			add := `mutation { updateListItems(input: { id: "` + list.CreateList.List.ID + `", add: [` +
				strings.Join(items, " ") + `] }) { outcomes { status } } }`
			for range 5 {
				var added struct {
					UpdateListItems struct{ Outcomes []struct{ Status string } }
				}
				p.mustAsk(add, nil, &added)
				if one := added.UpdateListItems.Outcomes; len(one) != 190 || one[0].Status != "DONE" {
					t.Fatalf("%v", one)
				}
			}
			var texts, moves, fields strings.Builder
			for range 106 {
				texts.WriteString(`"אב" `)
			}
			for range 200 {
				moves.WriteString(`{ item: { text: "אב" } to: 0 } `)
			}
			for i := range 20 {
				fmt.Fprintf(&fields, `m%d: deleteTasks(input: { texts: [%s] }) { deleted userErrors { code } } `, i, texts.String())
			}
			for what, document := range map[string]string{
				"deleteTasks": `mutation { deleteTasks(input: { texts: [` + texts.String() +
					`] }) { deleted userErrors { code } } }`,
				"20 fields": `mutation { ` + fields.String() + ` }`,
				"updateListItems": `mutation { updateListItems(input: { id: "` + list.CreateList.List.ID + `", move: [` +
					moves.String() + `] }) { userErrors { code } } }`,
			} {
				before := p.processor()
				r, _ := p.post(document, nil)
				t.Logf("%s: %v of processor", what, p.processor()-before)
				if r.status != http.StatusOK || !strings.Contains(string(r.body), `"code":"BAD_USER_INPUT"`) ||
					strings.Contains(string(r.body), `"deleted":1`) {
					t.Errorf("%s: %d %.300s", what, r.status, r.body)
				}
			}
		})
	}
}
