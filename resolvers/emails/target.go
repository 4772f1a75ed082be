package emails

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"almanac/adapters/gmail"
	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/mail"
	"almanac/projections/naming"
	"almanac/resolvers/core"
)

const (
	// searchedEmails is among how many e-mails of each account a text is looked for.
	searchedEmails = 100
	// searchedWords is how many words of the text Gmail is asked for.
	searchedWords = 20
)

// emailTarget is how a mutation names an e-mail.
func (r *Resolver) emailTarget(v *core.Viewer, id *string, target *graph.EmailTargetInput,
	confirm *graph.ConfirmInput) core.Target {
	out := core.Target{
		Kind: model.KindEmail, Naming: naming.Email, Field: "input.emailId", ID: id, HasTarget: target != nil,
		Confirm: confirm,
	}
	if target == nil {
		return out
	}
	if out.TargetID = target.ID; target.Match != nil {
		out.Texts = []core.Text{
			{Field: "input.target.match.text", Text: target.Match.Text, Most: model.MaxEmailSubject},
		}
		out.Candidates = func(ctx context.Context, text string) ([]core.Choice, error) {
			return r.emailNames(ctx, v, text, target.Match.Account)
		}
	}
	return out
}

// emailsMeant finds the e-mails that a mutation of several is about: those of the ids, or the one of the target.
func (r *Resolver) emailsMeant(ctx context.Context, v *core.Viewer, ids []string, target *graph.EmailTargetInput,
	confirm *graph.ConfirmInput) (core.Meant, error) {
	switch {
	case (ids == nil) == (target == nil):
		return core.Meant{}, model.BadInput("input.target", "give either ids or target")
	case target != nil:
		return r.Meant(ctx, v, r.emailTarget(v, nil, target, confirm))
	case confirm != nil:
		return core.Meant{}, model.BadInput("input.confirm", "nothing is asked about ids; leave confirm out")
	}
	return core.Meant{IDs: ids, Field: "input.ids"}, nil
}

// emailNames reads what the e-mails are called that have a word of the text in subject or sender, the newest of each
// conversation first.
func (r *Resolver) emailNames(ctx context.Context, v *core.Viewer, text string, account *string) ([]core.Choice,
	error) {
	accounts, err := r.Accounts(ctx, v, "input.target.match.account", account)
	if err != nil {
		return nil, err
	}
	words := searchWords(text)
	if len(words) == 0 {
		return nil, nil
	}
	query, err := mail.Query(mail.Filter{Raw: anyOf(words) + " -in:sent -in:drafts", WithoutSpamTrash: true})
	if err != nil {
		return nil, core.Below(err, "input.target.match")
	}
	boxes := make([]*box, len(accounts))
	for i, a := range accounts {
		boxes[i] = &box{account: a, query: gmail.Query{Text: query}}
		boxes[i].place = (&mailPlace{}).of(a, searchedEmails)
	}
	_, failures := core.AskEach(boxes, func(b *box) (struct{}, error) {
		return struct{}{}, r.fill(ctx, b, searchedEmails, store.MailHeaders)
	})
	var found []model.Email
	for i, b := range boxes {
		if failures[i] != nil {
			return nil, failures[i] // what a text means cannot be said while a part of what it may mean is out of sight
		}
		for _, one := range b.waiting {
			found = append(found, one.email)
		}
	}
	slices.SortStableFunc(found, func(a, b model.Email) int { return b.Date.Compare(a.Date) })
	at := r.MailMoment(ctx, v, nil, nil, false)
	var out []core.Choice
	seen := make(map[string]bool)
	for _, view := range projections.EmailsAt(found, at) {
		if thread := view.ThreadID().String(); !seen[thread] {
			seen[thread] = true
			out = append(out, choicesOf(view)...)
		}
	}
	return out, nil
}

// choicesOf are the texts by which an e-mail may be named: its subject, and its sender with the subject.
func choicesOf(email projections.Email) []core.Choice {
	id := email.ID().String()
	subject := strings.TrimPrefix(mail.ReplySubject(email.Subject()), "Re:")
	label := model.Clip(strings.TrimSpace(subject))
	choices := []core.Choice{{ID: id, Name: subject}}
	if from := email.From(); from != nil {
		name := from.Email
		if from.Name != nil {
			name = *from.Name
		}
		label = model.Clip(name) + ": " + label
		choices = append(choices, core.Choice{ID: id, Name: name + ": " + subject})
	}
	for i := range choices {
		choices[i].Label = label
	}
	return choices
}

// searchWords are the words of a text in the forms in which they may stand in an e-mail: without an English plural or
// possessive s, or with it, and without a Hebrew prefix.
func searchWords(text string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(text,
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		runes := []rune(word)
		switch {
		case unicode.Is(unicode.Hebrew, runes[0]):
			for cut := 1; cut <= 2 && len(runes)-cut >= 2 && strings.ContainsRune("הלבושמכ", runes[cut-1]); cut++ {
				out = append(out, string(runes[cut:]))
			}
		case len(runes) > 3 && strings.HasSuffix(word, "s"):
			out = append(out, strings.TrimSuffix(word, "s"))
		case len(runes) > 2 && unicode.IsLetter(runes[0]):
			out = append(out, word+"s")
		}
		out = append(out, word)
	}
	return out[:min(len(out), searchedWords)]
}

func anyOf(words []string) string {
	var out strings.Builder
	for _, word := range words {
		out.WriteString(` subject:"` + word + `" from:"` + word + `"`)
	}
	return "{" + strings.TrimSpace(out.String()) + "}"
}
