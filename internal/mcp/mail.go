package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"almanac/graph/model"
	"almanac/projections/mail"
)

// mailArgs are the arguments of the tool.
type mailArgs struct {
	dryArgs
	Action    string   `json:"action"`
	IDs       []string `json:"ids"`
	To        []string `json:"to"`
	Cc        []string `json:"cc"`
	Subject   string   `json:"subject"`
	Body      string   `json:"body"`
	ReplyAll  bool     `json:"replyAll"`
	PreviewID string   `json:"previewId"`
	Hash      string   `json:"hash"`
	Read      *bool    `json:"read"`
	Starred   *bool    `json:"starred"`
	Archived  *bool    `json:"archived"`
	Add       []string `json:"add"`
	Remove    []string `json:"remove"`
}

// mail is the tool of that name.
func (s *Server) mail(ctx context.Context, c *call, in mailArgs) (outcome, error) {
	switch in.Action {
	case "write":
		input := given(map[string]any{"to": listOrNil(in.To), "cc": listOrNil(in.Cc), "subject": orNil(in.Subject),
			"body": in.Body})
		return s.perform(ctx, c, step{Mutation: "previewEmail", Input: input}, "")
	case "reply":
		if len(in.IDs) != 1 {
			return outcome{}, model.BadInput("ids", "give the id of the one e-mail to answer")
		}
		input := given(map[string]any{"emailId": in.IDs[0], "to": listOrNil(in.To), "cc": listOrNil(in.Cc), "body": in.Body,
			"replyAll": orNil(in.ReplyAll)})
		return s.perform(ctx, c, step{Mutation: "previewReply", Input: input}, "")
	case "send":
		return s.send(ctx, c, in)
	case "discard":
		return s.perform(ctx, c, step{Mutation: "discardPreview", Input: map[string]any{"id": in.PreviewID}}, "")
	default:
		return s.sort(ctx, c, in)
	}
}

// outgoing is an e-mail that would be sent.
type outgoing struct {
	ID      string            `json:"id"`
	Hash    string            `json:"hash"`
	State   model.OutboxState `json:"state"`
	Account string            `json:"account"`
	To      []address         `json:"to"`
	Cc      []address         `json:"cc"`
	Bcc     []address         `json:"bcc"`
	Subject string            `json:"subject"`
	Body    string            `json:"body"`
}

// maxBodyShown is how much of an e-mail's text the question about it shows, in characters.
const maxBodyShown = 2_000

// undoSendFor is for how long an e-mail that was approved can still be stopped, in seconds.
const undoSendFor = 10

// send asks always, and shows exactly what would be sent: the bytes that the hash names.
func (s *Server) send(ctx context.Context, c *call, in mailArgs) (outcome, error) {
	if in.PreviewID == "" || in.Hash == "" {
		return outcome{}, model.BadInput("previewId", "give the previewId and the hash that write or reply told")
	}
	got, err := s.graphql.run(ctx, c, s.documents["outgoing"], map[string]any{"id": in.PreviewID}, "")
	if err != nil {
		return outcome{}, err
	}
	if isNull(got.Data["emailPreview"]) {
		return failure(got.faults()...), nil
	}
	var letter outgoing
	if err := json.Unmarshal(got.Data["emailPreview"], &letter); err != nil {
		return outcome{}, err
	}
	if letter.Hash != in.Hash {
		return outcome{}, model.BadInput("hash", "this is not the hash of that preview; look at it again with open")
	}
	return s.approve(ctx, c, question{
		confirmation: confirmation{Question: say(localeOf(got), saySend)}, detail: letter.shown(),
		plan: pending{Steps: []step{
			{Mutation: "sendEmail", Input: map[string]any{"previewId": letter.ID, "hash": letter.Hash,
				"undoSendFor": undoSendFor}}}},
	})
}

// shown is the letter as a person reads it.
func (l outgoing) shown() string {
	lines := []string{"From: " + l.Account}
	for _, group := range [...]struct {
		name string
		who  []address
	}{{"To", l.To}, {"Cc", l.Cc}, {"Bcc", l.Bcc}} {
		if len(group.who) == 0 {
			continue
		}
		emails := make([]string, len(group.who))
		for i, one := range group.who {
			emails[i] = one.Email
		}
		lines = append(lines, group.name+": "+strings.Join(emails, ", "))
	}
	lines = append(lines, "Subject: "+l.Subject)
	body, cut := mail.Cut(l.Body, maxBodyShown)
	if !cut {
		body = l.Body
	}
	quoted, err := json.Marshal(map[string]string{"Text": body})
	if err != nil {
		return joinLines(lines)
	}
	text, err := render(quoted)
	if err != nil {
		return joinLines(lines)
	}
	lines = append(lines, text...)
	if cut {
		lines = append(lines, "…")
	}
	return joinLines(lines)
}

// sort marks and labels. It asks when it concerns several e-mails, or moves any where they are deleted.
func (s *Server) sort(ctx context.Context, c *call, in mailArgs) (outcome, error) {
	if len(in.IDs) == 0 {
		return outcome{}, model.BadInput("ids", "say which e-mails")
	}
	one := step{Mutation: "markEmails", Input: map[string]any{"ids": in.IDs}}
	for name, value := range map[string]*bool{"read": in.Read, "starred": in.Starred, "archived": in.Archived} {
		if value != nil {
			one.Input[name] = *value
		}
	}
	away := false
	if in.Action == "label" {
		one = step{Mutation: "labelEmails", Input: given(map[string]any{"ids": in.IDs, "add": listOrNil(in.Add),
			"remove": listOrNil(in.Remove)})}
		away = slices.ContainsFunc(in.Add, func(label string) bool {
			label = strings.ToUpper(strings.TrimSpace(label))
			return label == "TRASH" || label == "SPAM"
		})
	}
	if len(in.IDs) == 1 && !away {
		return s.perform(ctx, c, one, "")
	}
	found, locale, failed, err := s.things(ctx, c, in.IDs)
	if err != nil || failed != nil {
		return failedOr(failed), err
	}
	what := sayMark
	if away {
		what = sayTrash
	}
	return s.approve(ctx, c, question{confirmation: confirmation{Question: say(locale, what, len(found))},
		about: labelsOf(found), plan: pending{Steps: []step{one}}})
}
