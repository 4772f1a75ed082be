package exa

import (
	"context"
	"maps"
	"strings"
	"time"

	"almanac/adapters/remote"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// whose tells whose a webset, or a monitor, is.
type whose struct {
	// id is the remote's own.
	id string
	// mark is the owner's; empty for nobody's.
	mark string
	// gone: the remote has none of this id.
	gone bool
	at   time.Time
}

// described are what the enrichments of a webset ask for, by id, as they were at a time.
type described struct {
	texts map[string]string
	at    time.Time
}

const (
	// mostDescribed is of how many websets of a key descriptions are kept, and maxDescribed how long those of one may be
	// together, in bytes.
	mostDescribed = 32
	maxDescribed  = 32 << 10
)

func (k *key) keepOwner(ref string, w whose) {
	k.owners.Add(ref, w)
	if w.id != ref {
		k.owners.Add(w.id, w)
	}
}

// keepDescriptions keeps them, unless they are too long to be kept.
func (k *key) keepDescriptions(ref string, d described) {
	size := 0
	for id, text := range d.texts {
		size += len(id) + len(text)
	}
	k.described.Remove(ref)
	if size <= maxDescribed {
		k.described.Add(ref, d)
	}
}

// forget drops all that is known under some names.
func (k *key) forget(refs ...string) {
	for _, ref := range refs {
		k.owners.Remove(ref)
		k.described.Remove(ref)
	}
}

// isFresh reports whether what was known at a time may be believed still.
func (a *Account) isFresh(at time.Time) bool {
	age := a.Client.Now().Sub(at)
	return age >= 0 && age < a.Client.Limits.Fresh
}

// look reads a webset, and keeps what is worth knowing of it under the name that it was asked for with.
func (a *Account) look(ctx context.Context, ref string) (wireWebset, *failure) {
	raw, lost := a.fetch(ctx, "websets.get", websets("websets", ref)...)
	if lost != nil {
		return wireWebset{}, lost
	}
	webset, err := read[wireWebset](raw)
	if err != nil || sound(webset.ID) == "" {
		return wireWebset{}, unreadable()
	}
	a.learn(ref, webset)
	a.Client.key(a.Key).keepDescriptions(ref, described{texts: webset.descriptions(), at: a.Client.Now()})
	return webset, nil
}

// learn keeps whose a webset is.
func (a *Account) learn(ref string, webset wireWebset) whose {
	w := whose{id: webset.ID, at: a.Client.Now()}
	w.mark, _ = marksOf(webset.Metadata)
	if a.Owner.shares() && !strings.HasPrefix(webset.ID, dryrun.Invented) {
		a.Client.key(a.Key).keepOwner(ref, w)
	}
	return w
}

// unreadable is the failure of an answer without an id.
func unreadable() *failure {
	return &failure{Remote: remoteName, Kind: remote.KindBroken, Err: remote.ErrUnreadable}
}

// whose tells whose the webset of a name is. Whose an id is never changes, while an externalId may come to name another
// webset, and one that was nobody's, or not there, may be made.
func (a *Account) whose(ctx context.Context, ref string) (whose, *failure) {
	if w, ok := a.Client.key(a.Key).owners.Get(ref); ok && w.mark != "" && (w.id == ref || a.isFresh(w.at)) {
		return w, nil
	}
	if !model.SoundWebsetID(ref) {
		return whose{}, notThere()
	}
	webset, lost := a.look(ctx, ref)
	if lost != nil {
		return whose{}, lost
	}
	mark, _ := marksOf(webset.Metadata)
	return whose{id: webset.ID, mark: mark}, nil
}

// descriptions returns what the enrichments of some items ask for, by id. The webset is read for it once in a while,
// and anew when an item has an enrichment that is not known yet; when it cannot be read, what is known is told, or
// nothing.
func (a *Account) descriptions(ctx context.Context, webset string, items ...wireItem) map[string]string {
	needed := map[string]bool{}
	for _, item := range items {
		for _, e := range item.Enrichments {
			needed[e.EnrichmentID] = true
		}
	}
	if len(needed) == 0 {
		return nil
	}
	k := a.Client.key(a.Key)
	d, ok := k.described.Get(webset)
	if ok && a.isFresh(d.at) && hasAll(d.texts, needed) {
		return d.texts
	}
	read, lost := a.look(ctx, webset)
	if lost != nil {
		return d.texts
	}
	// What the webset does not have now was deleted; it is not looked for again with every page.
	texts := read.descriptions()
	if !hasAll(texts, needed) {
		texts = maps.Clone(texts)
		for id := range needed {
			if _, there := texts[id]; !there {
				texts[id] = ""
			}
		}
		k.keepDescriptions(webset, described{texts: texts, at: a.Client.Now()})
	}
	return texts
}

func hasAll(texts map[string]string, needed map[string]bool) bool {
	for id := range needed {
		if _, ok := texts[id]; !ok {
			return false
		}
	}
	return true
}
