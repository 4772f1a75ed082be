package resolvers_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"almanac/graph/model"
)

var steps = flag.Int("steps", 60, "how many steps TestBothStoresTellTheSameStory takes from each seed")

const (
	taskFields = `id text category dueDate reminder recurrence { type time days dayOfMonth interval until timeZone } nextReminderAt nudgeCount completed completedAt
		createdAt updatedAt subtasks { id text completed createdAt } completions(first: 5) { completedAt occurrence }`
	momentFields = `dueDateFormatted itemContext { isReminder isTask isRecurring isNudge isOverdue isToday isTomorrowOrLater hasDueDate }`
	listFields   = `id name isChecklist createdAt updatedAt items { id text checked addedAt }`
	confirmation = `confirmation { kind question allowMultiple expiresAt token candidates { id: key label score node { id ... on Task { text } ... on List { name } ... on Memory { content version } } } }`
	memoryRow    = `id type content summary tags metadata note { source entities other } contact { name phone email description other } kv { subject value other }
		createdAt updatedAt expiresAt version`
	memoryFields = memoryRow +
		` history(first: 5) { version type content summary tags metadata expiresAt writtenAt replacedAt reason }`
	memoryContext = `context { isListing isEmpty isNew isOverride }`
	// Among nodes of all kinds, type and source of the graph's are of other types than those of others, so they have names
	// of their own.
	entityFields = `id name kind: type summary aliases attributes createdAt updatedAt version`
	// A fact's episodes are left out: what an episode's erasure takes from a fact is no change of the fact.
	factFields    = `id relation fact validAt invalidAt createdAt expiredAt confidence attributes replacedBy source { id } target { id }`
	episodeFields = `id name content from: sourceType sourceDescription referenceTime createdAt extraction problem`

	// An action's summary is left out: what an erasure takes from an action is no change of the action.
	actionFields = `id name: kind at touched done: via undone`

	knowledgeContext = `context { isListing isEmpty isNew } `

	userErrors  = `userErrors { code message field }`
	taskContext = `context { isListing isEmpty isReminder isTask isRecurring isNudge hasDueDate isToday isTomorrowOrLater isOverdue }`
	bulkFields  = `success errors { nodeId index message code } ` + taskContext + ` ` + userErrors
)

