package postgres_test

import (
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"almanac/adapters/store/postgres"
	"almanac/migrations"
)

// ordered holds every statement of stores to two rules, which Citus asks for. The first: the parts of a statement see,
// on PostgreSQL, the tables as they were before it, whatever their order. Citus runs the parts of some statements, of
// those that insert, one after another, and then a part sees what those before it have written. So a statement means
// the same on both only when no part reads a table that an earlier one writes, and when what reads is MATERIALIZED,
// since otherwise it may be read where it is used.
//
// The second: what is inserted from parts, or from what is read, has its user from a row, and stands in a part; see
// ofUser.
type ordered struct {
	t      *testing.T
	tables []string
	mu     sync.Mutex
	seen   map[string]bool
}

func inOrder(t *testing.T) *ordered {
	t.Helper()
	return &ordered{t: t, tables: tablesOfMigrations(t), seen: map[string]bool{}}
}

// look looks at the statements of a store as well.
func (o *ordered) look(options *postgres.Options) {
	before := options.Trace
	options.Trace = func(sql string) {
		if before != nil {
			before(sql)
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		for one := range strings.SplitSeq(sql, ";\n") {
			if o.seen[one] {
				continue
			}
			o.seen[one] = true
			for _, wrong := range append(outOfOrder(one, o.tables), insertsWithoutUser(one, o.tables)...) {
				o.t.Errorf("%s, in\n%s", wrong, one)
			}
		}
	}
}

// end asks that the statements that matter were there, unless only a part of the suite was asked for.
func (o *ordered) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		return
	}
	writing := 0
	for one := range o.seen {
		parts := partsOf(one)
		if len(parts) > 1 && slices.ContainsFunc(parts, func(p part) bool { return p.writes() != "" }) {
			writing++
		}
	}
	if writing < 30 {
		o.t.Errorf("only %d statements with parts that write were seen", writing)
	}
}

// TestTheOrderOfPartsIsLookedAt: the rule finds what it is for.
func TestTheOrderOfPartsIsLookedAt(t *testing.T) {
	t.Parallel()
	tables := []string{"tasks", "lists", "changes"}
	for sql, want := range map[string]string{
		`WITH old AS MATERIALIZED (SELECT id FROM tasks WHERE user_id = $1), new AS (INSERT INTO tasks (user_id, id)
SELECT $1, id FROM old) SELECT count(*) FROM old`: "",
		`WITH new AS (INSERT INTO tasks (user_id) VALUES ($1) RETURNING id) SELECT id FROM new`:                           "",
		`WITH new AS (INSERT INTO tasks (user_id) VALUES ($1) RETURNING id), l AS (SELECT FROM lists) SELECT FROM new, l`: "",
		`UPDATE tasks SET text = (SELECT ') FROM lists' FROM tasks) WHERE user_id = $1`:                                   "",
		`WITH new AS (INSERT INTO tasks (user_id) VALUES ($1)), old AS MATERIALIZED (
	SELECT t.id FROM lists AS l, tasks AS t) SELECT FROM old`: "part old reads tasks after part new has written it",
		`WITH new AS (INSERT INTO tasks (user_id) VALUES ($1)) SELECT count(*) FROM tasks`: "the end reads tasks after " +
			"part new has written it",
		`WITH gone AS (DELETE FROM tasks WHERE user_id = $1), kept AS (UPDATE lists SET n = (SELECT count(*)
FROM lists AS l JOIN tasks AS t ON true) WHERE user_id = $1) SELECT`: "part kept reads tasks after part gone has written it",
		`WITH gone AS (DELETE FROM tasks WHERE user_id = $1), kept AS (UPDATE tasks SET n = 1) SELECT`: "",
		`WITH gone AS (DELETE FROM tasks WHERE user_id = $1), kept AS (UPDATE tasks SET n = 1), new AS (
	INSERT INTO lists (user_id) VALUES ($1)) SELECT`: "part kept reads tasks after part gone has written it",
		`WITH old AS (SELECT id FROM tasks), new AS (INSERT INTO tasks (user_id) SELECT $1 FROM old) SELECT`: "part old " +
			"reads tasks, which the statement writes, and is not MATERIALIZED",
		`WITH old AS (SELECT id FROM tasks) DELETE FROM tasks USING old WHERE user_id = $1`: "part old reads tasks, " +
			"which the statement writes, and is not MATERIALIZED",
	} {
		if got := strings.Join(outOfOrder(sql, tables), "; "); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", sql, got, want)
		}
	}
}

