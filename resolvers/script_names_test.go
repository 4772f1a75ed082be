package resolvers_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// names stand for ids, cursors and tokens, which differ from run to run.
type names struct {
	byReal  map[string]string
	byShort map[string]string
	counts  map[string]int
	// own are the ids of events that the script itself has added.
	own map[string]bool
	// mails are the remote's ids of the letters that the script has delivered, in order.
	mails []string
	// calendars, if set, are own calendars that stand for those of a linked account, which the script names: their
	// numbers by the remote's ids, primary for the first.
	calendars map[string]int
}

// ownCalendar returns the own calendar that stands for one of the first linked account.
func (n *names) ownCalendar(ref model.CalendarRef) model.CalendarRef {
	if number := n.calendars[orElse(ref.Calendar, "primary")]; ref.Connection == 1 && number > 0 {
		return model.OwnCalendar(number)
	}
	return ref
}

// standsFor is the reverse of ownCalendar.
func (n *names) standsFor(ref model.CalendarRef) model.CalendarRef {
	for id, number := range n.calendars {
		if ref == model.OwnCalendar(number) {
			return model.CalendarRef{Connection: 1, Calendar: strings.TrimPrefix(id, "primary")}
		}
	}
	return ref
}

func newNames() *names {
	return &names{byReal: map[string]string{}, byShort: map[string]string{}, counts: map[string]int{},
		own: map[string]bool{}}
}

var (
	realID = regexp.MustCompile(
		`\b(task|subtask|list|item|memory|user|connection|preview|entity|fact|episode|action|change|hook|push)_[0-9a-hjkmnp-tv-z]{26}\b`)
	realRemote = regexp.MustCompile(`\b(?:event|calendar|email|thread|entity|fact|episode|action)_[0-9a-hjkmnp-tv-z]+\b`)
	realExa    = regexp.MustCompile(
		`\b(?:webset|websetsearch|websetitem|enrichment|monitor|monitorrun|webhook|import|websetevent|research)_[0-9a-hjkmnp-tv-z]{30,}\b`)
	realMail   = regexp.MustCompile(`\.?\b[0-9a-f]{16}\b`)
	realDraft  = regexp.MustCompile(`\br-?[0-9]{15,20}\b`)
	realRFC    = regexp.MustCompile(`\bCA[0-9A-Za-z_-]+@mail\.gmail\.com\b|\b[0-9a-f]{32}@example\.(?:com|org)\b`)
	realHash   = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	realUUID   = regexp.MustCompile(`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`)
	realPart   = regexp.MustCompile(`\bpart-[0-9a-f]{32}\b`)
	realSource = regexp.MustCompile(`\b[0-9a-v]{26}`)
	realCursor = regexp.MustCompile(
		`("(?:cursor|startCursor|endCursor|latestCursor|next|token|traceId|version|htmlLink|meetingUrl|iCalUID|url)": ")([^"\\\n]+|\\"[^"]+)(")`)
	// countedVersion is a version of ours that counts changes: no name stands for it.
	countedVersion = regexp.MustCompile(`^"version": "[0-9]{1,4}"$`)
	realFence      = regexp.MustCompile(`untrusted [0-9a-f]{6}\b`)
	realAnswer     = regexp.MustCompile(`( this token, until [^"\\]+:\\n)([^"#]+)(")`)
	realEtag       = regexp.MustCompile(`\\?"[0-9]{16}\\?"`)
	shortName      = regexp.MustCompile(
		`\b(task|subtask|list|item|memory|user|connection|event|calendar|source|version|link|cursor|token|preview|email|thread|hash|draft|rfc|mailid|entity|fact|episode|action|change|hook|push|webset|websetsearch|websetitem|enrichment|monitor|monitorrun|webhook|import|websetevent|research)#\d+`)
	plantedMail = regexp.MustCompile(`\b(mail|email|thread)@(?:(\d+):)?(\d+)\b`)
	// plantedCalendar is a calendar of the first account that is not its primary one.
	plantedCalendar = regexp.MustCompile(`\bcalendar@([a-z0-9._-]+@[a-z0-9.-]+)\b`)
	plantedID       = regexp.MustCompile(`\b(event|calendar)@(?:(\d+):)?([A-Za-z0-9._@-]+/)?([a-z0-9]+(?:_[0-9TZ]+)?)\b`)
)

