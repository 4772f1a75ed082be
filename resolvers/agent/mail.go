package agent

import (
	"context"
	"strconv"
	"strings"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/plan"
	"almanac/resolvers/core"
)

// readMail answers which e-mails there are.
func (t *turn) readMail(ctx context.Context, meant plan.Mail) {
	filter := graph.EmailFilter{From: core.TextOrNil(meant.From), Text: core.TextOrNil(meant.Text)}
	yes := true
	if meant.Unread {
		filter.Unread = &yes
	}
	if meant.Attached {
		filter.HasAttachment = &yes
	}
	if meant.Window != nil {
		filter.After, filter.Before = instantInput(meant.Window.From), instantInput(meant.Window.To)
	}
	found, more, err := t.domains.Mail.Find(ctx, t.v, filter, mostShown)
	// "מהבנק": with the article the name is no word of "בנק הפועלים"
	if bare, ok := strings.CutPrefix(meant.From, "ה"); ok && err == nil && len(found) == 0 && bare != "" {
		filter.From = &bare
		found, more, err = t.domains.Mail.Find(ctx, t.v, filter, mostShown)
	}
	if bare, ok := strings.CutPrefix(meant.From, "מ"); ok && err == nil && len(found) == 0 && bare != "" { // "מאל על"
		bare = strings.TrimPrefix(bare, "ה")
		meant.From, filter.From = bare, &bare
		found, more, err = t.domains.Mail.Find(ctx, t.v, filter, mostShown)
	}
	// "בית הספר" of "בית ספר גורדון"
	if words := strings.Fields(meant.From); len(words) > 1 && err == nil && len(found) == 0 {
		for i, word := range words {
			if rest, article := strings.CutPrefix(word, "ה"); article && len([]rune(rest)) > 2 {
				words[i] = rest
			}
		}
		bare := strings.Join(words, " ")
		filter.From = &bare
		found, more, err = t.domains.Mail.Find(ctx, t.v, filter, mostShown)
	}
	other := false
	if err == nil && len(found) == 0 && meant.Text != "" && meant.From != "" { // the subject may have other words
		filter.Text, other = nil, true
		found, more, err = t.domains.Mail.Find(ctx, t.v, filter, mostShown)
	}
	loose := strings.TrimSpace(meant.From + " " + meant.Text)
	// A name in Hebrew letters may be that of a sender who writes himself in Latin ones, so that nothing is known of it.
	hebrew := meant.From != "" && isHebrew(meant.From)
	if err == nil && len(found) == 0 && (len(searchWords(loose)) > 1 || hebrew) {
		filter.From, filter.Text = nil, nil
		found, more, err = t.mailWith(ctx, filter, searchWords(loose))
		if err == nil && len(found) == 0 {
			sentence := t.say("I find no e-mail with %s.", "לא מצאתי מייל עם %s.", quote(loose))
			t.failed(sentence, sentence)
			return
		}
	}
	if err != nil {
		t.fail(ctx, err)
		return
	}
	result := agentEmails{Status: agentDone, Count: len(found), Emails: []agentEmail{}}
	ids := make([]model.ID, len(found))
	summary := t.say("No e-mails found.", "לא נמצאו מיילים.")
	if len(found) > 0 {
		summary = t.say("Found %d e-mails:", "נמצאו %d מיילים:", len(found))
		if more {
			summary = t.say("The newest %d e-mails:", "%d המיילים האחרונים:", len(found))
		}
	}
	if other && len(found) > 0 {
		summary = t.say("No e-mail from %s has %s in it; these are from them:", "אין מייל מ%s עם %s; אלה המיילים משם:",
			core.OneLine(meant.From), quote(meant.Text))
	}
	for i, view := range projections.EmailsAt(found, &projections.MailMoment{Moment: t.v.Moment}) {
		ids[i] = found[i].Ref.ID()
		one := agentEmail{EmailID: ids[i].String(), Subject: core.OneLine(view.Subject()), From: senderOf(view.From()),
			Date: t.clock(found[i].Date), Snippet: core.OneLine(found[i].Snippet)}
		result.Emails = append(result.Emails, one)
		summary += "\n- " + one.From + ": " + one.Subject + " – " + t.dated(found[i].Date)
	}
	if t.planned.Ask != nil {
		n := strconv.Itoa(len(found))
		if more {
			n = t.say("more than %s", "יותר מ-%s", n)
		}
		t.answer(n)
	}
	t.told(summary, result, ids...)
}

// mailWith finds the e-mails that have most of some words in their sender and their subject.
func (t *turn) mailWith(ctx context.Context, filter graph.EmailFilter, words []string) ([]model.Email, bool, error) {
	all, _, err := t.domains.Mail.Find(ctx, t.v, filter, agentReadMost)
	var found []model.Email
	for i, view := range projections.EmailsAt(all, &projections.MailMoment{Moment: t.v.Moment}) {
		if mostOf(words, senderOf(view.From())+" "+view.Subject()) && len(found) < mostShown {
			found = append(found, all[i])
		}
	}
	return found, false, err
}

// senderOf calls a sender by name, or by address.
func senderOf(from *projections.EmailAddress) string {
	if from == nil {
		return "?"
	}
	if from.Name != nil {
		return core.OneLine(*from.Name)
	}
	return from.Email
}
