//go:build bench

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"almanac/bench/ledger/history"
)

// historyUser is what the clients of a user share: the history, and what they know of tasks and items so far. A task's
// text begins with its name, an item's text is its name.
type historyUser struct {
	person   *person
	recorder *history.Recorder
	began    time.Time
	list     string

	mu sync.Mutex
	// ids are those of tasks and items by name, names in the order in which they became known.
	ids          map[string]string
	tasks, items []string
	// seen is how a task was last read, with its version.
	seen map[string]seenTask
	// created are tasks whose creation was acknowledged, deleted those that somebody has asked to delete; last is the
	// last page of all.
	created, deleted map[string]bool
	last             []history.Task
}

type seenTask struct {
	history.Task
	version string
}

func newHistoryUser(p *person, began time.Time) *historyUser {
	return &historyUser{person: p, recorder: history.NewRecorder(), began: began, ids: map[string]string{},
		seen: map[string]seenTask{}, created: map[string]bool{}, deleted: map[string]bool{}}
}

// learn notes the id of a task or an item; an error says that there are two of it.
func (u *historyUser) learn(names *[]string, name, id string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	if known, ok := u.ids[name]; ok && known != id {
		return fmt.Errorf("%s is %s and %s", name, known, id)
	} else if !ok {
		u.ids[name] = id
		*names = append(*names, name)
	}
	return nil
}

// missing are the tasks that must be there and are not, and those that are there twice.
func (u *historyUser) missing() (lost, doubled []string) {
	there := map[string]int{}
	for _, task := range u.last {
		if there[task.Name]++; there[task.Name] == 2 {
			doubled = append(doubled, task.Name)
		}
	}
	for name := range u.created {
		if there[name] == 0 && !u.deleted[name] {
			lost = append(lost, name)
		}
	}
	return lost, doubled
}

// historyClient does one operation after another with what its user has, on connections that break.
type historyClient struct {
	writer
	user   *historyUser
	number int
	next   int
	plant  string
	random *rand.Rand
	// page is the page of all tasks that was read last.
	page []history.Task
}

func (c *historyClient) close() {
	c.main.close()
	c.second.close()
}

func (c *historyClient) now() time.Duration { return time.Since(c.user.began) }

// fresh is a name that nobody else has.
func (c *historyClient) fresh(kind string) string {
	c.next++
	return fmt.Sprintf("%s%d-%d", kind, c.number, c.next)
}

// known returns the name and id of a task or an item by chance; ok is false when there is none yet.
func (c *historyClient) known(names *[]string) (name, id string, ok bool) {
	c.user.mu.Lock()
	defer c.user.mu.Unlock()
	if len(*names) == 0 {
		return "", "", false
	}
	// The newest half, since others are mostly deleted.
	name = (*names)[len(*names)/2+c.random.IntN(len(*names)-len(*names)/2)]
	return name, c.user.ids[name], true
}

// step does an operation by chance.
func (c *historyClient) step(ctx context.Context) {
	dice := c.random.IntN(100)
	name, id, ok := c.known(&c.user.tasks)
	switch {
	case dice < 20 || !ok:
		c.create(ctx)
	case dice < 30:
		c.update(ctx, history.Update, name, id, seenTask{})
	case dice < 42:
		c.user.mu.Lock()
		seen, read := c.user.seen[name]
		c.user.mu.Unlock()
		if read {
			c.update(ctx, history.UpdateIf, name, id, seen)
		} else {
			c.readOne(ctx, name, id)
		}
	case dice < 49:
		c.change(ctx, history.Complete, "completeTask", "CompleteTaskInput", "task { id }", name, id)
	case dice < 55:
		c.user.mu.Lock()
		c.user.deleted[name] = true
		c.user.mu.Unlock()
		c.change(ctx, history.Delete, "deleteTask", "DeleteTaskInput", "deleted", name, id)
	case dice < 63:
		c.readOne(ctx, name, id)
	case dice < 73:
		c.readTasks(ctx)
	case dice < 83:
		c.readList(ctx)
	default:
		c.changeList(ctx)
	}
}

// request is the body of a request.
func historyRequest(query string, variables any) []byte {
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		panic(err) // plain strings and structs
	}
	return body
}

