package websets

import (
	"context"
	"time"
	"unicode/utf8"

	"almanac/adapters/exa"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// newMonitor reads a monitor to be made, but for its webset.
func newMonitor(v *core.Viewer, in graph.CreateWebsetMonitorInput) (out exa.Monitor, err error) {
	if out.Cron, err = readCron("input.cron", in.Cron); err != nil {
		return out, err
	}
	zone, err := core.ZoneNamed("input.timeZone", in.TimeZone, v.Zone)
	if err != nil {
		return out, err
	}
	out.TimeZone = exaZone(zone)
	search := &exa.Search{Behavior: in.Behavior}
	if err := oneOfWords("input.behavior", in.Behavior, "behavior", model.WebsetBehaviors()); err != nil {
		return out, err
	}
	if in.Query != nil {
		if search.Query, err = monitorQuery("input.query", *in.Query); err != nil {
			return out, err
		}
	}
	if search.Criteria, err = criteriaOf("input.criteria", in.Criteria); err != nil {
		return out, err
	}
	if search.Entity, err = entityOf("input.entity", in.Entity); err != nil {
		return out, err
	}
	if search.Count, err = countOf("input.count", in.Count); err != nil {
		return out, err
	}
	out.Search = search
	out.Metadata, err = exaMetadata("input.metadata", in.Metadata)
	return out, err
}

// exaZone is a zone's name as Exa takes it.
func exaZone(zone *time.Location) string {
	if zone == time.UTC {
		return "Etc/UTC"
	}
	return zone.String()
}

func monitorQuery(field, text string) (string, error) {
	clean, err := core.CleanText(field, text, model.MaxWebsetMonitorQuery)
	if err == nil && utf8.RuneCountInString(clean) < minMonitorText {
		err = model.BadInput(field, "the text is too short; it has %d–%d characters", minMonitorText,
			model.MaxWebsetMonitorQuery)
	}
	return clean, err
}

// CreateWebsetMonitor looks for more at fixed times.
func (r *Resolver) CreateWebsetMonitor(ctx context.Context,
	in graph.CreateWebsetMonitorInput) (*graph.CreateWebsetMonitorPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.CreateWebsetMonitorPayload{UserErrors: []model.UserError{}}
	wanted, err := newMonitor(v, in)
	if err == nil {
		out.Monitor, err = act(ctx, r, named{"input.websetId", in.WebsetID, model.KindWebset}, model.OperationCreated,
			madeOf, projections.WebsetMonitorAt,
			func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetMonitor, error) {
				wanted.Webset = ref.ID
				return a.CreateMonitor(ctx, wanted)
			})
	}
	core.AddUserError(ctx, &out.UserErrors, err)
	out.Context = aboutOne(out.Monitor != nil)
	return out, nil
}

// monitorPatch reads what to change of a monitor.
func monitorPatch(v *core.Viewer, in graph.UpdateWebsetMonitorInput) (out exa.MonitorPatch, err error) {
	switch {
	case in.Status == nil && in.Cron == nil && in.Search == nil && !in.Metadata.IsSet() && in.TimeZone == nil &&
		in.Behavior == nil:
		return out, model.BadInput("input", "say what to change: status, cron, search or metadata")
	case in.TimeZone != nil && in.Cron == nil:
		return out, model.BadInput("input.timeZone", "timeZone is the zone of cron; give both")
	case in.Behavior != nil && in.Search == nil:
		return out, model.BadInput("input.behavior", "behavior belongs to search; give both")
	}
	if in.Status != nil {
		if err := oneOfWords("input.status", *in.Status, "status of a monitor", model.WebsetMonitorStatuses()); err != nil {
			return out, err
		}
		out.Status = in.Status
	}
	if in.Cron != nil {
		cron, err := readCron("input.cron", *in.Cron)
		if err != nil {
			return out, err
		}
		zone, err := core.ZoneNamed("input.timeZone", in.TimeZone, v.Zone)
		if err != nil {
			return out, err
		}
		name := exaZone(zone)
		out.Cron, out.TimeZone = &cron, &name
	}
	if out.Search, err = searchOf("input.search", in.Search, model.MaxWebsetMonitorQuery); err != nil {
		return out, err
	}
	if out.Search != nil {
		if utf8.RuneCountInString(out.Search.Query) < minMonitorText {
			return out, model.BadInput("input.search.query", "the text is too short; it has %d–%d characters", minMonitorText,
				model.MaxWebsetMonitorQuery)
		}
		out.Search.Behavior = "append"
		if in.Behavior != nil {
			if err := oneOfWords("input.behavior", *in.Behavior, "behavior", model.WebsetBehaviors()); err != nil {
				return out, err
			}
			out.Search.Behavior = *in.Behavior
		}
	}
	out.Metadata, err = metadataPatch(in.Metadata)
	return out, err
}

// UpdateWebsetMonitor changes a monitor.
func (r *Resolver) UpdateWebsetMonitor(ctx context.Context,
	in graph.UpdateWebsetMonitorInput) (*graph.UpdateWebsetMonitorPayload, error) {
	v, err := core.ViewerFrom(ctx)
	if err != nil {
		return nil, err
	}
	out := &graph.UpdateWebsetMonitorPayload{UserErrors: []model.UserError{}}
	patch, err := monitorPatch(v, in)
	if err == nil {
		out.Monitor, err = change(ctx, r, named{"input.id", in.ID, model.KindMonitor}, projections.WebsetMonitorAt,
			func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetMonitor, error) {
				return a.UpdateMonitor(ctx, ref.ID, patch)
			})
	}
	core.AddUserError(ctx, &out.UserErrors, err)
	out.Context = aboutOne(out.Monitor != nil)
	return out, nil
}

// DeleteWebsetMonitor deletes a monitor.
func (r *Resolver) DeleteWebsetMonitor(ctx context.Context,
	in graph.DeleteWebsetMonitorInput) (*graph.DeleteWebsetMonitorPayload, error) {
	out := &graph.DeleteWebsetMonitorPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	var err error
	if out.Monitor, err = remove(ctx, r, named{"input.id", in.ID, model.KindMonitor}, projections.WebsetMonitorAt,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetMonitor, error) {
			return a.DeleteMonitor(ctx, ref.ID)
		}); err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Deleted, out.DeletedID, out.Context = 1, &in.ID, aboutOne(true)
	return out, nil
}

// CreateResearch has Exa look into a question.
func (r *Resolver) CreateResearch(ctx context.Context,
	in graph.CreateResearchInput) (*graph.CreateResearchPayload, error) {
	out := &graph.CreateResearchPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	question, err := researchOf(in)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	record, err := account.CreateResearch(fieldSeed(ctx), question)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	r.keepExa(ctx, v, core.Did{Changes: []model.Difference{{ID: record.Ref.PublicID(), After: &record}}})
	view := projections.ResearchAt(record, v.Moment)
	out.Research, out.Context = &view, aboutOne(true)
	return out, nil
}

// researchOf reads a research to be done.
func researchOf(in graph.CreateResearchInput) (out exa.Question, err error) {
	if out.Instructions, err = core.CleanText("input.instructions", in.Instructions,
		model.MaxResearchInstructions); err != nil {
		return out, err
	}
	if err := oneOfWords("input.model", in.Model, "model", model.ResearchModels()); err != nil {
		return out, err
	}
	out.Model = in.Model
	if in.OutputSchema != nil && *in.OutputSchema != "null" {
		if (*in.OutputSchema)[0] != '{' {
			return out, model.BadInput("input.outputSchema", "outputSchema must be an object: a JSON schema")
		}
		out.OutputSchema = *in.OutputSchema
	}
	return out, nil
}
