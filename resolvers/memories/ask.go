package memories

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/projections/when"
	"almanac/resolvers/core"
)

// keepBoth is the id of the candidate that stands for keeping both.
const keepBoth = "new"

// memoryPhrases are the sentences of questions about memories in one language.
type memoryPhrases struct {
	replaceOne  string // label
	replaceSome string
	both        string
	eraseOne    string // label
	eraseSome   string // how many there are
}

func memoryPhrasesIn(locale string) memoryPhrases {
	if locale == "he" {
		return memoryPhrases{
			replaceOne:  `כבר שמור אצלך: "%s". להחליף אותו או לשמור את שניהם?`,
			replaceSome: "כבר שמורים אצלך כמה פריטים דומים. איזה מהם להחליף, או לשמור גם את החדש?",
			both:        "לשמור את שניהם",
			eraseOne:    `למחוק לצמיתות את "%s"? אי אפשר לשחזר.`,
			eraseSome:   "למחוק לצמיתות %d פריטים? אי אפשר לשחזר.",
		}
	}
	return memoryPhrases{
		replaceOne:  `You have this already: "%s". Replace it, or keep both?`,
		replaceSome: "You have several things like this already. Which one should be replaced, or should both be kept?",
		both:        "Keep both",
		eraseOne:    `Erase "%s" for good? It cannot be restored.`,
		eraseSome:   "Erase %d memories for good? They cannot be restored.",
	}
}

// memoryLabel calls a memory by its summary, or the beginning of its content, and when it was written.
func memoryLabel(memory model.Memory, v *core.Viewer) string {
	text := memory.Summary
	if text == "" {
		text = memory.Content
	}
	return model.Clip(strings.Join(strings.Fields(labelText(text)), " ")) + " (" +
		when.Format(memory.UpdatedAt, v.Moment.Moment) + ")"
}

// labelText is as much of a text as a label could show, so that no more is looked at.
func labelText(text string) string {
	const most = 1000
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}

// memoryCandidateColumns are what must be read of memories that a question may show.
func memoryCandidateColumns(ctx context.Context) store.MemoryColumns {
	return MemoryColumns(core.Answered(ctx).Under("confirmation", "Confirmation").Under("candidates",
		"Candidate").Under("node",
		"Memory"))
}

// askOverride asks which of the rivals a new memory should replace, if any. The answer holds for the versions that were
// shown.
func (r *Resolver) askOverride(ctx context.Context, v *core.Viewer, rivals []rival) (*projections.Confirmation, error) {
	say := memoryPhrasesIn(v.Locale)
	q := core.Question{Kind: model.MemoryOverride, Text: say.replaceSome}
	if len(rivals) == 1 {
		q.Text = fmt.Sprintf(say.replaceOne, memoryLabel(rivals[0].memory, v))
	}
	for _, one := range rivals {
		view := r.MemoryAt(v, one.memory)
		q.Texts = append(q.Texts, view.ID().String())
		q.Held = append(q.Held, strconv.Itoa(one.memory.Version))
		q.Candidates = append(q.Candidates, projections.Candidate{
			Key: view.ID().String(), Label: memoryLabel(one.memory, v), Score: math.Round(max(one.score, 0)*1e4) / 1e4,
			Node: view,
		})
	}
	q.Texts = append(q.Texts, keepBoth)
	q.Candidates = append(q.Candidates, projections.Candidate{Key: keepBoth, Label: say.both})
	return r.Ask(ctx, v, q)
}

// answeredOverride returns the memory that was chosen to be replaced, nil to keep both, and uses the answer up.
// CONFIRMATION_INVALID when the memory has been changed or erased since the question: nobody has seen what would be
// replaced.
func (r *Resolver) answeredOverride(ctx context.Context, tx store.Tx, v *core.Viewer,
	confirm graph.ConfirmInput) (*model.Memory, error) {
	t, err := r.OpenTicket(ctx, v, confirm.Token)
	if err != nil {
		return nil, err
	}
	picked, err := t.PickTexts(model.KindMemory, confirm)
	if err != nil {
		return nil, err
	}
	if err := core.Use(ctx, tx, t); err != nil {
		return nil, err
	}
	if picked[0] == keepBoth {
		return nil, nil
	}
	id, err := model.ParseID(picked[0])
	if err != nil {
		return nil, core.InvalidConfirmation("this confirmation names no memory")
	}
	found, err := tx.MemoriesByID(ctx, v.User, []model.UUID{id.UUID}, v.Now, store.MemoryRow)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 || !holdsVersion(t, picked[0], found[0].Version) {
		return nil,
			core.InvalidConfirmation(
				"the memory to be replaced has been changed or erased since the question; ask again without confirm")
	}
	return &found[0], nil
}

// holdsVersion reports whether a candidate was offered in this version.
func holdsVersion(t core.Ticket, offered string, version int) bool {
	for i, text := range t.Texts {
		if text == offered && i < len(t.Held) {
			return t.Held[i] == strconv.Itoa(version)
		}
	}
	return false
}
