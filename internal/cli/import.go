package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/app"
	"almanac/internal/auth"
	"almanac/projections/occur"
	"almanac/resolvers/memories"
)

const (
	// importAtOnce is how many records one transaction takes in.
	importAtOnce = 100
	// maxImportLine bounds a line, in bytes: a memory with a hundred versions of the greatest length comes nowhere near
	// it.
	maxImportLine = 64 << 20
	// importRules is how much memory the recurrence rules of imported events take, in bytes.
	importRules = 1 << 20
	// wrongLinesTold is how many lines that cannot be taken in are named.
	wrongLinesTold = 10
)

// importAll is the command "import": it takes in what an export has, or exportMemories. What is there already stays as
// it is, so that it can be run again. Every line is read and checked before the first one is written.
func (p Program) importAll(ctx context.Context, args []string) error {
	own := newFlags("import", "in")
	subject := own.String("user", auth.LocalSubject, "for whom: the subject, as a JWT would name it")
	path := own.String("in", "-", "the file to read; - for standard input")
	return p.withStore(ctx, args, own, func(ctx context.Context, d database) error {
		file, closeIt, err := importFile(*path)
		if err != nil {
			return err
		}
		said, err := d.takeIn(ctx, file, *subject)
		if err = errors.Join(err, closeIt()); err != nil {
			return err
		}
		_, err = fmt.Fprint(p.Out, said)
		return err
	})
}

// importFile opens what is to be read twice. What can be read once only, as standard input, is copied into a file
// first, which close removes.
func importFile(path string) (file *os.File, closeIt func() error, err error) {
	in := os.Stdin
	if path != "-" {
		if in, err = os.Open(path); err != nil {
			return nil, nil, err
		}
		info, err := in.Stat()
		if err != nil || info.Mode().IsRegular() {
			return in, in.Close, err
		}
	}
	file, err = os.CreateTemp("", "almanac-import") // only its owner may read it
	if err != nil {
		return nil, nil, errors.Join(err, in.Close())
	}
	closeIt = func() error { return errors.Join(in.Close(), file.Close(), os.Remove(file.Name())) }
	if _, err = io.Copy(file, in); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, nil, errors.Join(err, closeIt())
	}
	return file, closeIt, nil
}

