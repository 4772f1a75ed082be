package resolvers

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/internal/dryrun"
	"almanac/projections"
	"almanac/projections/compact"
)

// payloadCounts says, by the name of a mutation's payload, what compact text counts of it: the word, and the payload's
// field that is counted. Numbers count as they are, lists by their length, anything else as 1 when it is there.
var payloadCounts = map[string]string{
	"CreateTask":    "created:Task duplicates:ExistingTask",
	"CreateTasks":   "created:Created",
	"UpdateTask":    "updated:Task",
	"UpdateTasks":   "updated:Updated",
	"CompleteTask":  "completed:Completion",
	"DeleteTask":    "deleted:Deleted",
	"DeleteTasks":   "deleted:Deleted",
	"AddSubtask":    "created:Subtask",
	"UpdateSubtask": "updated:Subtask",
	"DeleteSubtask": "deleted:Deleted",

	"UndoAction": "undone:Undone",

	"CreateList":      "created:List duplicates:ExistingList",
	"UpdateList":      "updated:List duplicates:ExistingList",
	"DeleteList":      "deleted:Deleted",
	"UpdateListItems": "",

	"CreateCalendar": "created:Calendar",
	"UpdateCalendar": "updated:Calendar",
	"DeleteCalendar": "deleted:Deleted",

	"ImportEvents":      "created:Created updated:Updated deleted:Deleted unchanged:Unchanged",
	"SubscribeToFeed":   "created:Calendar",
	"PublishCalendar":   "created:Publication",
	"UnpublishCalendar": "deleted:Unpublished",

	"CreateWebhook": "created:Webhook",
	"UpdateWebhook": "updated:Webhook",
	"DeleteWebhook": "deleted:DeletedID",
	"TestWebhook":   "",
	"RegisterPush":  "created:Subscription",
	"RemovePush":    "deleted:DeletedID",
	"TestPush":      "",

	"CreateEvent":            "created:Event duplicates:Duplicates",
	"CreateEvents":           "created:Created duplicates:Duplicates",
	"CreateRecurringEvent":   "created:Event duplicates:Duplicates",
	"CreateRecurringEvents":  "created:Created duplicates:Duplicates",
	"UpdateEvent":            "updated:Event dropped:Dropped",
	"UpdateEventsInWindow":   "updated:Updated",
	"DeleteEvent":            "deleted:Deleted",
	"DeleteEventsInWindow":   "deleted:Deleted",
	"DeleteEventsBySummary":  "deleted:Deleted",
	"TruncateRecurringEvent": "updated:Event dropped:Dropped",

	"PreviewEmail":    "previewed:Preview",
	"PreviewReply":    "previewed:Preview",
	"SendEmail":       "",
	"ReplyToEmail":    "",
	"UnscheduleEmail": "unscheduled:Preview",
	"DiscardPreview":  "discarded:Discarded",
	"MarkEmails":      "updated:Updated",
	"LabelEmails":     "updated:Updated",

	"StoreMemory":    "created:Memory",
	"StoreMemories":  "created:Created overridden:Overridden unchanged:Unchanged",
	"UpdateMemory":   "updated:Memory",
	"RestoreMemory":  "restored:Memory",
	"DeleteMemories": "deleted:Deleted of:Total",
	"ImportMemories": "created:Created updated:Updated unchanged:Unchanged",

	"AddEpisode":      "",
	"ExtractEpisode":  "queued:Episode",
	"AddFacts":        "created:Created unchanged:Unchanged invalidated:Invalidated entitiesCreated:EntitiesCreated",
	"InvalidateFacts": "invalidated:Updated",
	"UpdateEntity":    "updated:Entity",
	"MergeEntities":   "merged:Merged factsMoved:FactsMoved factsJoined:FactsJoined",
	"DeleteEntity":    "deleted:Deleted deletedFacts:DeletedFacts",
	"DeleteFact":      "deleted:Deleted",
	"DeleteEpisode":   "deleted:Deleted deletedFacts:DeletedFacts deletedEntities:DeletedEntities",
	"ClearKnowledge": "cleared:Cleared deletedEntities:DeletedEntities deletedFacts:DeletedFacts " +
		"deletedEpisodes:DeletedEpisodes",

	"CreateWebset":           "",
	"UpdateWebset":           "updated:Webset",
	"CancelWebset":           "canceled:Webset",
	"DeleteWebset":           "deleted:Deleted",
	"PreviewWebset":          "understood:Preview",
	"CreateWebsetSearch":     "created:Search",
	"CancelWebsetSearch":     "canceled:Search",
	"DeleteWebsetItem":       "deleted:Deleted",
	"CreateWebsetEnrichment": "created:Enrichment",
	"UpdateWebsetEnrichment": "updated:Enrichment",
	"CancelWebsetEnrichment": "canceled:Enrichment",
	"DeleteWebsetEnrichment": "deleted:Deleted",
	"CreateWebsetMonitor":    "created:Monitor",
	"UpdateWebsetMonitor":    "updated:Monitor",
	"DeleteWebsetMonitor":    "deleted:Deleted",
	"CreateWebsetWebhook":    "created:Webhook",
	"UpdateWebsetWebhook":    "updated:Webhook",
	"DeleteWebsetWebhook":    "deleted:Deleted",
	"CreateWebsetImport":     "created:Import",
	"UpdateWebsetImport":     "updated:Import",
	"DeleteWebsetImport":     "deleted:Deleted",
	"CreateResearch":         "created:Research",
}