// mutations are documents with one variable, `input`, each asking for all of its payload.
var mutations = map[string]string{
	"createTask": `mutation($input: CreateTaskInput!) { createTask(input: $input) { task { ` + taskFields +
		momentFields + ` } existingTask { id text } ` + taskContext + userErrors + ` } }`,
	"createTasks": `mutation($input: CreateTasksInput!) { createTasks(input: $input) { created tasks { id text dueDate nextReminderAt } ` + bulkFields + ` } }`,
	"updateTask": `mutation($input: UpdateTaskInput!) { updateTask(input: $input) { task { ` + taskFields +
		momentFields + ` } ` + confirmation + taskContext + userErrors + ` } }`,
	"updateTasks": `mutation($input: UpdateTasksInput!) { updateTasks(input: $input) { updated notFound tasks { ` +
		taskFields + ` } ` + confirmation + bulkFields + ` } }`,
	"completeTask": `mutation($input: CompleteTaskInput!) { completeTask(input: $input) { completion { completedAt occurrence } task { ` + taskFields + ` } ` + confirmation + taskContext + userErrors + ` } }`,
	"deleteTask": `mutation($input: DeleteTaskInput!) { deleteTask(input: $input) { deleted task { ` + taskFields +
		` } ` + confirmation + taskContext + userErrors + ` } }`,
	"deleteTasks":   `mutation($input: DeleteTasksInput!) { deleteTasks(input: $input) { deleted notFound tasks { id text } ` + confirmation + bulkFields + ` } }`,
	"undoAction":    `mutation($input: UndoActionInput!) { undoAction(input: $input) { action { id summary touched } undone { id undone } ` + confirmation + userErrors + ` } }`,
	"addSubtask":    `mutation($input: AddSubtaskInput!) { addSubtask(input: $input) { subtask { id text completed createdAt } task { id updatedAt subtasks { text } } ` + userErrors + ` } }`,
	"updateSubtask": `mutation($input: UpdateSubtaskInput!) { updateSubtask(input: $input) { subtask { id text completed } task { id updatedAt subtasks { text completed } } ` + userErrors + ` } }`,
	"deleteSubtask": `mutation($input: DeleteSubtaskInput!) { deleteSubtask(input: $input) { deleted subtask { id text } task { id subtasks { text } } ` + userErrors + ` } }`,
	"createList": `mutation($input: CreateListInput!) { createList(input: $input) { list { ` + listFields +
		` } existingList { id name } context { isListing isEmpty } ` + userErrors + ` } }`,
	"updateList": `mutation($input: UpdateListInput!) { updateList(input: $input) { list { ` + listFields +
		` } existingList { id name } ` + confirmation + userErrors + ` } }`,
	"deleteList": `mutation($input: DeleteListInput!) { deleteList(input: $input) { deleted list { ` + listFields +
		` } ` + confirmation + userErrors + ` } }`,
	"updateListItems": `mutation($input: UpdateListItemsInput!) { updateListItems(input: $input) { list { ` + listFields +
		` } outcomes { action index status code message item { id text checked } candidates { id text } } ` + confirmation +
		userErrors + ` } }`,
	"storeMemory": `mutation($input: StoreMemoryInput!) { storeMemory(input: $input) { memory { ` + memoryFields +
		` } overridden ` + memoryContext + confirmation + userErrors + ` } }`,
	"storeMemories": `mutation($input: StoreMemoriesInput!) { storeMemories(input: $input) { created overridden unchanged memories { id content version } errors { nodeId index message code } ` + memoryContext + userErrors + ` } }`,
	"updateMemory": `mutation($input: UpdateMemoryInput!) { updateMemory(input: $input) { memory { ` + memoryFields +
		` } ` + memoryContext + userErrors + ` } }`,
	"restoreMemory": `mutation($input: RestoreMemoryInput!) { restoreMemory(input: $input) { memory { ` + memoryFields +
		` } ` + memoryContext + userErrors + ` } }`,
	"deleteMemories": `mutation($input: DeleteMemoriesInput!) { deleteMemories(input: $input) { deleted total deletedIds notFound errors { nodeId index message code } ` + confirmation + memoryContext + userErrors + ` } }`,
	"addFacts":       `mutation($input: AddFactsInput!) { addFacts(input: $input) { created unchanged invalidated entitiesCreated facts { ` + factFields + ` itemContext { isCurrent isInvalidated isUpcoming isNew } } errors { nodeId index message code } ` + knowledgeContext + userErrors + ` } }`,
	"addEpisode": `mutation($input: AddEpisodeInput!) { addEpisode(input: $input) { episode { ` + episodeFields +
		` } state message ` + knowledgeContext + userErrors + ` } }`,
	"extractEpisode": `mutation($input: ExtractEpisodeInput!) { extractEpisode(input: $input) { episode { ` +
		episodeFields + ` } ` + knowledgeContext + userErrors + ` } }`,
	"invalidateFacts": `mutation($input: InvalidateFactsInput!) { invalidateFacts(input: $input) { updated facts { ` +
		factFields + ` } notFound errors { nodeId index message code } ` + knowledgeContext + userErrors + ` } }`,
	"updateEntity": `mutation($input: UpdateEntityInput!) { updateEntity(input: $input) { entity { ` + entityFields +
		` } ` + knowledgeContext + userErrors + ` } }`,
	"mergeEntities": `mutation($input: MergeEntitiesInput!) { mergeEntities(input: $input) { entity { ` + entityFields +
		` facts { fact } } merged factsMoved factsJoined ` + knowledgeContext + userErrors + ` } }`,
	"deleteEntity": `mutation($input: DeleteEntityInput!) { deleteEntity(input: $input) { deleted deletedId deletedFacts ` +
		knowledgeContext + userErrors + ` } }`,
	"deleteFact": `mutation($input: DeleteFactInput!) { deleteFact(input: $input) { deleted deletedId ` + knowledgeContext +
		userErrors + ` } }`,
	"deleteEpisode":  `mutation($input: DeleteEpisodeInput!) { deleteEpisode(input: $input) { deleted deletedId deletedFacts deletedEntities ` + knowledgeContext + userErrors + ` } }`,
	"clearKnowledge": `mutation($input: ClearKnowledgeInput! = {}) { clearKnowledge(input: $input) { cleared deletedEntities deletedFacts deletedEpisodes ` + confirmation + knowledgeContext + userErrors + ` } }`,
	"updateSettings": `mutation($input: UpdateSettingsInput!) { updateSettings(input: $input) { settings { timeZone locale weekStart } ` + userErrors + ` } }`,
}

// story is a random sequence of requests to both harnesses, and what a client has learnt from their answers.
type story struct {
	t      *testing.T
	random *rand.Rand
	twins
	user    string
	header  map[string]string
	ids     map[string][]string // by kind
	cursors map[string][]string // by the list and order they belong to
	pending []pendingQuestion
	keyed   []keyedRequest
	copy    map[string]json.RawMessage
	seen    string // the cursor up to which copy is true
	key     int
	// told counts what mutations came to, to see that stories are about something.
	told map[string]int
}

