package engine

import (
	"container/list"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"sync"

	"almanac/graph/model"

	"github.com/vektah/gqlparser/v2/gqlerror"
)

// What a request says of a document that it sends by its hash (automatic persisted queries, as Apollo's and urql's
// clients speak them).
const (
	extensionPersisted = "persistedQuery"
	persistedVersion   = "1"
)

// messageNotFound is what clients compare: they send the document once more, whole.
const messageNotFound = "PersistedQueryNotFound"

// digest is the SHA-256 of a document.
type digest [sha256.Size]byte

// persisted keeps documents by their hash. Each is charged to the user who sent it first. A user has a share of the
// whole; where the whole is full too, room is made among the documents of those who have the average or more, so that
// nobody drives out the documents of users who have less. Who knows a document's hash knows the document: it may be run
// by everybody, with their own rights.
type persisted struct {
	mu    sync.Mutex
	limit int64
	used  int64
	byKey map[digest]*list.Element
	// order has the documents, the most recently used first.
	order *list.List
	users map[model.UserID]int64
}

type persistedDocument struct {
	key  digest
	text string
	user model.UserID
}

// persistedShare is the part of the whole that one user may have at most: a sixteenth.
const persistedShare = 16

// entryBytes is what an entry takes beside its text, by estimate.
const entryBytes = 200

func newPersisted(limit int64) *persisted {
	return &persisted{limit: limit, byKey: map[digest]*list.Element{}, order: list.New(), users: map[model.UserID]int64{}}
}

func (d persistedDocument) size() int64 { return int64(len(d.text)) + entryBytes }

func documentAt(element *list.Element) *persistedDocument {
	return element.Value.(*persistedDocument) //nolint:errcheck,forcetypeassert // the list holds nothing else
}

// find returns the document of a hash.
func (p *persisted) find(key digest) (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	element, there := p.byKey[key]
	if !there {
		return "", false
	}
	p.order.MoveToFront(element)
	return documentAt(element).text, true
}

// keep keeps a document that has passed every check. What is too large for a share is not kept.
func (p *persisted) keep(key digest, text string, user model.UserID) {
	document := &persistedDocument{key, text, user}
	share := p.limit / persistedShare
	if document.size() > share {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, there := p.byKey[key]; there {
		return
	}
	for p.users[user]+document.size() > share {
		p.drop(p.oldest(func(d *persistedDocument) bool { return d.user == user }))
	}
	for p.used+document.size() > p.limit {
		p.drop(p.oldest(func(d *persistedDocument) bool { return p.users[d.user]*int64(len(p.users)) >= p.used }))
	}
	p.byKey[key] = p.order.PushFront(document)
	p.used += document.size()
	p.users[user] += document.size()
}

// oldest is the least recently used document that is wanted; there is one.
func (p *persisted) oldest(wanted func(*persistedDocument) bool) *list.Element {
	element := p.order.Back()
	for !wanted(documentAt(element)) {
		element = element.Prev()
	}
	return element
}

func (p *persisted) drop(element *list.Element) {
	document := documentAt(element)
	p.order.Remove(element)
	delete(p.byKey, document.key)
	p.used -= document.size()
	if p.users[document.user] -= document.size(); p.users[document.user] == 0 {
		delete(p.users, document.user)
	}
}

// named replaces the id or the hash of a request by its document. given says that a document came with its hash, the
// key, so that it may be kept by it.
func (e *Engine) named(request *Request) (key digest, given bool, failed *gqlerror.Error) {
	if request.DocumentID != "" {
		return key, false, e.trustedText(request)
	}
	extension, there := request.Extensions[extensionPersisted]
	if !there || extension == nil {
		if request.Query == "" {
			return key, false, noDocument()
		}
		return key, false, nil
	}
	object, ok := extension.(map[string]any)
	if !ok {
		return key, false, badPersisted("extensions.persistedQuery must be an object.")
	}
	if version, ok := object["version"].(json.Number); !ok || version.String() != persistedVersion {
		return key, false, badPersisted("extensions.persistedQuery.version must be 1.")
	}
	text, ok := object["sha256Hash"].(string)
	if known, trusted := e.trusted.byID[text]; trusted && request.Query == "" {
		request.Query = known // by its id, which need not be a hash
		return key, false, nil
	}
	raw, err := hex.DecodeString(text)
	if !ok || err != nil || len(raw) != len(key) {
		return key, false, badPersisted("extensions.persistedQuery.sha256Hash must be a SHA-256 in hexadecimal digits.")
	}
	copy(key[:], raw)
	if request.Query != "" {
		if sum := sha256.Sum256([]byte(request.Query)); subtle.ConstantTimeCompare(sum[:], key[:]) == 0 {
			return key, false, badPersisted("extensions.persistedQuery.sha256Hash is not the hash of the query.")
		}
		return key, true, nil
	}
	if request.Query, ok = e.persisted.find(key); !ok {
		return key, false, notFound()
	}
	return key, false, nil // it is kept already
}

func notFound() *gqlerror.Error {
	return &gqlerror.Error{Message: messageNotFound,
		Extensions: map[string]any{"code": model.CodePersistedQueryNotFound}, Rule: markPersisted}
}

func noDocument() *gqlerror.Error {
	err := badInput(&gqlerror.Error{Message: "Syntax error: the request has no document."})
	err.Rule = markSyntax
	return err
}

func badPersisted(message string) *gqlerror.Error {
	err := badInput(&gqlerror.Error{Message: message})
	err.Rule = markPersisted
	return err
}

// register keeps a document that was sent with its hash and admitted.
func (e *Engine) register(ctx context.Context, key digest, text string) {
	if caller, ok := model.CallerFrom(ctx); ok {
		e.persisted.keep(key, text, caller.UserID)
	}
}