// referredTo are the fields of payloads, by their names in Go, that the schema marks with @existing: in a dry run the
// ids of their rows are the records' own.
var referredTo = []string{"ExistingTask", "ExistingList", "Duplicates"}

// payloadText is a mutation's payload, a pointer to a struct, as compact text shows it: the counts of payloadCounts,
// the views in the payload as rows, and what was refused, not found or asked. What Before holds was never changed or is
// gone, so it is shown of deletions alone; the rows say what was done, so the action is shown of undoing alone.
func payloadText(ctx context.Context, payload any) compact.Payload {
	v := reflect.ValueOf(payload).Elem()
	name := strings.TrimSuffix(v.Type().Name(), "Payload")
	out := compact.Payload{DryRun: dryrun.Is(ctx)}
	for counted := range strings.FieldsSeq(payloadCounts[name]) {
		word, field, _ := strings.Cut(counted, ":")
		out.Counts = append(out.Counts, compact.Count{Name: word, N: countOf(v.FieldByName(field))})
	}
	for i := range v.NumField() {
		field := v.Type().Field(i).Name
		if field != "Before" && field != "Action" || field == "Before" && name == "DeleteEvent" ||
			field == "Action" && name == "UndoAction" {
			addField(&out, name, field, v.Field(i).Interface())
		}
	}
	switch p := payload.(type) {
	case *graph.UpdateListItemsPayload:
		stepsText(&out, p.Outcomes)
	case *graph.SendEmailPayload:
		sendingText(&out, p.State, p.Email != nil)
	case *graph.ReplyToEmailPayload:
		sendingText(&out, p.State, p.Email != nil)
		if out.Confirmation != nil && p.Preview != nil {
			out.Confirmation.Candidates = nil // the preview stands below the question, with all that is asked about
		}
	case *graph.AddEpisodePayload:
		out.Counts = []compact.Count{{Name: "created", N: len(out.Rows)}}
		if p.Episode == nil && p.State != nil { // a remote that has queued it says no more
			out.Counts[0] = compact.Count{Name: "queued", N: 1}
		}
	case *graph.DeleteEntityPayload:
		out.Rows = deletedRef(p.DeletedID)
	case *graph.DeleteFactPayload:
		out.Rows = deletedRef(p.DeletedID)
	case *graph.DeleteEpisodePayload:
		out.Rows = deletedRef(p.DeletedID)
	case *graph.CreateCalendarPayload:
		if p.Calendar != nil {
			out.Rows = refs([]string{p.Calendar.ID().String()})
		}
	case *graph.UpdateCalendarPayload:
		if p.Calendar != nil {
			out.Rows = refs([]string{p.Calendar.ID().String()})
		}
	case *graph.DeleteWebhookPayload:
		out.Rows = deletedRef(p.DeletedID)
	case *graph.RemovePushPayload:
		out.Rows = deletedRef(p.DeletedID)
	case *graph.DeleteCalendarPayload:
		out.Rows = deletedRef(p.DeletedID)
	case *graph.CreateWebsetPayload:
		out.Counts = []compact.Count{{Name: "created"}}
		if len(p.UserErrors) == 0 {
			out.Counts[0].N = len(out.Rows)
		}
	case *graph.PreviewWebsetPayload:
		out.Rows = websetPreviewRows(p.Preview)
	}
	return out
}

