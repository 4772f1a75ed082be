package summary

import (
	"encoding/json"
	"slices"
	"strings"

	"almanac/graph/model"
	"almanac/projections/mail"
	"almanac/projections/when"
)

// ofLabels says what became of the labels of an e-mail: before has those that were taken off, after those that were put
// on.
func ofLabels(before, after *model.Email) (said []phrase) {
	name := mail.Header(after.Headers, "Subject")
	for _, known := range [...]struct{ label, put, taken string }{
		{"UNREAD", "mail unread", "mail read"},
		{"STARRED", "mail starred", "mail unstarred"},
		{"IMPORTANT", "mail important", "mail unimportant"},
		{"INBOX", "mail unarchived", "mail archived"},
	} {
		if slices.Contains(after.Labels, known.label) {
			said = append(said, phrase{verb: known.put, name: name})
		}
		if slices.Contains(before.Labels, known.label) {
			said = append(said, phrase{verb: known.taken, name: name})
		}
	}
	said = append(said, others("mail labelled", name, after.Labels)...)
	return append(said, others("mail unlabelled", name, before.Labels)...)
}

// others is the phrase about labels that have no words of their own.
func others(verb, name string, labels []string) []phrase {
	rest := slices.DeleteFunc(slices.Clone(labels), func(label string) bool {
		return slices.Contains([]string{"UNREAD", "STARRED", "IMPORTANT", "INBOX"}, label)
	})
	if len(rest) == 0 {
		return nil
	}
	return []phrase{{verb: verb, name: name, rest: []string{strings.Join(rest, ", ")}}}
}

// ofOutgoing says what became of an e-mail that was composed here.
func ofOutgoing(after *model.OutgoingEmail, m when.Moment) []phrase {
	to := recipients(after)
	switch after.State {
	case model.OutboxScheduled:
		return []phrase{{verb: "mail scheduled", name: subject(after),
			rest: []string{to, when.FormatShort(after.SendAt, m)}}}
	case model.OutboxSent:
		return []phrase{{verb: "mail sent", name: subject(after), rest: []string{to}}}
	default:
		return []phrase{{verb: "mail unscheduled", name: subject(after), rest: []string{to}}}
	}
}

func shown(of *model.OutgoingEmail) (read mail.Shown) {
	_ = json.Unmarshal(of.Shown, &read) // what cannot be read has no words
	return read
}

func subject(of *model.OutgoingEmail) string { return shown(of).Subject }

func recipients(of *model.OutgoingEmail) string {
	read := shown(of)
	var to []string
	for _, one := range slices.Concat(read.To, read.Cc, read.Bcc) {
		to = append(to, one.Email)
	}
	return strings.Join(to, ", ")
}