// mutate sends a mutation and records what came of it. Half of them have a key and are repeated until they are
// answered, now and then twice at the same time; of the others the outcome is unknown when there is no answer, and they
// are left out when the answer says that nothing was done.
func (c *historyClient) mutate(ctx context.Context, object history.Object, in history.Input, body []byte,
	read func(data json.RawMessage) (history.Output, error)) {
	key := ""
	if c.random.IntN(2) == 0 || c.user.recorder.Unknown() >= maxUnknown {
		key = fmt.Sprintf("%s-%d-%s", c.person.subject, c.number, c.fresh("k"))
	}
	request := func(address string) []byte { return requestBytes(address, c.person.token, key, body) }
	call := c.now()
	record := func(out history.Output) { c.user.recorder.Add(object, c.number, in, out, call, c.now()) }
	if c.lies(plantLost) && in.Kind == history.Update {
		record(history.Output{Result: history.OK})
		return
	}
	if c.lies(plantDoubled) && in.Kind == history.Items && in.Steps[0].Action == history.Add {
		_, _ = c.attempt(ctx, func(address string) []byte { return requestBytes(address, c.person.token, "", body) })
	}
	deadline := time.Now().Add(giveUp)
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, 100*time.Millisecond) {
		r, err := c.send(ctx, key != "", request)
		data, outcome := judge(r, err)
		switch {
		case outcome == outcomeDone:
			out, err := read(data)
			if err != nil {
				c.tally.fault("%s %v: an answer that cannot be right: %v: %s", c.person.subject, in, err, clip(r.body))
				return
			}
			c.tally.acknowledged(r.replayed, false)
			c.recovery.answered()
			record(out)
			return
		case outcome == outcomeRefused:
			c.tally.fault("%s %v was refused: status %d %s", c.person.subject, in, r.status, clip(r.body))
			return
		}
		c.tally.failed(r, err)
		if key == "" {
			if !undone(r, err) {
				record(history.Output{Result: history.Unknown})
			}
			return
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			c.tally.fault("%s was not answered for %v; last: %s", key, giveUp, classOf(r, err))
			record(history.Output{Result: history.Unknown})
			return
		}
		pause(ctx, wait/2+rand.N(wait)) //nolint:gosec // no secret
	}
}

// send sends once. What has a key may be sent twice at the same time; what has none is not, but its client too may
// leave before the answer.
func (c *historyClient) send(ctx context.Context, keyed bool, request func(string) []byte) (reply, error) {
	if keyed {
		return c.attempt(ctx, request)
	}
	var left time.Duration
	if c.random.IntN(15) == 0 {
		left = time.Duration(1 + c.random.Int64N(int64(8*time.Millisecond)))
	}
	address := c.where()
	return c.main.do(ctx, address, request(address), c.patience, left)
}

// lies reports whether the client tells the lie this time.
func (c *historyClient) lies(plant string) bool { return c.plant == plant && c.random.IntN(4) == 0 }

// payload is what payloads of tasks have in common.
type payload struct {
	Task    *struct{ ID, Version string }
	Deleted int
	List    *struct {
		ID    string
		Items []struct{ ID, Text string }
	}
	Outcomes []struct {
		Status string
		Item   *thing
	}
	UserErrors []struct{ Code, Message string }
}

// resultOf reads the payload of a mutation's only field.
func resultOf(data json.RawMessage) (payload, history.Output, error) {
	var fields map[string]payload
	if err := json.Unmarshal(data, &fields); err != nil {
		return payload{}, history.Output{}, err
	}
	var p payload
	for _, p = range fields {
	}
	if len(p.UserErrors) == 0 {
		return p, history.Output{Result: history.OK}, nil
	}
	switch code := p.UserErrors[0].Code; code {
	case "NOT_FOUND":
		return p, history.Output{Result: history.Missing}, nil
	case "CONFLICT":
		return p, history.Output{Result: history.Conflict}, nil
	default:
		return p, history.Output{}, fmt.Errorf("%s: %s", code, p.UserErrors[0].Message)
	}
}

func (c *historyClient) create(ctx context.Context) {
	name := c.fresh("t")
	text := name + " new"
	body := historyRequest(`mutation ($input: CreateTaskInput!) { createTask(input: $input) { task { id version }
		userErrors { code message } } }`, input{newTask{Text: text, AllowDuplicate: true}})
	c.mutate(ctx, history.Tasks, history.Input{Kind: history.Create, Name: name, Text: text}, body,
		func(data json.RawMessage) (history.Output, error) {
			p, out, err := resultOf(data)
			if err != nil || p.Task == nil {
				return out, fmt.Errorf("no task: %w", err)
			}
			c.user.mu.Lock()
			c.user.created[name] = true
			c.user.mu.Unlock()
			return out, c.user.learn(&c.user.tasks, name, p.Task.ID)
		})
}

