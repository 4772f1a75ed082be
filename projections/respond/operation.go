package respond

import (
	"slices"
	"strings"
	"unicode"
)

// operation is what was done, under any of its names: a plan says "list tasks" or "update_task" where an adapter says
// "getAll" or "update".
type operation struct {
	name  string   // letters and digits alone, in lower case: "listtasks"
	words []string // "list", "tasks"
}

func parseOperation(text string) operation {
	return operation{name: squeezed(text), words: wordsOf(text)}
}

// wordsOf parts a name where its case changes and where something else than letters and digits stands.
func wordsOf(name string) []string {
	var b strings.Builder
	before := rune(0)
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			b.WriteByte(' ')
		case unicode.IsUpper(r) && unicode.IsLower(before):
			b.WriteByte(' ')
			fallthrough
		default:
			b.WriteRune(unicode.ToLower(r))
		}
		before = r
	}
	return strings.Fields(b.String())
}

func (o operation) is(names ...string) bool { return slices.Contains(names, o.name) }

func (o operation) has(word string) bool { return slices.Contains(o.words, word) }

// getsAll reports whether everything is asked for, without saying of what. An operation that is missing means that,
// too, for tasks and lists.
func (o operation) getsAll() bool { return o.is("", "getall", "list", "listall") }

// listsTasks: "list tasks" and its other names. getAll may be one of lists; their answer shows it.
func (o operation) listsTasks() bool {
	return o.getsAll() || o.is("listtasks", "listtask", "listalltasks", "listmytasks", "gettasks", "getalltasks",
		"showtasks", "searchtasks", "listreminders", "listallreminders", "getreminders", "getallreminders")
}

// listsLists: the same for lists.
func (o operation) listsLists() bool {
	return o.getsAll() || o.is("listlists", "listalllists", "getlists", "getalllists", "showlists")
}

// aboutLists: a word of the operation, but not its verb, is a list. These three work on a list's items.
func (o operation) aboutLists() bool {
	if o.is("additem", "toggleitem", "deleteitem") {
		return true
	}
	for i, word := range o.words {
		if word == "lists" || word == "checklist" || word == "checklists" || word == "list" && i > 0 {
			return true
		}
	}
	return false
}

func (o operation) listsEvents() bool {
	return o.is("listevents", "listevent", "listallevents", "getevents", "getallevents", "showevents",
		"listcalendarevents", "getall", "getrecurringinstances", "listinstances")
}

// findsEvents: events are looked for by what they are about. The adapter's get is that, and answers a list.
func (o operation) findsEvents() bool {
	return o.is("get", "getevent", "findevent", "findevents", "searchevent", "searchevents")
}

// inBulk: one call for several events. deleted is how many it has deleted.
func (o operation) inBulk(deleted float64) bool {
	switch {
	case o.has("window"):
		return o.has("delete") || o.has("update")
	case o.has("multiple"):
		return true
	}
	return deleted > 1 && o.is("delete", "deleteevent", "deleteevents", "deletebysummary", "deleteeventsbysummary")
}

func (o operation) listsEmails() bool {
	return o.is("listemails", "listemail", "listallemails", "getemails", "getallemails", "showemails", "searchemails",
		"listmessages", "getmessages", "getall")
}

// sends: something has left, or would have if it is no preview.
func (o operation) sends() bool {
	return o.is("send", "sendemail", "sendconfirm", "sendmessage", "sendmail", "confirmsend") || o.replies()
}

func (o operation) replies() bool {
	return o.has("reply") || strings.HasPrefix(o.name, "reply")
}

func (o operation) listsMemories() bool {
	return o.is("listmemories", "listmemory", "listallmemories", "getallmemory", "getallmemories", "getmemories", "getall")
}

func (o operation) stores() bool { return o.is("storememory", "store", "storememories") }

func (o operation) searches() bool {
	return o.is("searchmemory", "search", "searchmemories", "findmemory", "findmemories")
}