// planted notes the id of an event that a line of a google section adds.
func (n *names) planted(line string) {
	if !strings.HasPrefix(line, "event ") {
		return
	}
	var event struct{ ID string }
	if json.Unmarshal([]byte(line[strings.IndexByte(line, '{'):]), &event) == nil && event.ID != "" {
		n.own[event.ID] = true
	}
}

// letters notes the ids of the letters that were delivered so far.
func (n *names) letters(ids []string) {
	for i, id := range ids {
		n.byReal[id] = fmt.Sprintf("mail@%d", i+1)
	}
	n.mails = ids
}

func (n *names) short(answer string) string {
	answer = strings.ReplaceAll(answer, dryrun.Prefix, inDryRun) // so that a word begins behind it
	return strings.ReplaceAll(n.shortened(answer), inDryRun, dryrun.Prefix)
}

// inDryRun stands for the beginning of a dry run's ids while ids are looked for.
const inDryRun = "dryrun\x01"

func (n *names) shortened(answer string) string {
	answer = realFence.ReplaceAllString(answer, "untrusted FENCE")
	answer = realAnswer.ReplaceAllStringFunc(answer, func(hit string) string { // a token in compact text, parted by lines
		parts := realAnswer.FindStringSubmatch(hit)
		return parts[1] + n.name("token", strings.ReplaceAll(parts[2], `\n`, "")) + parts[3]
	})
	answer = realHash.ReplaceAllStringFunc(answer, func(hash string) string { return n.name("hash", hash) })
	answer = realUUID.ReplaceAllStringFunc(answer, func(id string) string { return n.name("uuid", id) })
	answer = realPart.ReplaceAllString(answer, "part-#")
	answer = realRFC.ReplaceAllStringFunc(answer, func(id string) string { return n.name("rfc", id) })
	answer = realDraft.ReplaceAllStringFunc(answer, func(id string) string { return n.name("draft", id) })
	answer = realExa.ReplaceAllStringFunc(answer, func(id string) string {
		kind, _, _ := strings.Cut(id, "_")
		return n.name(kind, id)
	})
	answer = realID.ReplaceAllStringFunc(answer, func(id string) string {
		kind, _, _ := strings.Cut(id, "_")
		return n.name(kind, id)
	})
	answer = realRemote.ReplaceAllStringFunc(answer, n.remote)
	answer = realEtag.ReplaceAllStringFunc(answer, func(etag string) string {
		return n.name("version", strings.ReplaceAll(etag, `\`, ""))
	})
	answer = realMail.ReplaceAllStringFunc(answer, func(id string) string {
		if strings.HasPrefix(id, ".") { // the digits of a number
			return id
		}
		return n.name("mailid", id)
	})
	answer = strings.ReplaceAll(answer, `\"`, "\x00")
	answer = realCursor.ReplaceAllStringFunc(answer, func(hit string) string {
		parts := realCursor.FindStringSubmatch(hit)
		if shortName.MatchString(parts[2]) || countedVersion.MatchString(hit) {
			return hit
		}
		kind := "cursor"
		for name, as := range map[string]string{
			"token": "token", "traceId": "trace", "version": "version", "htmlLink": "link", "meetingUrl": "meeting",
			"iCalUID": "uid", "url": "file",
		} {
			if strings.HasPrefix(parts[1], `"`+name+`"`) {
				kind = as
			}
		}
		return parts[1] + n.name(kind, strings.ReplaceAll(parts[2], "\x00", `"`)) + parts[3]
	})
	answer = strings.ReplaceAll(answer, "\x00", `\"`)
	return realSource.ReplaceAllStringFunc(answer, func(id string) string { return n.name("source", id) })
}

// remote names the id of a remote record: by the words of the script for what it has added, by a number for others.
func (n *names) remote(text string) string {
	id, err := model.ParseID(text)
	if err != nil {
		return text
	}
	if _, err := model.KnowledgeRefOf(id); err == nil {
		return n.name(string(id.Kind), text)
	}
	if id.Kind == model.KindCalendar {
		ref, err := model.CalendarRefOf(id)
		if err != nil {
			return text
		}
		ref = n.standsFor(ref)
		return "calendar@" + prefix(ref.Connection) + orElse(ref.Calendar, "primary")
	}
	if ref, err := model.EmailRefOf(id); err == nil {
		if known := n.which(ref.Connection, ref.Message); known != "" {
			return "email" + known
		}
		return n.name("email", text)
	}
	if _, err := model.ThreadRefOf(id); err == nil {
		return n.name("thread", text)
	}
	ref, err := model.EventRefOf(id)
	if err != nil {
		return text
	}
	if in := n.standsFor(ref.CalendarRef()); in != ref.CalendarRef() {
		series, occurrence, _ := strings.Cut(ref.Event, "_")
		if short := strings.TrimRight(series, "v"); n.own[short] {
			series = short
		}
		ref = in.Event(strings.TrimSuffix(series+"_"+occurrence, "_"))
	}
	where := prefix(ref.Connection)
	if ref.Calendar != "" {
		where += ref.Calendar + "/"
	}
	series, occurrence, found := strings.Cut(ref.Event, "_")
	if found {
		occurrence = "_" + occurrence
	}
	if n.own[series] {
		return "event@" + where + series + occurrence
	}
	return n.name("event", text)
}

// which says of an e-mail that the script has delivered which it is.
func (n *names) which(connection int, message string) string {
	if i := slices.Index(n.mails, message); i >= 0 {
		return fmt.Sprintf("@%s%d", prefix(connection), i+1)
	}
	return ""
}

func prefix(connection int) string {
	if connection == 1 {
		return ""
	}
	return strconv.Itoa(connection) + ":"
}

func (n *names) name(kind, text string) string {
	if short, known := n.byReal[text]; known {
		return short
	}
	n.counts[kind]++
	short := fmt.Sprintf("%s#%d", kind, n.counts[kind])
	n.byReal[text], n.byShort[short] = short, text
	return short
}

func (n *names) real(text string) string {
	text = strings.ReplaceAll(text, dryrun.Prefix, inDryRun)
	return strings.ReplaceAll(n.lengthened(text), inDryRun, dryrun.Prefix)
}

func (n *names) lengthened(text string) string {
	text = plantedMail.ReplaceAllStringFunc(text, func(hit string) string {
		parts := plantedMail.FindStringSubmatch(hit)
		connection := 1
		if parts[2] != "" {
			connection, _ = strconv.Atoi(parts[2])
		}
		index, _ := strconv.Atoi(parts[3])
		switch {
		case index < 1 || index > len(n.mails):
			return hit
		case parts[1] == "mail":
			return n.mails[index-1]
		case parts[1] == "thread":
			return model.ThreadRef{Connection: connection, Thread: n.mails[index-1]}.ID().String()
		}
		return model.EmailRef{Connection: connection, Message: n.mails[index-1]}.ID().String()
	})
	text = plantedCalendar.ReplaceAllStringFunc(text, func(hit string) string {
		return model.CalendarRef{Connection: 1, Calendar: strings.TrimPrefix(hit, "calendar@")}.ID().String()
	})
	text = plantedID.ReplaceAllStringFunc(text, func(hit string) string {
		parts := plantedID.FindStringSubmatch(hit)
		connection := 1
		if parts[2] != "" {
			connection, _ = strconv.Atoi(parts[2])
		}
		where := model.CalendarRef{Connection: connection, Calendar: strings.TrimSuffix(parts[3], "/")}
		if own := n.ownCalendar(where); own != where {
			if parts[1] == "calendar" {
				return own.ID().String()
			}
			return own.Event(ownID(parts[4])).ID().String()
		}
		if parts[1] == "calendar" {
			if parts[3] == "" && parts[4] == "primary" {
				return where.ID().String()
			}
			if connection == 0 {
				where.Calendar = parts[4]
				return where.ID().String()
			}
			return hit
		}
		return where.Event(parts[4]).ID().String()
	})
	return shortName.ReplaceAllStringFunc(text, func(short string) string {
		found, known := n.byShort[short]
		switch {
		case !known:
			return short
		case strings.HasPrefix(short, "version#"): // it has quotation marks, and stands within some
			return strings.ReplaceAll(found, `"`, `\"`)
		}
		return found
	})
}
