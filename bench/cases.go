//go:build bench

package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"
)

// question is one request to each kind of server.
type question struct {
	asker *person
	// query and variables are what a GraphQL server is sent.
	query     string
	variables any
	// method, path and body are what the handler written by hand is sent; the body may be nil.
	method, path string
	body         any
}

// benchCase is one thing that is measured.
type benchCase struct {
	name, title string
	// ask makes a question about a random user.
	ask func(w *world, random *rand.Rand) question
	// writes says that each question changes data, so that each must be a new one.
	writes bool
	// proof is what every right answer contains.
	proof string
}

// object is a JSON object of a request.
type object map[string]any

// cases are all there are, in the order of the report.
func cases() []benchCase {
	return []benchCase{
		{name: "t50", title: "50 tasks, 12 scalars and 8 flags", ask: list(50), proof: `"isTomorrowOrLater":`},
		{name: "slim", title: "50 tasks, 4 scalars", ask: slim, proof: `"dueDate":`},
		{name: "t100", title: "100 tasks with everything", ask: full, proof: `"subtasks":`},
		{name: "tiny", title: "one task by id", ask: one, proof: `"isTomorrowOrLater":`},
		{name: "nodes100", title: "100 nodes by id", ask: nodes, proof: `"isTomorrowOrLater":`},
		{name: "board", title: "counts and 10 of each of 5 buckets", ask: board, proof: `"noDueDate":`},
		{name: "page1", title: "the first 50 of 100,000 tasks", ask: firstPage, proof: `"isTomorrowOrLater":`},
		{name: "page1000", title: "page 1,000 of them", ask: latePage, proof: `"isTomorrowOrLater":`},
		{name: "create", title: "create a task", ask: create, writes: true, proof: `"userErrors":[]`},
		{name: "bulk", title: "create 100 tasks at once", ask: bulk, writes: true, proof: `"created":100`},
	}
}

func pick(people []*person, random *rand.Rand) *person { return people[random.IntN(len(people))] }

func list(size int) func(w *world, random *rand.Rand) question {
	return func(w *world, random *rand.Rand) question {
		return question{
			asker: pick(w.readers, random), query: listQuery, variables: object{"first": size},
			method: "GET", path: "/tasks?first=" + strconv.Itoa(size),
		}
	}
}

func slim(w *world, random *rand.Rand) question {
	return question{asker: pick(w.readers, random), query: slimQuery, variables: object{"first": 50}, method: "GET",
		path: "/tasks/slim?first=50"}
}

func full(w *world, random *rand.Rand) question {
	return question{asker: pick(w.readers, random), query: fullQuery, variables: object{"first": 100}, method: "GET",
		path: "/tasks/full?first=100"}
}

func one(w *world, random *rand.Rand) question {
	asker := pick(w.readers, random)
	id := asker.open[random.IntN(len(asker.open))]
	return question{asker: asker, query: oneQuery, variables: object{"id": id}, method: "GET", path: "/tasks/" + id}
}

func nodes(w *world, random *rand.Rand) question {
	asker := pick(w.readers, random)
	ids := make([]string, min(100, len(asker.open)))
	for i, at := range random.Perm(len(asker.open))[:len(ids)] {
		ids[i] = asker.open[at]
	}
	return question{asker: asker, query: nodesQuery, variables: object{"ids": ids}, method: "POST", path: "/tasks/batch",
		body: object{"ids": ids}}
}

func board(w *world, random *rand.Rand) question {
	return question{asker: pick(w.readers, random), query: boardQuery, variables: object{"first": 10}, method: "GET",
		path: "/board?first=10"}
}

func firstPage(w *world, _ *rand.Rand) question {
	return question{asker: w.deep, query: listQuery, variables: object{"first": 50}, method: "GET",
		path: "/tasks?first=50"}
}

func latePage(w *world, _ *rand.Rand) question {
	return question{
		asker: w.deep, query: listQuery, variables: object{"first": 50, "after": w.place.cursor},
		method: "GET", path: "/tasks?first=50&after=" + w.place.id,
	}
}

// freshTask is a task that nobody has yet.
func freshTask(random *rand.Rand) object {
	return object{
		"text":     fmt.Sprintf("Water the plants on the balcony, עוד משימה חדשה %016x", random.Uint64()),
		"category": "Home",
		"dueDate":  time.Date(2099, time.January, 1+random.IntN(28), 9, 0, 0, 0, time.UTC).Format(time.RFC3339),
	}
}

func create(w *world, random *rand.Rand) question {
	task := freshTask(random)
	return question{asker: pick(w.writers, random), query: createQuery, variables: object{"input": task}, method: "POST",
		path: "/tasks", body: task}
}

func bulk(w *world, random *rand.Rand) question {
	tasks := make([]object, 100)
	for i := range tasks {
		tasks[i] = freshTask(random)
	}
	input := object{"tasks": tasks}
	return question{asker: pick(w.writers, random), query: bulkQuery, variables: object{"input": input}, method: "POST",
		path: "/tasks/bulk", body: input}
}

// graphqlBody is the question as the body of a POST.
func (q question) graphqlBody() ([]byte, error) {
	return json.Marshal(struct {
		Query     string `json:"query"`
		Variables any    `json:"variables"`
	}{q.query, q.variables})
}

// restBody is the body for the handler written by hand; nil without one.
func (q question) restBody() ([]byte, error) {
	if q.body == nil {
		return nil, nil
	}
	return json.Marshal(q.body)
}