// TestInsertedRowsHaveTheirUserFromARow: the rule finds what it is for.
func TestInsertedRowsHaveTheirUserFromARow(t *testing.T) {
	t.Parallel()
	tables := []string{"tasks", "lists", "users"}
	for sql, want := range map[string]string{
		`INSERT INTO tasks (user_id, id) VALUES ($1, $2)`:                                             "",
		`INSERT INTO tasks (user_id, id) SELECT $1, i.id FROM unnest($2::uuid[]) AS i (id)`:           "",
		`INSERT INTO tasks (user_id, id) SELECT l.user_id, l.id FROM lists AS l WHERE l.user_id = $1`: "",
		`WITH may AS MATERIALIZED (SELECT FROM lists WHERE user_id = $1), made AS (INSERT INTO tasks (user_id, id)
	SELECT o.user_id, $2 FROM (SELECT user_id FROM users WHERE user_id = $1) AS o, may) SELECT FROM may`: "",
		`WITH may AS MATERIALIZED (SELECT FROM lists WHERE user_id = $1), made AS (INSERT INTO tasks (user_id, id)
	SELECT $1, $2 FROM may) SELECT FROM may`: "part made inserts for $1, and not for a user that it has read",
		`INSERT INTO tasks AS t (user_id, id) SELECT $1::uuid, $2 WHERE EXISTS (SELECT FROM lists WHERE user_id = $1)`: "the " +
			"end inserts for $1, and not for a user that it has read",
		`WITH gone AS (DELETE FROM tasks WHERE user_id = $1) INSERT INTO lists (user_id, id)
	SELECT l.user_id, l.id FROM lists AS l WHERE l.user_id = $1`: "the end inserts what it has read, after parts that write",
		`WITH gone AS (DELETE FROM tasks WHERE user_id = $1) INSERT INTO lists (user_id, id) VALUES ($1, $2)`: "",
	} {
		if got := strings.Join(insertsWithoutUser(sql, tables), "; "); got != want {
			t.Errorf("%s\ngot  %q\nwant %q", sql, got, want)
		}
	}
}

// insertsWithoutUser tells which parts insert rows of a user without having read the user from a row, though they read
// tables or other parts, and whether the end inserts what should be a part: Citus sends the parts before such an end to
// the user's server with it, where it refuses those that write.
func insertsWithoutUser(sql string, tables []string) []string {
	parts := partsOf(sql)
	var wrong []string
	writes := func(p part) bool { return p.writes() != "" }
	if end := parts[len(parts)-1]; selected.MatchString(end.body) && slices.ContainsFunc(parts[:len(parts)-1], writes) {
		wrong = append(wrong, end.called()+" inserts what it has read, after parts that write")
	}
	for _, p := range parts {
		if !ofParameter.MatchString(p.body) || len(parts) == 1 && len(p.reads(tables, false)) == 0 {
			continue
		}
		wrong = append(wrong, p.called()+" inserts for $1, and not for a user that it has read")
	}
	return wrong
}

// part is a part of a statement; the one without a name is its end.
type part struct {
	name, body   string
	materialized bool
}

var (
	partHead = regexp.MustCompile(`^(?:WITH |, )([a-z_]+)(?: \([a-z_, ]+\))? AS (MATERIALIZED )?\(`)
	verb     = regexp.MustCompile(`^(?:INSERT INTO|UPDATE|DELETE FROM) ([a-z_]+)`)
	// ofParameter is an INSERT that selects the first parameter for its first column.
	ofParameter = regexp.MustCompile(`^INSERT INTO [^()]+\([^()]+\) SELECT \$1\b`)
	selected    = regexp.MustCompile(`^INSERT INTO [^()]+\([^()]+\) SELECT `)
	literal     = regexp.MustCompile(`'(?:[^']|'')*'`)
	space       = regexp.MustCompile(`\s+`)
	source      = regexp.MustCompile(`(?:FROM|JOIN|USING) (?:LATERAL )?([a-z_]+)|, ([a-z_]+) AS [a-z_]+`)
)