func (c *historyClient) update(ctx context.Context, kind history.Kind, name, id string, seen seenTask) {
	text := name + " " + c.fresh("v")
	fields := map[string]any{"id": id, "set": map[string]any{"text": text}}
	if kind == history.UpdateIf {
		fields["ifVersion"] = seen.version
	}
	body := historyRequest(`mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { task { id version }
		userErrors { code message } } }`, input{fields})
	c.mutate(ctx, history.Tasks, history.Input{Kind: kind, Name: name, Text: text, Seen: seen.Task}, body,
		func(data json.RawMessage) (history.Output, error) {
			_, out, err := resultOf(data)
			return out, err
		})
}

// change completes or deletes a task.
func (c *historyClient) change(ctx context.Context, kind history.Kind, field, of, selection, name, id string) {
	body := historyRequest(`mutation ($input: `+of+`!) { `+field+`(input: $input) { `+selection+`
		userErrors { code message } } }`, input{byID{id}})
	c.mutate(ctx, history.Tasks, history.Input{Kind: kind, Name: name}, body,
		func(data json.RawMessage) (history.Output, error) {
			_, out, err := resultOf(data)
			return out, err
		})
}

// changeList adds an item, or does up to three steps with items that are there or have been.
func (c *historyClient) changeList(ctx context.Context) {
	in := history.Input{Kind: history.Items}
	steps := map[string]any{"id": c.user.list}
	name, id, ok := c.known(&c.user.items)
	fresh := ""
	if !ok || c.random.IntN(3) == 0 {
		fresh = c.fresh("i")
		to := c.random.IntN(6)
		in.Steps = append(in.Steps, history.Step{Action: history.Add, Name: fresh, To: to})
		steps["add"] = []map[string]any{{"text": fresh, "position": to}}
	}
	do := func(action history.Action) {
		in.Steps = append(in.Steps, history.Step{Action: action, Name: name})
		steps[string(action)] = []byID{{id}}
	}
	if ok && c.random.IntN(3) == 0 {
		do([]history.Action{history.Check, history.Uncheck}[c.random.IntN(2)])
	}
	if ok && c.random.IntN(6) == 0 {
		do(history.Remove)
	}
	if other, otherID, ok := c.known(&c.user.items); ok && (len(in.Steps) == 0 || c.random.IntN(3) == 0) {
		to := c.random.IntN(6)
		in.Steps = append(in.Steps, history.Step{Action: history.Move, Name: other, To: to})
		steps["move"] = []itemMove{{Item: byID{otherID}, To: to}}
	}
	body := historyRequest(`mutation ($input: UpdateListItemsInput!) { updateListItems(input: $input) {
		outcomes { status item { id } } userErrors { code message } } }`, input{steps})
	c.mutate(ctx, history.List, in, body, func(data json.RawMessage) (history.Output, error) {
		p, out, err := resultOf(data)
		if err != nil || len(p.Outcomes) != len(in.Steps) || out.Result != history.OK {
			return out, fmt.Errorf("%d outcomes of %d steps: %w", len(p.Outcomes), len(in.Steps), err)
		}
		for _, one := range p.Outcomes {
			out.Statuses = append(out.Statuses, one.Status)
		}
		if fresh != "" && p.Outcomes[0].Item != nil {
			err = c.user.learn(&c.user.items, fresh, p.Outcomes[0].Item.ID)
		}
		return out, err
	})
}

// readTask is a task as it is read.
type readTask struct {
	ID, Text, Version string
	Completed         bool
}

const readFields = `{ id text version completed }`

// learnTask takes over what was read of a task.
func (c *historyClient) learnTask(read readTask) (history.Task, error) {
	name, _, _ := strings.Cut(read.Text, " ")
	task := history.Task{Name: name, Text: read.Text, Done: read.Completed}
	c.user.mu.Lock()
	c.user.seen[name] = seenTask{task, read.Version}
	c.user.mu.Unlock()
	return task, c.user.learn(&c.user.tasks, name, read.ID)
}

// ask sends a query once; ok is false when it was not answered, which tells nothing.
func (c *historyClient) ask(ctx context.Context, query string, variables, into any) (ok bool) {
	address := c.where()
	body := historyRequest(query, variables)
	r, err := c.main.do(ctx, address, requestBytes(address, c.person.token, "", body), c.patience, 0)
	data, outcome := judge(r, err)
	switch {
	case outcome == outcomeAgain:
		c.tally.failed(r, err)
		return false
	case outcome == outcomeRefused && codeOf(r.body) != "NOT_FOUND":
		c.tally.fault("a read was refused: %d %s", r.status, clip(r.body))
		return false
	case outcome == outcomeRefused:
		return true
	}
	if err := json.Unmarshal(data, into); err != nil {
		c.tally.fault("a read: %v: %s", err, clip(r.body))
		return false
	}
	return true
}

