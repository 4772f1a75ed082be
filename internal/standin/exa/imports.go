package exa

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	importPending    = "pending"
	importProcessing = "processing"
	importDone       = "completed"
	importFailed     = "failed"
)

// Limits of imports: bytes of a file, from the published description, and rows, chosen here.
const (
	maxUpload     = 50_000_000
	maxRows       = 100_000
	uploadValid   = time.Hour
	importTakes   = 3 * time.Second
	uploadsPrefix = "/uploads/"
)

// importing is a list that somebody brings along: a file, or another webset.
type importing struct {
	account    *account
	id         string
	seq        uint64
	status     string
	format     string
	entity     entityShape
	title      string
	count      int
	size       int
	identifier int // a column, from 0; -1: the first that looks like one
	metadata   map[string]string
	token      string
	created    time.Time
	updated    time.Time
	failed     time.Time
	reason     string
	message    string
	things     []thing
	// waiting are websets that take its things when it is done.
	waiting []*webset
	gone    bool
}

func (i *importing) place() (string, uint64) { return i.id, i.seq }

func (i *importing) shape() importShape {
	s := importShape{
		ID: i.id, Object: "import", Status: i.status, Format: i.format, Title: i.title, Count: i.count,
		Metadata:     map[string]string{},
		FailedReason: textOrNull(i.reason), FailedAt: orNull(i.failed), FailedMessage: textOrNull(i.message),
		CreatedAt: stamp(i.created), UpdatedAt: stamp(i.updated),
	}
	if i.entity.Type != "" {
		s.Entity = &i.entity
	}
	maps.Copy(s.Metadata, i.metadata)
	return s
}

func (c *call) createImport() (reply, *problem) {
	r := read(c.body)
	i := &importing{status: importPending, identifier: -1, created: c.now, updated: c.now}
	i.format, _ = r.choice("format", true, "csv")
	i.size, _ = r.whole("size", true, 1, maxUpload)
	i.count, _ = r.whole("count", true, 1, maxCount)
	if _, given := r.object("entity", true); given {
		i.entity, _ = readEntity(r)
	}
	i.title, _ = r.text("title", false, 0, maxCriterion)
	i.metadata, _ = r.metadata(false)
	if file, given := r.object("csv", false); given {
		if column, named := file.whole("identifier", false, 0, 1000); named {
			i.identifier = column
		}
	}
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	shape := c.account.addImport(i, c.now)
	shape.UploadURL, shape.UploadValidUntil = c.server.options.BaseURL+uploadsPrefix+i.token, stamp(c.now.Add(uploadValid))
	return reply{status: http.StatusCreated, body: shape}, nil
}

func (a *account) addImport(i *importing, at time.Time) importShape {
	i.account, i.id, i.seq = a, a.server.id("import"), a.imports.next()
	if i.title == "" {
		i.title = "Import of " + at.Format(time.DateOnly)
	}
	if i.format == "csv" {
		i.token = a.server.token() + a.server.token()
		a.server.uploads[i.token] = i
	}
	a.imports.add(i)
	a.happened(importCreated, at, frozen(i.shape()))
	return i.shape()
}

func (c *call) listImports() (reply, *problem) {
	p, bad := c.paging(25, 200)
	if bad != nil {
		return reply{}, bad
	}
	return ok(pick(c, c.account.imports.all, p, true, nil, func(i *importing) any { return i.shape() })), nil
}

// importing returns the one of the path.
func (c *call) importing() (*importing, *problem) {
	i, there := c.account.imports.get(c.path["id"])
	if !there {
		return nil, notFound("Import", c.path["id"])
	}
	return i, nil
}

func (c *call) getImport() (reply, *problem) {
	i, bad := c.importing()
	if bad != nil {
		return reply{}, bad
	}
	return ok(i.shape()), nil
}

func (c *call) updateImport() (reply, *problem) {
	i, bad := c.importing()
	if bad != nil {
		return reply{}, bad
	}
	r := read(c.body)
	metadata, given := r.metadata(true)
	title, titled := r.text("title", false, 1, maxCriterion)
	if bad := r.problem(); bad != nil {
		return reply{}, bad
	}
	if given {
		i.metadata = metadata
	}
	if titled {
		i.title = title
	}
	i.updated = c.now
	return ok(i.shape()), nil
}

func (c *call) deleteImport() (reply, *problem) {
	i, bad := c.importing()
	if bad != nil {
		return reply{}, bad
	}
	i.gone = true
	c.account.imports.remove(i.id)
	delete(c.server.uploads, i.token)
	i.ended(c.now)
	return ok(i.shape()), nil
}

// upload takes the file of an import, as a store for files does that knows nothing of keys: the address alone is the
// right to do so.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, code string) {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		fmt.Fprintf(w, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>%s</Code></Error>", code)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxUpload+1))
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	i := s.uploads[strings.TrimPrefix(r.URL.Path, uploadsPrefix)]
	if i != nil {
		i.account.advance(now)
	}
	switch {
	case r.Method != http.MethodPut:
		refuse(http.StatusMethodNotAllowed, "MethodNotAllowed")
	case r.Header.Get("Authorization") != "" || r.Header.Get("X-Api-Key") != "":
		refuse(http.StatusBadRequest, "InvalidArgument") // the key is for Exa alone
	case i == nil || now.After(i.created.Add(uploadValid)):
		refuse(http.StatusForbidden, "AccessDenied")
	case err != nil:
		refuse(http.StatusBadRequest, "IncompleteBody")
	case len(body) > i.size:
		refuse(http.StatusBadRequest, "EntityTooLarge")
	default:
		delete(s.uploads, i.token)
		i.status, i.updated = importProcessing, now
		i.account.after(now, importTakes, func(at time.Time) { i.process(body, at) })
		w.WriteHeader(http.StatusOK)
	}
}

