package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/resolvers/memories"
)

const (
	// importAtOnce is how many memories one transaction takes in.
	importAtOnce = 100
	// maxImportLine bounds a line, in bytes: a memory with a hundred versions of the greatest length comes nowhere near
	// it.
	maxImportLine = 64 << 20
)

// importMemories is the command "import": it takes in the memories of an export, or of exportMemories. What is there
// already stays as it is, so that it can be run again.
func (p Program) importMemories(ctx context.Context, args []string) error {
	own := newFlags("import", "in")
	subject := own.String("user", auth.LocalSubject, "for whom: the subject, as a JWT would name it")
	path := own.String("in", "-", "the file to read; - for standard input")
	return p.withStore(ctx, args, own, func(ctx context.Context, d database) (err error) {
		in := io.Reader(os.Stdin)
		if *path != "-" {
			file, err := os.Open(*path)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, file.Close()) }()
			in = file
		}
		user, err := d.ensureUser(ctx, *subject)
		if err != nil {
			return err
		}
		intake := intake{store: d.Store, user: user.ID, now: d.now(), newID: d.ids.New}
		if err := intake.readAll(ctx, in); err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.Out, "memories: %d added, %d changed, %d there already; other lines: %d left out\n",
			intake.fates[memories.Imported], intake.fates[memories.ImportedOver], intake.fates[memories.ImportedAlready],
			intake.others)
		return err
	})
}

// intake takes memories in, some at a time.
type intake struct {
	store store.Transactor
	user  model.UserID
	now   time.Time
	newID func() model.UUID

	batch []model.Memory
	has   map[model.UUID]bool
	fates [memories.ImportedAlready + 1]int
	// others are lines of other kinds.
	others int
}

// readAll reads line by line. An error names the line; what stands before it may be in already.
func (w *intake) readAll(ctx context.Context, in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxImportLine)
	number := 0
	for lines.Scan() {
		number++
		if err := w.take(ctx, lines.Bytes()); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("after line %d: %w", number, err)
	}
	return w.flush(ctx)
}

// take reads one line: of an export, with its kind, or of exportMemories.
func (w *intake) take(ctx context.Context, text []byte) error {
	if len(text) == 0 {
		return nil
	}
	var wrapped struct {
		Kind *string         `json:"kind"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(text, &wrapped); err != nil {
		return fmt.Errorf("not a JSON object: %w", err)
	}
	if wrapped.Kind != nil && *wrapped.Kind != "memory" {
		w.others++
		return nil
	}
	if wrapped.Kind != nil {
		text = wrapped.Data
	}
	memory, err := memories.ReadLine(text, w.now, w.newID)
	if err != nil {
		return err
	}
	if w.has[memory.ID] || len(w.batch) == importAtOnce {
		if err := w.flush(ctx); err != nil {
			return err
		}
	}
	if w.has == nil {
		w.has = make(map[model.UUID]bool, importAtOnce)
	}
	w.has[memory.ID] = true
	w.batch = append(w.batch, memory)
	return nil
}

// flush writes what was taken.
func (w *intake) flush(ctx context.Context) error {
	if len(w.batch) == 0 {
		return nil
	}
	err := w.store.Write(ctx, w.user, func(ctx context.Context, tx store.Tx) error {
		fates, err := memories.ImportMemories(ctx, tx, w.user, w.batch, w.now)
		for _, fate := range fates {
			w.fates[fate]++
		}
		return err
	})
	w.batch, w.has = w.batch[:0], nil
	return err
}
