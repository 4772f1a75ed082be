package gcal

import (
	"strings"
	"testing"
)

func TestMaskHoldsOnlyWhatIsWanted(t *testing.T) {
	const always = "id,etag,status,eventType,recurringEventId,originalStartTime"
	for name, c := range map[string]struct {
		fields Fields
		want   string
	}{
		"nothing":   {0, always},
		"a summary": {FieldSummary, always + ",summary"},
		"times":     {FieldTimes, always + ",start,end"},
		"attendees": {FieldAttendees, always +
			",attendees(email,displayName,responseStatus,optional,organizer,self,resource,comment),attendeesOmitted"},
		"meeting": {FieldMeeting, always + ",hangoutLink,conferenceData(entryPoints(entryPointType,uri))"},
		"zone":    {FieldZone, always}, // stands in the envelope of lists
	} {
		if got := eventMask(c.fields); got != c.want {
			t.Errorf("%s: the mask is %q, want %q", name, got, c.want)
		}
	}
}

func TestEveryFieldHasItsMask(t *testing.T) {
	seen := map[string]Fields{}
	for bit := Fields(1); bit <= FieldsAll; bit <<= 1 {
		mask := strings.TrimPrefix(eventMask(bit), alwaysRead)
		if mask == "" && bit != FieldZone {
			t.Errorf("field %b has no mask", bit)
		}
		if other, twice := seen[mask]; twice {
			t.Errorf("fields %b and %b have one mask %q", bit, other, mask)
		}
		seen[mask] = bit
	}
}

func TestListsAlwaysAskForTheNextPage(t *testing.T) {
	for fields := range FieldsAll + 1 {
		mask := string(listed(fields))
		if !strings.HasPrefix(mask, "nextPageToken,timeZone,accessRole,") {
			t.Fatalf("the mask %q would lose pages", mask)
		}
		if strings.Contains(mask, "defaultReminders") != fields.Has(FieldReminders) {
			t.Fatalf("the mask %q does not say the calendar's reminders only when they are wanted", mask)
		}
	}
}
