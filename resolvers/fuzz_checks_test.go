package resolvers_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/graph/model"
)

var (
	windows      = []any{nil, nil, nil, "TODAY", "TOMORROW", "THIS_WEEK", "NEXT_7_DAYS", "OVERDUE", "UPCOMING", "NONE"}
	taskTypes    = []any{nil, nil, nil, "RECURRING", "UNPLANNED", "REMINDER", "NUDGE"}
	taskOrders   = []string{"CREATED_AT", "DUE_DATE", "UPDATED_AT", "TEXT"}
	memoryOrders = []string{"CREATED_AT", "UPDATED_AT"}
	listOrders   = []string{"CREATED_AT", "UPDATED_AT", "NAME"}
	directions   = []string{"ASC", "DESC"}
)

func (s *story) filter() map[string]any {
	out := map[string]any{"window": pick(s.random, windows), "type": pick(s.random, taskTypes)}
	add := func(oneIn int, name string, value any) {
		if s.chance(oneIn) {
			out[name] = value
		}
	}
	add(2, "completed", pick(s.random, []any{nil, true, false}))
	add(6, "category", s.category())
	add(4, "search", pick(s.random, append(words, "", "e", "ל", "%", "_", `\`)))
	add(5, "dueAfter", s.dateTime())
	add(5, "dueBefore", s.dateTime())
	return out
}

// query asks something at random, with cursors from earlier answers.
func (s *story) query() {
	switch s.random.IntN(12) {
	case 9, 10, 11:
		s.askTheGraph()
	case 6:
		order := pick(s.random, memoryOrders)
		s.page("memories "+order,
			`query($filter: MemoryFilter, $orderBy: MemoryOrder, $first: Int, $after: String, $last: Int, $before: String) {
			memories(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) { totalCount isEmpty context { isEmpty } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { `+memoryFields+` embedding { state model dimensions } itemContext { isOverride memoryType hasMetadata } } } } }`,
			map[string]any{"filter": s.memoryFilter(2),
				"orderBy": map[string]any{"field": order, "direction": pick(s.random, directions)}})
	case 7:
		s.ask(nil,
			`query($query: String!, $filter: MemoryFilter, $min: Float, $weights: SearchWeights) { searchMemories(query: $query, filter: $filter, first: 20, minSimilarity: $min, weights: $weights) { legs minSimilarity isEmpty pageInfo { hasNextPage }
			edges { similarity keywordScore score matchedBy node { id content } } } memoryStatus { total notes contacts kvs embedding { ready stale pending progress } } }`,
			map[string]any{"query": s.text(), "filter": s.memoryFilter(1), "min": pick(s.random, []any{nil, nil, -1, 0.1, 0.9}),
				"weights": pick(s.random, []any{nil, map[string]any{"similarity": 1, "keyword": 0},
					map[string]any{"similarity": 0, "keyword": 0.5}})})
	case 8:
		s.ask(nil, `query($id: ID!, $filter: MemoryFilter) { memory(id: $id) { `+memoryFields+
			` } exportMemories(filter: $filter, first: 7) { jsonLines count pageInfo { hasNextPage endCursor } } }`,
			map[string]any{"id": s.one("memory"), "filter": s.memoryFilter(1)})
	case 0:
		s.ask(nil, `query($id: ID!) { node(id: $id) { __typename id ... on Task { `+taskFields+` } ... on List { `+listFields+
			` } ... on Subtask { text completed } ... on ListItem { text checked } } }`,
			map[string]any{"id": s.one(pick(s.random, []string{"task", "subtask", "list", "item", "user"}))})
	case 1:
		ids := append(append(s.some("task", 3), s.some("list", 2)...), s.some("item", 2)...)
		s.ask(nil, `query($ids: [ID!]!) { nodes(ids: $ids) { id ... on Task { text `+momentFields+
			` } ... on List { name } } viewer { id settings { timeZone locale weekStart } now scopes } }`,
			map[string]any{"ids": ids})
	case 2:
		s.ask(nil, `query($task: ID!, $list: ID!) { task(id: $task) { `+taskFields+momentFields+` } list(id: $list) { `+
			listFields+` } }`, map[string]any{"task": s.one("task"), "list": s.one("list")})
	case 3:
		order := pick(s.random, listOrders)
		s.page("lists "+order,
			`query($filter: ListFilter, $orderBy: ListOrder, $first: Int, $after: String, $last: Int, $before: String) {
			lists(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) { totalCount isEmpty pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { `+listFields+` } } } }`,
			map[string]any{"filter": map[string]any{"search": pick(s.random, []any{nil, pick(s.random, words)})},
				"orderBy": map[string]any{"field": order, "direction": pick(s.random, directions)}})
	case 4:
		s.page("changes",
			`query($first: Int, $after: String, $types: [ChangeType!]) { changes(first: $first, after: $after, types: $types) { latestCursor pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
			edges { cursor node { type operation id: nodeId at node { id ... on Task { text } ... on List { name } } } } } }`,
			map[string]any{"types": pick(s.random, []any{nil, []any{}, []any{"TASK"}, []any{"MEMORY"}, []any{"LIST", "SETTINGS"},
				[]any{"ENTITY", "FACT"}, []any{"EPISODE", "KNOWLEDGE"}})})
	default:
		order := pick(s.random, taskOrders)
		s.page("tasks "+order,
			`query($filter: TaskFilter, $orderBy: TaskOrder, $first: Int, $after: String, $last: Int, $before: String) {
			tasks(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) { totalCount isEmpty context { isEmpty } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
				edges { cursor node { `+taskFields+momentFields+` } } categorized { counts { overdue today upcoming recurring noDueDate } overdue(first: 3) { id } today(first: 3) { id text } upcoming(first: 3) { id } recurring(first: 3) { id recurrence { type } } noDueDate(first: 3) { id } } } }`,
			map[string]any{"filter": s.filter(),
				"orderBy": map[string]any{"field": order, "direction": pick(s.random, directions)}})
	}
}

// page asks for a page with sizes and cursors at random and remembers the cursors it is given.
func (s *story) page(list, query string, variables map[string]any) {
	size := pick(s.random, []any{1, 2, 5, 20})
	forward := list == "changes" || strings.HasPrefix(list, "knowledge ")
	if backward := s.chance(2) && !forward; backward {
		variables["last"] = size
	} else {
		variables["first"] = size
	}
	known := s.cursors[list]
	if len(known) > 0 && s.chance(2) {
		variables["after"] = pick(s.random, known)
	}
	if len(known) > 0 && !forward && s.chance(3) {
		variables["before"] = pick(s.random, known)
	}
	answer := s.ask(nil, query, variables)
	for _, hit := range realCursor.FindAllStringSubmatch(strings.ReplaceAll(answer, `":"`, `": "`), -1) {
		s.cursors[list] = append(s.cursors[list], hit[2])
	}
	s.cursors[list] = s.cursors[list][max(0, len(s.cursors[list])-40):]
}

// seenTask is what the checks look at.
type seenTask struct {
	ID, Text    string
	DueDate     *time.Time
	Recurrence  *struct{ Type string }
	ItemContext struct{ IsReminder, IsTask, IsRecurring, IsNudge, IsOverdue, IsToday, IsTomorrowOrLater, HasDueDate bool }
}

type seenBoard struct {
	Counts                                         map[string]int
	Overdue, Today, Upcoming, Recurring, NoDueDate []seenTask
}

// check asks the same in different ways and compares.
func (s *story) check() {
	s.t.Helper()
	s.checkBoard()
	if s.chance(4) {
		s.checkPages()
	}
	s.follow()
	s.checkLog()
}

// checkBoard: every task stands in one bucket, by its flags, which its due date and the viewer's clock explain.
func (s *story) checkBoard() {
	s.t.Helper()
	const bucket = `(first: 100) { id text dueDate recurrence { type } itemContext { isReminder isTask isRecurring isNudge isOverdue isToday isTomorrowOrLater hasDueDate } }`
	answer := s.ask(nil,
		`query($filter: TaskFilter) { viewer { now } tasks(filter: $filter, first: 100) { totalCount nodes { id } categorized { counts { overdue today upcoming recurring noDueDate }
		overdue`+bucket+` today`+bucket+` upcoming`+bucket+` recurring`+bucket+` noDueDate`+bucket+` } } }`, map[string]any{"filter": s.filter()})
	var got struct {
		Data struct {
			Viewer struct{ Now time.Time }
			Tasks  struct {
				TotalCount  int
				Nodes       []struct{ ID string }
				Categorized seenBoard
			}
		}
	}
	if err := json.Unmarshal([]byte(answer), &got); err != nil {
		s.t.Fatalf("%v: %s", err, answer)
	}
	board, now := got.Data.Tasks.Categorized, got.Data.Viewer.Now
	inBuckets, counted := map[string]bool{}, 0
	for name, tasks := range map[string][]seenTask{"overdue": board.Overdue, "today": board.Today,
		"upcoming": board.Upcoming, "recurring": board.Recurring, "noDueDate": board.NoDueDate} {
		counted += board.Counts[name]
		if len(tasks) != min(100, board.Counts[name]) {
			s.t.Errorf("%s holds %d and counts %d", name, len(tasks), board.Counts[name])
		}
		for _, task := range tasks {
			if inBuckets[task.ID] {
				s.t.Errorf("%q stands in two buckets", task.Text)
			}
			inBuckets[task.ID] = true
			if want := s.bucketOf(task, now); want != name {
				s.t.Errorf("%q stands in %s, not %s", task.Text, name, want)
			}
			s.checkFlags(task, now)
		}
	}
	if counted != got.Data.Tasks.TotalCount {
		s.t.Errorf("buckets count %d, the list %d", counted, got.Data.Tasks.TotalCount)
	}
	for _, node := range got.Data.Tasks.Nodes {
		if !inBuckets[node.ID] {
			s.t.Errorf("%s is in no bucket", node.ID)
		}
	}
}

func (s *story) bucketOf(task seenTask, now time.Time) string {
	switch flags := task.ItemContext; {
	case task.Recurrence != nil:
		return "recurring"
	case task.DueDate == nil:
		return "noDueDate"
	case task.DueDate.Before(now):
		return "overdue"
	case flags.IsToday:
		return "today"
	}
	return "upcoming"
}

// checkFlags compares flags with what a calendar on the wall says. None of the story's zones sets clocks back over
// midnight.
func (s *story) checkFlags(task seenTask, now time.Time) {
	s.t.Helper()
	zone, err := time.LoadLocation(s.header["X-Time-Zone"])
	if err != nil {
		s.t.Fatal(err)
	}
	want := task.ItemContext
	want.IsReminder, want.HasDueDate, want.IsTask = task.DueDate != nil, task.DueDate != nil, task.DueDate == nil
	want.IsRecurring = task.Recurrence != nil
	want.IsNudge = task.Recurrence != nil && task.Recurrence.Type == "NUDGE"
	want.IsOverdue, want.IsToday, want.IsTomorrowOrLater = false, false, false
	if task.DueDate != nil {
		day, today := task.DueDate.In(zone).Format(time.DateOnly), now.In(zone).Format(time.DateOnly)
		want.IsOverdue, want.IsToday, want.IsTomorrowOrLater = task.DueDate.Before(now), day == today, day > today
	}
	if want != task.ItemContext {
		s.t.Errorf("%q, due %v at %v: flags %+v, want %+v", task.Text, task.DueDate, now, task.ItemContext, want)
	}
}

// checkPages: page after page forward gives what page after page backward gives, and each thing once.
func (s *story) checkPages() {
	s.t.Helper()
	order := map[string]any{"field": pick(s.random, taskOrders), "direction": pick(s.random, directions)}
	filter := s.filter()
	walk := func(size, cursor, edge string) []string {
		var all []string
		variables := map[string]any{"filter": filter, "orderBy": order, size: 3 + s.random.IntN(8)}
		for range 100 {
			var got struct {
				Data struct {
					Tasks struct {
						TotalCount int
						Nodes      []struct{ ID string }
						PageInfo   map[string]any
					}
				}
			}
			answer := s.ask(nil,
				`query($filter: TaskFilter, $orderBy: TaskOrder, $first: Int, $after: String, $last: Int, $before: String) {
				tasks(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) { totalCount nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`, variables)
			if err := json.Unmarshal([]byte(answer), &got); err != nil {
				s.t.Fatalf("%v: %s", err, answer)
			}
			page := []string{}
			for _, node := range got.Data.Tasks.Nodes {
				page = append(page, node.ID)
			}
			if size == "last" {
				slices.Reverse(page)
			}
			all = append(all, page...)
			if more, _ := got.Data.Tasks.PageInfo[edge].(bool); !more {
				if len(all) != got.Data.Tasks.TotalCount {
					s.t.Errorf("%s by %v: pages give %d tasks, totalCount is %d", size, order, len(all), got.Data.Tasks.TotalCount)
				}
				break
			}
			variables[cursor] = got.Data.Tasks.PageInfo[map[string]string{"after": "endCursor", "before": "startCursor"}[cursor]]
		}
		return all
	}
	forward, backward := walk("first", "after", "hasNextPage"), walk("last", "before", "hasPreviousPage")
	slices.Reverse(backward)
	if !slices.Equal(forward, backward) {
		s.t.Errorf("%v %v\n forward:  %v\n backward: %v", filter, order, forward, backward)
	}
}

// follow keeps a copy by the change log, as a client does, and compares it with a fresh read.
func (s *story) follow() {
	s.t.Helper()
	const nodes = `id ... on Task { ` + taskFields + ` } ... on List { ` + listFields + ` } ... on Memory { ` + memoryRow +
		` }
		... on Entity { ` + entityFields + ` } ... on Fact { ` + factFields + ` } ... on Episode { ` + episodeFields + ` }
		... on Action { ` + actionFields + ` }`
	for range 50 {
		variables := map[string]any{"first": 5 + s.random.IntN(40)}
		if s.seen != "" {
			variables["after"] = s.seen
		}
		answer := s.ask(nil,
			`query($first: Int, $after: String) { changes(first: $first, after: $after) { latestCursor pageInfo { hasNextPage endCursor } nodes { type operation id: nodeId node { `+nodes+` } } } }`, variables)
		var got struct {
			Errors []struct{ Extensions struct{ Code string } }
			Data   struct {
				Changes *struct {
					LatestCursor string
					PageInfo     struct {
						HasNextPage bool
						EndCursor   *string
					}
					Nodes []struct {
						Type, Operation, ID string
						Node                json.RawMessage
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			s.t.Fatalf("%v: %s", err, answer)
		}
		if got.Data.Changes == nil { // outlived: read everything anew and go on from the end
			if got.Errors[0].Extensions.Code != "CONFLICT" {
				s.t.Fatalf("changes: %s", answer)
			}
			s.seen = ""
			s.startOver()
			continue
		}
		for _, change := range got.Data.Changes.Nodes {
			switch {
			case change.Type == "SETTINGS":
			case change.Type == "KNOWLEDGE":
				maps.DeleteFunc(s.copy, func(id string, _ json.RawMessage) bool { return ofTheGraph(id) })
			case string(change.Node) == "null":
				delete(s.copy, change.ID)
			case change.Operation == "DELETED":
				s.t.Errorf("%s is deleted and there: %s", change.ID, change.Node)
			default:
				s.copy[change.ID] = change.Node
			}
		}
		if end := got.Data.Changes.PageInfo.EndCursor; end != nil {
			s.seen = *end
		}
		if !got.Data.Changes.PageInfo.HasNextPage {
			if len(got.Data.Changes.Nodes) > 0 && s.seen != got.Data.Changes.LatestCursor {
				s.t.Errorf("the last page does not end at latestCursor: %s", answer)
			}
			break
		}
	}
	fresh := s.fresh()
	for id, node := range fresh {
		if string(s.copy[id]) != string(node) {
			s.t.Errorf("the copy of %s is %s, but it is %s", id, s.copy[id], node)
		}
	}
	for id := range s.copy {
		if fresh[id] == nil {
			s.t.Errorf("the copy still has %s", id)
		}
	}
}

// startOver is what a client does whose cursor was outlived.
func (s *story) startOver() {
	s.t.Helper()
	var got struct {
		Data struct{ Changes struct{ LatestCursor string } }
	}
	if err := json.Unmarshal([]byte(s.ask(nil, `{ changes(first: 1) { latestCursor } }`, nil)), &got); err != nil {
		s.t.Fatal(err)
	}
	s.copy, s.seen = s.fresh(), got.Data.Changes.LatestCursor
}

// fresh reads all tasks and lists.
func (s *story) fresh() map[string]json.RawMessage {
	s.t.Helper()
	out := map[string]json.RawMessage{}
	const page = ` pageInfo { hasNextPage endCursor } }`
	type listed struct {
		Nodes    []json.RawMessage
		PageInfo struct {
			HasNextPage bool
			EndCursor   string
		}
	}
	for _, list := range []string{
		`all: tasks(filter: { completed: null }, first: 100, after: $after) { nodes { ` + taskFields + ` }` + page,
		`all: lists(first: 100, after: $after) { nodes { ` + listFields + ` }` + page,
		`all: memories(first: 100, after: $after) { nodes { ` + memoryRow + ` }` + page,
		`knowledge { all: nodes(first: 100, after: $after) { nodes { ` + entityFields + ` }` + page + ` }`,
		`knowledge { all: facts(first: 100, after: $after, includeInvalidated: true) { nodes { ` + factFields + ` }` + page +
			` }`,
		`knowledge { all: episodes(first: 100, after: $after) { nodes { ` + episodeFields + ` }` + page + ` }`,
		`all: actions(first: 100, after: $after) { nodes { ` + actionFields + ` }` + page,
	} {
		var after any
		for {
			answer := s.ask(nil, `query($after: String) { `+list+` }`, map[string]any{"after": after})
			var got struct {
				Data struct {
					All       listed
					Knowledge *struct{ All listed }
				}
			}
			if err := json.Unmarshal([]byte(answer), &got); err != nil {
				s.t.Fatalf("%v: %s", err, answer)
			}
			all := got.Data.All
			if got.Data.Knowledge != nil {
				all = got.Data.Knowledge.All
			}
			for _, node := range all.Nodes {
				var one struct{ ID string }
				if err := json.Unmarshal(node, &one); err != nil {
					s.t.Fatal(err)
				}
				out[one.ID] = node
			}
			if after = all.PageInfo.EndCursor; !all.PageInfo.HasNextPage {
				break
			}
		}
	}
	return out
}

// checkLog: change numbers follow each other without a gap, in both harnesses.
func (s *story) checkLog() {
	s.t.Helper()
	for _, h := range s.harnesses {
		lines, err := h.store.Changes(s.t.Context(), model.UserIDOf(s.user), -1, nil, 100_000)
		if err != nil {
			s.t.Fatal(err)
		}
		for i := 1; i < len(lines); i++ {
			if lines[i].Seq != lines[i-1].Seq+1 {
				s.t.Errorf("%s: change %d follows %d", h.store.Facts().Name, lines[i].Seq, lines[i-1].Seq)
			}
		}
	}
}