type pendingQuestion struct {
	mutation   string
	input      map[string]any
	token      string
	candidates []string
}

type keyedRequest struct {
	key, mutation string
	input         map[string]any
	answer        string
	at            time.Time
}

// Both stores give the same answers to the same story, letter by letter, and at every point of it what is asked in
// different ways agrees.
func TestBothStoresTellTheSameStory(t *testing.T) {
	t.Parallel()
	zones := []string{"Asia/Jerusalem", "America/New_York", "Pacific/Apia", "Australia/Lord_Howe", "America/St_Johns",
		"Asia/Kathmandu"}
	for i := range uint64(3) {
		n := *seed + i
		t.Run(fmt.Sprintf("seed %d", n), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(n, 7))
			// Shortly before clocks change in Jerusalem, New York or Lord Howe.
			starts := []time.Time{time.Date(2026, 3, 26, 20, 30, 0, 0, time.UTC), time.Date(2026, 10, 24, 20, 59, 0, 0,
				time.UTC), time.Date(2026, 3, 8, 4, 30, 0, 0, time.UTC), time.Date(2026, 12, 31, 21, 58, 0, 0, time.UTC)}
			s := &story{
				t: t, random: random, twins: buildBoth(t, starts[random.IntN(len(starts))]), user: "alice",
				header: map[string]string{"X-Time-Zone": zones[int(n)%len(zones)],
					"Accept-Language": pick(random, []string{"en", "he"})},
				ids: map[string][]string{}, cursors: map[string][]string{}, copy: map[string]json.RawMessage{},
				told: map[string]int{},
			}
			defer func() { t.Logf("%v", s.told) }()
			for range *steps {
				s.step()
				s.check()
				if t.Failed() {
					return
				}
			}
		})
	}
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

func (s *story) chance(oneIn int) bool { return s.random.IntN(oneIn) == 0 }

func (s *story) now() time.Time { return s.harnesses[0].clock.Now() }

// ask sends a document to both harnesses and learns from the answer.
func (s *story) ask(header map[string]string, query string, variables any) string {
	s.t.Helper()
	all := maps.Clone(s.header)
	maps.Copy(all, header)
	answer := s.sayAll(s.t, s.user, all, query, variables)
	if problem := isCivil(answer); problem != "" {
		s.t.Errorf("%s %s: %s", query, brief(variables), problem)
	}
	for _, id := range realID.FindAllString(answer, -1) {
		kind, _, _ := strings.Cut(id, "_")
		if !slices.Contains(s.ids[kind], id) {
			s.ids[kind] = append(s.ids[kind], id)
		}
	}
	return answer
}

func (s *story) mutate(mutation string, input map[string]any, header map[string]string) string {
	s.t.Helper()
	answer := s.ask(header, mutations[mutation], map[string]any{"input": input})
	var got struct {
		Data map[string]struct {
			Confirmation *struct {
				Token      string
				Candidates []struct{ ID string }
			}
			UserErrors, Errors []struct{ Code string }
		}
	}
	outcome := "done"
	defer func() { s.told[mutation+" "+outcome]++ }()
	if json.Unmarshal([]byte(answer), &got) == nil {
		for _, e := range append(got.Data[mutation].UserErrors, got.Data[mutation].Errors...) {
			outcome = e.Code
		}
	}
	if got.Data[mutation].Confirmation != nil {
		outcome = "asked"
	}
	if json.Unmarshal([]byte(answer), &got) == nil && got.Data[mutation].Confirmation != nil {
		question := pendingQuestion{mutation: mutation, input: clone(input).(map[string]any),
			token: got.Data[mutation].Confirmation.Token}
		for _, candidate := range got.Data[mutation].Confirmation.Candidates {
			question.candidates = append(question.candidates, candidate.ID)
		}
		s.pending = append(s.pending, question)
	}
	return answer
}