// takeIn reads a file twice, to check it and to write it, and says what came of it.
func (d database) takeIn(ctx context.Context, file *os.File, subject string) (said string, err error) {
	check := newIntake(d, subject)
	if err := check.readAll(ctx, file); err != nil {
		return "", err
	}
	if check.wrong != nil {
		return "", fmt.Errorf("nothing was taken in:\n%w", errors.Join(check.wrong...))
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	write := newIntake(d, subject)
	if err := write.begin(ctx, check.head); err != nil {
		return "", err
	}
	if err := write.readAll(ctx, file); err != nil {
		return "", fmt.Errorf("%w\nWhat stands before it is in. Import the file again when it is mended: what is in is not "+
			"taken in twice", err)
	}
	return write.report(), nil
}

// intake checks the lines of an export, and writes them, some at a time, once it has begun.
type intake struct {
	database
	subject string
	user    model.UserID
	kinds   []*importKind
	// head is the user's line, when there is one; ended: the last line was read.
	head  *exportedUser
	ended bool
	// wrong are the lines that cannot be taken in.
	wrong []error

	writing bool
	// fresh: the user has nothing but what a new user has, so that the settings of the file become theirs.
	fresh   bool
	batch   []importItem
	batchOf *importKind

	// calendars are those of the file by their id there; of one that is left out the number is 0.
	calendars map[string]importedCalendar
	rules     *occur.Rules
	// left counts what is left out by a sentence, notes are said once.
	left  map[string]int
	notes []string
}

// importItem is a checked line.
type importItem struct {
	line   int
	record any
}

func newIntake(d database, subject string) *intake {
	w := &intake{database: d, subject: subject, user: model.UserIDOf(subject), rules: occur.NewRules(importRules),
		calendars: map[string]importedCalendar{}, left: map[string]int{}}
	w.kinds = []*importKind{
		importOf("user", "settings", w.readUser, w.writeSettings),
		importOf("task", "tasks", readTask, w.writeTasks),
		importOf("list", "lists", readList, w.writeLists),
		importOf("memory", "memories", w.readMemory, w.writeMemories),
		importOf("calendar", "calendars", w.readCalendar, w.writeCalendars),
		importOf("event", "events", w.readEvent, w.writeEvents),
		importOf("episode", "episodes", readEpisode, w.writeEpisodes),
		importOf("entity", "entities", readEntity, w.writeEntities),
		importOf("fact", "facts", readFact, w.writeFacts),
		importOf("connection", "accounts", readConnection, w.writeConnections),
	}
	return w
}

// importKind is what is done with one kind of lines.
type importKind struct {
	name, plural string
	read         func(data []byte) (any, error)
	// write writes records of the kind in one transaction, and says of each what became of it.
	write func(ctx context.Context, tx store.Tx, records []any) ([]memories.ImportedAs, error)
	fates [memories.ImportedAlready + 1]int
}

// importOf makes a kind of the functions of one type of record.
func importOf[T any](name, plural string, read func(data []byte) (T, error),
	write func(ctx context.Context, tx store.Tx, records []T) ([]memories.ImportedAs, error)) *importKind {
	return &importKind{name: name, plural: plural,
		read: func(data []byte) (any, error) { return read(data) },
		write: func(ctx context.Context, tx store.Tx, records []any) ([]memories.ImportedAs, error) {
			all := make([]T, len(records))
			for i, record := range records {
				all[i], _ = record.(T) // read made it
			}
			return write(ctx, tx, all)
		}}
}

// begin makes the user, as the file's when it is the same one, and goes on to writing.
func (w *intake) begin(ctx context.Context, head *exportedUser) error {
	w.writing = true
	there, err := w.User(ctx, w.user)
	switch {
	case err == nil:
		defaults := app.NewUser(w.settings, w.subject, there.CreatedAt)
		w.fresh = there.Settings == defaults.Settings
		return nil
	case !errors.Is(err, store.ErrNotFound):
		return err
	}
	user := app.NewUser(w.settings, w.subject, w.now())
	if head != nil && head.Subject == w.subject {
		user.CreatedAt, user.Email = head.CreatedAt, head.Email
	}
	w.fresh = true
	_, err = w.EnsureUser(ctx, user)
	return err
}

// readAll reads line by line. While it checks it gathers the lines that are wrong; later an error names the line.
func (w *intake) readAll(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxImportLine)
	number, full := 0, 0
	for lines.Scan() {
		number++
		if len(lines.Bytes()) == 0 {
			continue
		}
		err := w.take(ctx, number, full, lines.Bytes())
		full++
		if err == nil {
			continue
		}
		if w.writing {
			return err
		}
		if w.wrong = append(w.wrong, fmt.Errorf("line %d: %w", number, err)); len(w.wrong) == wrongLinesTold {
			return nil
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("after line %d: %w", number, err)
	}
	if w.head != nil && !w.ended && w.wrong == nil {
		return errors.New("the file ends in the middle: its last line is not there")
	}
	return w.flush(ctx)
}

// take reads one line: of an export, with its kind, or of exportMemories. before counts the lines before it.
func (w *intake) take(ctx context.Context, number, before int, text []byte) error {
	kind, data, err := w.open(before, text)
	if err != nil || kind == nil {
		return err
	}
	record, err := kind.read(data)
	if err != nil || !w.writing {
		return err
	}
	if w.batchOf != kind || len(w.batch) == importAtOnce {
		if err := w.flush(ctx); err != nil {
			return err
		}
	}
	w.batchOf, w.batch = kind, append(w.batch, importItem{number, record})
	return nil
}

// importLine is a line as it stands in the file.
type importLine struct {
	Kind   *string  `json:"kind"`
	Format *int     `json:"format"`
	Data   importee `json:"data"`
}

// open returns the kind of a line and its record; nil for a line that has none to be taken in.
func (w *intake) open(before int, text []byte) (*importKind, []byte, error) {
	var line importLine
	if err := decodeLoosely(text, &line); err != nil {
		return nil, nil, err
	}
	if w.ended {
		return nil, nil, errors.New("there is more after the last line of the export")
	}
	switch {
	case line.Kind == nil: // as exportMemories writes
		return w.kind("memory"), text, nil
	case *line.Kind == "user":
		if line.Format == nil || *line.Format != exportFormat {
			return nil, nil, fmt.Errorf("the file is in another format than this program's (%d); export and import by the same "+
				"program", exportFormat)
		}
		if w.head != nil {
			return nil, nil, errors.New("there is a second user; a file has one")
		}
	case *line.Kind == "memory": // which may have been taken out of an export
	case w.head == nil:
		return nil, nil, errors.New("an export begins with the line of its user, which says its format")
	case *line.Kind == "action":
		w.left["what was done before (actions): it cannot be undone here"]++
		return nil, nil, nil
	case *line.Kind == "end":
		var end exportEnd
		if err := decode(line.Data, &end); err != nil {
			return nil, nil, err
		}
		if w.ended = true; end.Lines != before {
			return nil, nil, fmt.Errorf("the export had %d lines before this one, and here are %d", end.Lines, before)
		}
		return nil, nil, nil
	}
	kind := w.kind(*line.Kind)
	if kind == nil {
		return nil, nil, fmt.Errorf("there are no records of the kind %q", model.Clip(*line.Kind))
	}
	return kind, line.Data, nil
}

func (w *intake) kind(name string) *importKind {
	for _, kind := range w.kinds {
		if kind.name == name {
			return kind
		}
	}
	return nil
}

// flush writes what was taken: in one transaction, or each line in its own when one of them is refused.
func (w *intake) flush(ctx context.Context) error {
	if len(w.batch) == 0 {
		return nil
	}
	batch := w.batch
	w.batch = nil
	if err := w.write(ctx, batch); err == nil || ctx.Err() != nil {
		return err
	}
	for i, item := range batch {
		if err := w.write(ctx, batch[i:i+1]); err != nil {
			return fmt.Errorf("line %d: %w", item.line, err)
		}
	}
	return nil
}

func (w *intake) write(ctx context.Context, batch []importItem) error {
	records := make([]any, len(batch))
	for i, item := range batch {
		records[i] = item.record
	}
	var fates []memories.ImportedAs
	err := w.Write(ctx, w.user, func(ctx context.Context, tx store.Tx) (err error) {
		fates, err = w.batchOf.write(ctx, tx, records)
		return err
	})
	if err == nil {
		for _, fate := range fates {
			w.batchOf.fates[fate]++
		}
	}
	return err
}

// report says what came of the lines.
func (w *intake) report() string {
	var out strings.Builder
	for _, kind := range w.kinds {
		added, changed, already := kind.fates[memories.Imported], kind.fates[memories.ImportedOver],
			kind.fates[memories.ImportedAlready]
		switch {
		case kind.name == "user":
			continue
		case kind.name == "memory":
			_, _ = fmt.Fprintf(&out, "memories: %d added, %d changed, %d there already\n", added, changed, already)
		case added+already > 0:
			_, _ = fmt.Fprintf(&out, "%s: %d added, %d there already\n", kind.plural, added, already)
		}
	}
	for _, note := range w.notes {
		_, _ = fmt.Fprintln(&out, note)
	}
	for what, n := range w.left { // one sentence at most
		_, _ = fmt.Fprintf(&out, "left out: %d lines of %s\n", n, what)
	}
	return out.String()
}

// note says something once.
func (w *intake) note(format string, args ...any) {
	if w.writing {
		w.notes = append(w.notes, fmt.Sprintf(format, args...))
	}
}

func (w *intake) readMemory(data []byte) (model.Memory, error) {
	return memories.ReadLine(data, w.now(), w.ids.New)
}

// writeMemories takes memories with different ids in at once.
func (w *intake) writeMemories(ctx context.Context, tx store.Tx, all []model.Memory) (fates []memories.ImportedAs,
	err error) {
	seen := make(map[model.UUID]bool, len(all))
	for from, i := 0, 0; i <= len(all); i++ {
		if i < len(all) && !seen[all[i].ID] {
			seen[all[i].ID] = true
			continue
		}
		some, err := memories.ImportMemories(ctx, tx, w.user, all[from:i], w.now())
		if err != nil {
			return nil, err
		}
		fates = append(fates, some...)
		if from = i; i < len(all) {
			clear(seen)
			seen[all[i].ID] = true
		}
	}
	return fates, nil
}

// addNew calls add with those records whose ids are not there, each once, and says of all what became of them.
func addNew[T any](records []T, id func(T) model.UUID, there func(ids []model.UUID) ([]model.UUID, error),
	add func(fresh []T) error) ([]memories.ImportedAs, error) {
	ids := make([]model.UUID, len(records))
	for i, record := range records {
		ids[i] = id(record)
	}
	found, err := there(ids)
	if err != nil {
		return nil, err
	}
	known := make(map[model.UUID]bool, len(found))
	for _, id := range found {
		known[id] = true
	}
	fates := make([]memories.ImportedAs, len(records))
	var fresh []T
	for i, record := range records {
		if fates[i] = memories.ImportedAlready; !known[ids[i]] {
			known[ids[i]], fates[i] = true, memories.Imported
			fresh = append(fresh, record)
		}
	}
	if len(fresh) == 0 {
		return fates, nil
	}
	return fates, add(fresh)
}

// idsOf returns the ids of records.
func idsOf[T any](records []T, id func(T) model.UUID, err error) ([]model.UUID, error) {
	ids := make([]model.UUID, len(records))
	for i, record := range records {
		ids[i] = id(record)
	}
	return ids, err
}

// soundTime reports whether a time has a year that RFC 3339 can write.
func soundTime(at time.Time) bool { return at.Year() > 1 && at.Year() < 10_000 }