func (c *historyClient) readOne(ctx context.Context, name, id string) {
	var got struct{ Task *readTask }
	call := c.now()
	if !c.ask(ctx, `query ($id: ID!) { task(id: $id) `+readFields+` }`, map[string]any{"id": id}, &got) {
		return
	}
	end := c.now()
	out := history.Output{Result: history.OK}
	if got.Task != nil {
		task, err := c.learnTask(*got.Task)
		if err != nil {
			c.tally.fault("%v", err)
		}
		out.Tasks = []history.Task{task}
	}
	c.user.recorder.Add(history.Tasks, c.number, history.Input{Kind: history.ReadOne, Name: name}, out, call, end)
}

func (c *historyClient) readTasks(ctx context.Context) bool {
	var got struct{ Tasks struct{ Nodes []readTask } }
	call := c.now()
	if !c.ask(ctx, `{ tasks(first: 100, filter: { completed: null }) { nodes `+readFields+` } }`, nil, &got) {
		return false
	}
	end := c.now()
	var page []history.Task
	for _, node := range got.Tasks.Nodes {
		task, err := c.learnTask(node)
		if err != nil {
			c.tally.fault("%v", err)
		}
		page = append(page, task)
	}
	slices.SortFunc(page, func(a, b history.Task) int { return strings.Compare(a.Name, b.Name) })
	c.user.mu.Lock()
	c.user.last = page
	c.user.mu.Unlock()
	told := page
	if c.lies(plantStale) {
		told = c.page
	}
	c.page = page
	c.user.recorder.Add(history.Tasks, c.number, history.Input{Kind: history.ReadAll},
		history.Output{Result: history.OK, Tasks: told}, call, end)
	return true
}

// readList reads the list by its id, or among all lists.
func (c *historyClient) readList(ctx context.Context) bool {
	type list struct {
		Items []struct {
			ID, Text string
			Checked  bool
		}
	}
	var got struct {
		List  *list
		Lists struct{ Nodes []list }
	}
	query, variables := `{ lists { nodes { items { id text checked } } } }`, map[string]any(nil)
	if c.random.IntN(2) == 0 {
		query, variables = `query ($id: ID!) { list(id: $id) { items { id text checked } } }`,
			map[string]any{"id": c.user.list}
	}
	call := c.now()
	if !c.ask(ctx, query, variables, &got) {
		return false
	}
	end := c.now()
	if got.List == nil {
		if len(got.Lists.Nodes) != 1 {
			c.tally.fault("%s has %d lists", c.person.subject, len(got.Lists.Nodes))
			return true
		}
		got.List = &got.Lists.Nodes[0]
	}
	out := history.Output{Result: history.OK}
	for _, item := range got.List.Items {
		if err := c.user.learn(&c.user.items, item.Text, item.ID); err != nil {
			c.tally.fault("%v", err)
		}
		out.Items = append(out.Items, history.Item{Name: item.Text, Checked: item.Checked})
	}
	c.user.recorder.Add(history.List, c.number, history.Input{Kind: history.ReadAll}, out, call, end)
	return true
}

// readEverything reads what is there in the end, as soon as it is answered.
func (c *historyClient) readEverything(ctx context.Context) error {
	c.plant = ""
	for _, read := range []func(context.Context) bool{c.readTasks, c.readList} {
		for deadline := time.Now().Add(giveUp); !read(ctx); pause(ctx, 50*time.Millisecond) {
			if time.Now().After(deadline) || ctx.Err() != nil {
				return fmt.Errorf("%s cannot be read in the end", c.person.subject)
			}
		}
	}
	return nil
}

// makeList makes the list that the clients change.
func (c *historyClient) makeList(ctx context.Context) error {
	body := historyRequest(`mutation { createList(input: { name: "shared" }) { list { id } userErrors { code } } }`, nil)
	request := func(address string) []byte { return requestBytes(address, c.person.token, "the-list", body) }
	for deadline := time.Now().Add(giveUp); ; pause(ctx, 50*time.Millisecond) {
		r, err := c.attempt(ctx, request)
		if data, outcome := judge(r, err); outcome == outcomeDone {
			p, _, err := resultOf(data)
			if err != nil || p.List == nil {
				return fmt.Errorf("no list: %w: %s", err, clip(r.body))
			}
			c.user.list = p.List.ID
			return nil
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return fmt.Errorf("%s gets no list: %s", c.person.subject, classOf(r, err))
		}
	}
}