// countOf counts what a field of a payload holds.
func countOf(field reflect.Value) int {
	switch field.Kind() {
	case reflect.Pointer:
		if field.IsNil() {
			return 0
		}
		if field.Elem().Kind() != reflect.Struct {
			return countOf(field.Elem())
		}
		return 1
	case reflect.Slice:
		return field.Len()
	case reflect.Bool:
		if field.Bool() {
			return 1
		}
		return 0
	case reflect.String:
		return min(field.Len(), 1)
	default:
		return int(field.Int())
	}
}

// addField adds what compact text shows of a payload's field.
func addField(out *compact.Payload, payload, name string, field any) {
	switch f := field.(type) {
	case []model.UserError:
		out.UserErrors = projections.CompactUserErrors(f)
	case []model.BulkError:
		out.Errors = make([]compact.Problem, len(f))
		for i, e := range f {
			out.Errors[i] = compact.Problem{ID: e.NodeID, Index: e.Index, Code: e.Code, Message: e.Message}
		}
	case *projections.Confirmation:
		// Others write the titles of events, and the mails that are replied to.
		out.Confirmation = f.Row(othersWrote(payload))
	case []string:
		switch name {
		case "NotFound":
			out.NotFound = f
		case "Ids":
			out.Rows = append(out.Rows, refs(f)...)
		}
	case *string:
		if name == "Message" && f != nil {
			out.Message = *f
		}
	default:
		rows := projections.PayloadRows(field)
		if out.DryRun && !slices.Contains(referredTo, name) {
			rows = compact.DryRun(rows)
		}
		if out.Rows == nil {
			out.Rows = rows
		} else {
			out.Rows = append(out.Rows, rows...)
		}
	}
}

// refs are ids as rows of their own.
func refs(ids []string) []compact.Row {
	rows := make([]compact.Row, len(ids))
	for i, id := range ids {
		rows[i] = compact.Ref{ID: id}
	}
	return rows
}

// deletedRef is the id of what was deleted; none when nothing was.
func deletedRef(id *string) []compact.Row {
	if id == nil {
		return nil
	}
	return refs([]string{*id})
}

// stepsText adds what came of the steps of updateListItems: items that were changed, and why others were not.
func stepsText(out *compact.Payload, outcomes []projections.ListItemOutcome) {
	done := 0
	for _, outcome := range outcomes {
		if outcome.Status == model.ItemDone {
			done++
		}
		if outcome.Code == nil {
			continue
		}
		problem := compact.Problem{Index: outcome.Index, Code: *outcome.Code}
		if outcome.Message != nil {
			problem.Message = *outcome.Message
		}
		out.Errors = append(out.Errors, problem)
	}
	out.Counts = []compact.Count{{Name: "updated", N: done}}
}

// sendingText says how far the sending of an e-mail has come; the preview is shown while there is no e-mail.
func sendingText(out *compact.Payload, state *model.OutboxState, sent bool) {
	if sent {
		out.Rows = out.Rows[:1]
	}
	count := compact.Count{Name: "queued", N: 1}
	switch {
	case state == nil:
		count = compact.Count{Name: "sent"}
	case *state == model.OutboxSent:
		count.Name = "sent"
	case *state == model.OutboxPreview:
		count.Name = "previewed"
	case *state == model.OutboxScheduled:
		count.Name = "scheduled"
	}
	out.Counts = []compact.Count{count}
}

// websetPreviewRows is what a query would be understood as.
func websetPreviewRows(preview *graph.WebsetPreview) []compact.Row {
	if preview == nil {
		return nil
	}
	seen := compact.WebsetPreview{EntityType: preview.EntityType, Criteria: preview.Criteria}
	for _, e := range preview.Enrichments {
		seen.Enrichments = append(seen.Enrichments, compact.WebsetEnrichment{Description: e.Description, Format: e.Format})
	}
	for _, i := range preview.Items {
		seen.Items = append(seen.Items,
			compact.WebsetItem{Name: i.Name, URL: i.URL, EntityType: i.EntityType, Description: i.Description})
	}
	return seen.Rows()
}

// othersWrote reports whether others than the user may have written what a payload's question shows.
func othersWrote(payload string) bool {
	return slices.ContainsFunc([]string{"Event", "Email", "PreviewReply", "Entity", "Fact", "Webset"},
		func(part string) bool { return strings.Contains(payload, part) })
}