// process reads the file.
func (i *importing) process(file []byte, at time.Time) {
	if i.gone {
		return
	}
	i.updated = at
	things, reason, err := i.rows(file)
	if err != nil {
		i.status, i.reason, i.message, i.failed = importFailed, reason, err.Error(), at
		i.ended(at)
		return
	}
	i.things = things
	i.complete(at)
}

func (i *importing) complete(at time.Time) {
	i.status, i.count, i.updated = importDone, len(i.things), at
	i.account.happened(importCompleted, at, frozen(i.shape()))
	i.ended(at)
}

// ended hands its things to the websets that wait for them.
func (i *importing) ended(at time.Time) {
	for _, w := range i.waiting {
		w.take(i, at)
	}
	i.waiting = nil
}

// rows reads a file with a line of titles, and finds in each line what it is about: in the column that was named, or
// else in the first that looks like it.
func (i *importing) rows(file []byte) (things []thing, reason string, err error) {
	file = bytes.TrimPrefix(file, []byte("\ufeff"))
	if !utf8.Valid(file) || bytes.IndexByte(file, 0) >= 0 {
		return nil, "invalid_format", errors.New("the file is no text in UTF-8")
	}
	lines := csv.NewReader(bytes.NewReader(file))
	lines.ReuseRecord = true
	titles, err := lines.Read()
	if errors.Is(err, io.EOF) {
		return nil, "invalid_file_content", errors.New("the file is empty")
	}
	if err != nil {
		return nil, "invalid_format", fmt.Errorf("the file is no CSV: %w", err)
	}
	column := i.identifier
	if column < 0 {
		column = identifying(titles)
	}
	if column < 0 || column >= len(titles) {
		return nil, "missing_identifier", errors.New("no column tells what a line is about")
	}
	for number := 2; ; number++ {
		line, err := lines.Read()
		switch {
		case errors.Is(err, io.EOF) && len(things) > 0:
			return things, "", nil
		case errors.Is(err, io.EOF):
			return nil, "invalid_file_content", errors.New("the file has titles alone")
		case err != nil:
			return nil, "invalid_format", fmt.Errorf("the file is no CSV: %w", err)
		case len(things) == maxRows:
			return nil, "invalid_file_content", fmt.Errorf("the file has more than %d lines", maxRows)
		}
		text := strings.TrimSpace(line[column])
		if text == "" {
			return nil, "missing_identifier", fmt.Errorf("line %d does not tell what it is about", number)
		}
		things = append(things, i.account.server.world.imported(i.entity.Type, strings.Clone(text)))
	}
}

// identifying finds the column that tells what a line is about.
func identifying(titles []string) int {
	for _, terms := range [][]string{{"url", "website", "domain", "linkedin", "link", "אתר", "קישור"},
		{"name", "company", "title", "person", "שם", "חברה", "כותרת"}} {
		folded := foldAll(terms)
		for n, title := range titles {
			if says(padded(title), folded) {
				return n
			}
		}
	}
	return -1
}

// imported is what a text of a file is about: something of the world, or something that the world does not know.
func (w *world) imported(kind, text string) thing {
	if u, err := url.Parse(text); err == nil && u.Host != "" {
		if t, known := w.find(text); known && t.kind == kind {
			return t
		}
		return thing{kind: kind, n: int(mixText(text) % worldSize),
			own: &row{name: strings.TrimPrefix(u.Host, "www."), url: text}}
	}
	return thing{kind: kind, n: int(mixText(text) % worldSize), own: &row{name: text}}
}

// attach takes a source into a webset: now, or when it is done.
func (w *webset) attach(source sourceShape, at time.Time) {
	a := w.account
	if source.Source == "import" {
		i, there := a.imports.get(source.ID)
		if !there {
			return
		}
		w.imports = append(w.imports, i)
		if i.status == importDone {
			a.after(at, searchWaits, func(at time.Time) { w.take(i, at) })
			return
		}
		i.waiting = append(i.waiting, w)
		return
	}
	i := &importing{status: importProcessing, format: "webset", things: a.things(source), created: at, updated: at}
	if from, there := a.websets.get(source.ID); there && len(from.searches) > 0 {
		i.entity, i.title = from.searches[0].entity, from.title
	}
	i.count = len(i.things)
	a.addImport(i, at)
	w.imports = append(w.imports, i)
	i.waiting = append(i.waiting, w)
	a.after(at, importTakes, i.complete)
}

// take makes items of an import's things that are not there yet. Nobody judges them.
func (w *webset) take(i *importing, at time.Time) {
	defer w.settle(at)
	if w.gone || i.gone {
		return
	}
	world := w.account.server.world
	there := map[string]bool{}
	for _, one := range w.items.all {
		there[world.url(one.thing)] = true
	}
	for _, source := range w.excludes {
		for _, t := range w.account.things(source) {
			there[world.url(t)] = true
		}
	}
	for _, t := range i.things {
		if address := world.url(t); !there[address] {
			there[address] = true
			w.addItem(w.newItem("import", i.id, t, at), at)
		}
	}
}