// called is what the part is called in a message.
func (p part) called() string {
	if p.name == "" {
		return "the end"
	}
	return "part " + p.name
}

// writes returns the table that the part writes, if any.
func (p part) writes() string {
	if found := verb.FindStringSubmatch(p.body); found != nil {
		return found[1]
	}
	return ""
}

// reads returns those of the tables that the part reads; with changed, also what an UPDATE or a DELETE changes.
func (p part) reads(tables []string, changed bool) []string {
	// Nobody writes the id of a user who is there.
	body := strings.ReplaceAll(p.body, "FROM (SELECT user_id FROM users WHERE user_id = $1) AS o", "FROM o")
	if !changed {
		body = strings.TrimPrefix(body, "DELETE FROM "+p.writes())
	}
	var found []string
	for _, match := range source.FindAllStringSubmatch(body, -1) {
		found = append(found, match[1]+match[2])
	}
	if changed && strings.HasPrefix(p.body, "UPDATE ") {
		found = append(found, p.writes())
	}
	slices.Sort(found)
	return slices.DeleteFunc(slices.Compact(found), func(name string) bool { return !slices.Contains(tables, name) })
}

// partsOf takes a statement apart.
func partsOf(sql string) []part {
	rest := strings.TrimSpace(space.ReplaceAllString(literal.ReplaceAllString(sql, "''"), " "))
	rest = strings.NewReplacer("( ", "(", " )", ")").Replace(rest)
	var parts []part
	for {
		head := partHead.FindStringSubmatch(rest)
		if head == nil || parts == nil && !strings.HasPrefix(rest, "WITH ") {
			return append(parts, part{body: strings.TrimSpace(rest)})
		}
		rest = rest[len(head[0]):]
		end, depth := 0, 1
		for ; end < len(rest); end++ {
			switch rest[end] {
			case '(':
				depth++
			case ')':
				depth--
			}
			if depth == 0 {
				break
			}
		}
		parts = append(parts, part{name: head[1], body: rest[:end], materialized: head[2] != ""})
		rest = rest[min(end+1, len(rest)):]
	}
}

// outOfOrder tells what a statement reads too late.
func outOfOrder(sql string, tables []string) []string {
	parts := partsOf(sql)
	var wrong []string
	written := map[string]string{}
	// What inserts nothing goes whole to the user's server, where two parts may change different rows of a table.
	inserts := slices.ContainsFunc(parts, func(p part) bool { return strings.HasPrefix(p.body, "INSERT ") })
	for _, p := range parts {
		name := p.called()
		for _, table := range p.reads(tables, inserts) {
			if by := written[table]; by != "" {
				wrong = append(wrong, fmt.Sprintf("%s reads %s after part %s has written it", name, table, by))
			}
			if p.name != "" && p.writes() == "" && !p.materialized &&
				slices.ContainsFunc(parts, func(other part) bool { return other.writes() == table }) {
				wrong = append(wrong, fmt.Sprintf("%s reads %s, which the statement writes, and is not MATERIALIZED", name, table))
			}
		}
		if table := p.writes(); table != "" {
			written[table] = p.name
		}
	}
	return wrong
}

var createTable = regexp.MustCompile(`CREATE TABLE ([a-z_]+)`)

func tablesOfMigrations(t *testing.T) []string {
	t.Helper()
	steps, err := migrations.For(migrations.Postgres)
	if err != nil {
		t.Fatal(err)
	}
	var tables []string
	for _, step := range steps {
		for _, found := range createTable.FindAllStringSubmatch(step.SQL, -1) {
			tables = append(tables, found[1])
		}
	}
	if len(tables) < 30 {
		t.Fatalf("tables of the migrations: %v", tables)
	}
	return tables
}
