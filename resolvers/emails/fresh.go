package emails

import (
	"fmt"
	"time"

	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// agesOf is since when labels of what was listed may have changed unseen, and which accounts are shown as they were
// since Gmail did not say what has changed.
func agesOf(v *core.Viewer, boxes []*box) (*model.DateTime, []projections.EmailNote) {
	oldest := v.Now
	var notes []projections.EmailNote
	for _, b := range boxes {
		asOf := b.age.AsOf()
		if !asOf.IsZero() && asOf.Before(oldest) {
			oldest = asOf
		}
		if failure := b.age.Failure(); failure != nil {
			notes = append(notes, keptNote(v, b.account.Account, v.DateTime(asOf), failure))
		}
	}
	at := v.DateTime(oldest)
	return &at, notes
}

// keptNote says that labels of an account are shown as they were.
func keptNote(v *core.Viewer, account string, asOf model.DateTime, failure error) projections.EmailNote {
	note := projections.EmailNote{Code: model.CodeOf(failure), Account: account}
	if wait := model.RetryAfterOf(failure); wait > 0 {
		ms := int32(min(wait, 24*time.Hour).Milliseconds())
		note.RetryAfterMs = &ms
	}
	at := asOf.Format("2006-01-02 15:04")
	note.Message = fmt.Sprintf("Gmail could not be asked for changes of %s; its labels are shown as they were at %s",
		account, at)
	if v.Locale == "he" {
		note.Message = fmt.Sprintf("לא ניתן היה לברר מול Gmail מה השתנה ב-%s; התוויות מוצגות כפי שהיו ב-%s", account, at)
	}
	return note
}