// step does one thing at random.
func (s *story) step() {
	s.t.Helper()
	if len(s.copy) > 60 {
		s.mutate("deleteTasks", map[string]any{"ids": anySlice(s.some("task", 30))}, nil)
	}
	switch s.random.IntN(20) {
	case 0, 1:
		by := pick(s.random, []time.Duration{time.Microsecond, time.Second, time.Minute, 5 * time.Minute, 30 * time.Minute,
			time.Hour, 3 * time.Hour, 24 * time.Hour, 40 * 24 * time.Hour})
		for _, h := range s.harnesses {
			h.clock.Advance(by)
		}
	case 2:
		for _, h := range s.harnesses {
			h.work(s.t)
		}
	case 3:
		if s.chance(3) {
			for _, h := range s.harnesses {
				if err := h.store.Sweep(s.t.Context(), s.now(), 30*24*time.Hour); err != nil {
					s.t.Error(err)
				}
			}
		}
	case 4:
		s.answerQuestion()
	case 5:
		s.repeatKey()
	case 6, 7, 8:
		s.query()
	default:
		mutation := pick(s.random, slices.Sorted(maps.Keys(mutations)))
		if s.chance(2) {
			mutation = pick(s.random, []string{"createTask", "createTasks", "updateTask", "completeTask", "updateListItems",
				"updateTasks", "storeMemory", "storeMemories", "updateMemory", "restoreMemory", "storeMemory", "addFacts",
				"addFacts", "updateEntity", "addEpisode"})
		}
		input := s.input(mutation)
		if !s.chance(5) {
			s.mutate(mutation, input, nil)
			return
		}
		s.key++
		request := keyedRequest{key: fmt.Sprintf("key-%d", s.key), mutation: mutation, input: input, at: s.now()}
		request.answer = s.mutate(mutation, input, map[string]string{"Idempotency-Key": request.key})
		s.keyed = append(s.keyed, request)
	}
}

// answerQuestion answers an open question rightly or wrongly.
func (s *story) answerQuestion() {
	if len(s.pending) == 0 {
		return
	}
	question := s.pending[len(s.pending)-1] // the youngest is the likeliest not to have expired
	if s.chance(3) {
		question = pick(s.random, s.pending)
	}
	input := clone(question.input).(map[string]any)
	confirm := map[string]any{"token": question.token}
	switch n := s.random.IntN(5); {
	case n == 0 || len(question.candidates) == 0:
		confirm["all"] = true
	case n == 1:
		confirm["choose"] = anySlice(s.some(pick(s.random, []string{"task", "memory"}), 1))
	case n == 2:
		confirm["choose"] = anySlice(question.candidates)
	default:
		confirm["choose"] = []any{pick(s.random, question.candidates)}
	}
	if s.chance(8) {
		confirm["token"] = question.token + "A"
	}
	input["confirm"] = confirm
	s.mutate(question.mutation, input, nil)
}

// repeatKey sends a request with a key again: within a day its answer is the one it had, to the letter, and nothing
// happens.
func (s *story) repeatKey() {
	if len(s.keyed) == 0 {
		return
	}
	request := pick(s.random, s.keyed)
	header := map[string]string{"Idempotency-Key": request.key}
	before := s.head()
	if s.chance(3) {
		if s.now().Sub(request.at) < 24*time.Hour {
			if answer := s.ask(header, mutations["createTask"], map[string]any{
				"input": map[string]any{"text": "under a used key"}}); !strings.Contains(answer, "IDEMPOTENCY_CONFLICT") {
				s.t.Errorf("key %s was taken again: %s", request.key, answer)
			}
		}
	} else if s.now().Sub(request.at) < 24*time.Hour {
		if answer := s.ask(header, mutations[request.mutation], map[string]any{
			"input": request.input}); answer != request.answer && !strings.Contains(answer, "was erased since") {
			s.t.Errorf("key %s: first %s, then %s", request.key, request.answer, answer)
		}
	}
	if after := s.head(); after != before {
		s.t.Errorf("key %s did something again", request.key)
	}
}

func (s *story) head() int64 {
	s.t.Helper()
	head, err := s.harnesses[0].store.ChangeHead(s.t.Context(), model.UserIDOf(s.user))
	if err != nil {
		s.t.Error(err)
	}
	return head
}

func anySlice(texts []string) []any {
	out := make([]any, len(texts))
	for i, text := range texts {
		out[i] = text
	}
	return out
}

// some gives up to n ids of a kind, now and then one that is none, or is there twice.
func (s *story) some(kind string, n int) []string {
	var out []string
	for range n {
		switch {
		case s.chance(15):
			out = append(out, kind+"_00000000000000000000000000")
		case s.chance(30):
			out = append(out, "nonsense")
		case len(s.ids[kind]) == 0:
		case s.chance(3):
			out = append(out, pick(s.random, s.ids[kind]))
		default: // rather one that is young, and so still there
			young := s.ids[kind][max(0, len(s.ids[kind])-8):]
			out = append(out, pick(s.random, young))
		}
	}
	return out
}

func (s *story) one(kind string) string {
	if ids := s.some(kind, 1); len(ids) > 0 {
		return ids[0]
	}
	return kind + "_00000000000000000000000000"
}
