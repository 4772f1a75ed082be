package mail

import (
	"slices"
	"strings"
	"unicode"

	"almanac/graph/model"
)

// maxReferences is how many Message-IDs a reply names: the first, which other programs thread by, and the newest ones.
const maxReferences = 30

// maxReferencesBytes keeps the header small for servers that bound it.
const maxReferencesBytes = 8 << 10

// Reply is what an answer to a message begins with.
type Reply struct {
	To, Cc     []model.EmailAddress
	Subject    string
	InReplyTo  string
	References []string
	// NoReply says that the address says of itself that nobody reads what is sent to it. It can be written to all the
	// same.
	NoReply bool
}

// ReplyTo returns what an answer begins with: to whom the message asks replies to (Reply-To, else From), or to whom it
// went when it is one's own; with everybody, who was in To and Cc gets a copy. Own addresses are left out. Threading
// follows RFC 5322, 3.6.4.
func ReplyTo(headers []model.EmailHeader, own []string, everybody bool) Reply {
	from, to, cc := Addresses(Header(headers, "From")), Addresses(Header(headers, "To")), Addresses(Header(headers, "Cc"))
	asked := Addresses(Header(headers, "Reply-To"))
	if len(asked) == 0 {
		asked = from
	}
	mine := func(a model.EmailAddress) bool {
		return slices.ContainsFunc(own, func(address string) bool { return SameAddress(address, a.Email) })
	}
	out := Reply{To: asked, Subject: ReplySubject(Header(headers, "Subject"))}
	if len(from) > 0 && mine(from[0]) && len(to) > 0 { // an answer to oneself goes on to the same people
		out.To = to
		if everybody {
			out.Cc = cc
		}
	} else if everybody {
		out.Cc = append(slices.Clone(to), cc...)
	}
	out.To = Distinct(out.To)
	if others := slices.DeleteFunc(slices.Clone(out.To), mine); len(others) > 0 {
		out.To = others
	}
	out.Cc = slices.DeleteFunc(Distinct(out.Cc), func(a model.EmailAddress) bool {
		return mine(a) || slices.ContainsFunc(out.To,
			func(b model.EmailAddress) bool { return SameAddress(a.Email, b.Email) })
	})
	out.NoReply = slices.ContainsFunc(out.To, func(a model.EmailAddress) bool { return isNoReply(a.Email) })
	out.InReplyTo, out.References = thread(headers)
	return out
}

// isNoReply reports whether a local part is one that senders use who read no answers.
func isNoReply(address string) bool {
	local, _, _ := strings.Cut(strings.ToLower(address), "@")
	local = strings.NewReplacer("-", "", "_", "", ".", "").Replace(local)
	return strings.HasPrefix(local, "noreply") || strings.HasPrefix(local, "donotreply") ||
		strings.HasPrefix(local, "mailerdaemon") || strings.HasSuffix(local, "noreply")
}

func thread(headers []model.EmailHeader) (inReplyTo string, references []string) {
	references = MessageIDs(Header(headers, "References"))
	parents := MessageIDs(Header(headers, "In-Reply-To"))
	if len(references) == 0 && len(parents) == 1 {
		references = parents
	}
	if own := MessageIDs(Header(headers, "Message-ID")); len(own) > 0 {
		inReplyTo = own[0]
		references = append(slices.DeleteFunc(references, func(id string) bool { return id == inReplyTo }), inReplyTo)
	}
	for len(references) > maxReferences || len(strings.Join(references, " ")) > maxReferencesBytes && len(references) > 1 {
		references = append(references[:1:1], references[min(2, len(references)-1):]...)
	}
	return inReplyTo, references
}

// maxMessageIDs is how many are read of one header.
const maxMessageIDs = 500

// maxMessageID is how long a Message-ID may be: a line of a header holds 998 bytes.
const maxMessageID = 900

// MessageIDs reads the Message-IDs of a header, each with its angle brackets. What is no sound one is left out: others'
// headers become part of ours.
func MessageIDs(value string) []string {
	var ids []string
	value = value[:min(len(value), maxAddressList)]
	for len(ids) < maxMessageIDs {
		start := strings.IndexByte(value, '<')
		if start < 0 {
			return ids
		}
		length := strings.IndexByte(value[start:], '>')
		if length < 0 {
			return ids
		}
		id := value[start : start+length+1]
		value = value[start+length+1:]
		if soundMessageID(id) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func soundMessageID(id string) bool {
	inner := id[1 : len(id)-1]
	at := strings.LastIndexByte(inner, '@')
	return len(id) <= maxMessageID && at > 0 && at < len(inner)-1 &&
		!strings.ContainsFunc(inner, func(r rune) bool { return r <= ' ' || r > '~' || r == '<' })
}

// replyMarks are what mail programs put before the subject of an answer, in lower case.
var replyMarks = [...]string{"re", "aw", "sv", "rv", "השב", "תגובה", "בתשובה"}

// ReplySubject returns the subject of an answer: with "Re: " before it, once, whatever stands there now in whichever
// language: "RE: השב: x" is answered by "Re: x". What was forwarded stays forwarded: "Re: Fwd: x". It has one line, and
// at most model.MaxEmailSubject characters.
func ReplySubject(subject string) string {
	rest := strings.Join(strings.FieldsFunc(subject, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	}), " ")
	for {
		mark, after, found := strings.Cut(strings.TrimLeft(rest, "\u200e\u200f"), ":")
		if !found || !isReplyMark(mark) {
			break
		}
		rest = strings.TrimSpace(after)
	}
	rest, _ = Cut(rest, model.MaxEmailSubject-len("Re: "))
	return strings.TrimSpace("Re: " + rest)
}

// isReplyMark reports whether a word is "Re", also with a count: "Re[2]", "RE(3)".
func isReplyMark(mark string) bool {
	if len(mark) > 40 {
		return false
	}
	mark = strings.ToLower(strings.Trim(mark, " \u200e\u200f"))
	mark = strings.TrimRight(mark, "[]()^0123456789")
	return slices.Contains(replyMarks[:], strings.TrimSpace(mark))
}
