package plan

import "testing"

// Hebrew ways to say what became of something that is there, to put down what somebody has, and to leave off.
func TestHebrewWays(t *testing.T) {
	for text, want := range map[string]string{
		"תכתבי לי שיש לי פגישה עם הבנק מחר ב-10:00": `create "פגישה עם הבנק" 11-22 10:00-11:00`,
		"תרשום שהקוד של הבניין 4417":                "store_memory",
		"מסיבה במוצ\"ש הקרוב ב-21:00":               `create "מסיבה" 11-28 21:00-22:00`,
		"כנס 24-27.12": `create "כנס" 12-24..12-28`,
		"כנס בין חמישי לשבת בשבוע הבא":                     `create "כנס" 11-26..11-29`,
		"חופשה מהעשרים עד ה-24 בדצמבר":                     `create "חופשה" 12-20..12-25`,
		"רכבת מחר בשבע ארבעים ושתיים בבוקר":                `create "רכבת" 11-22 07:42-08:42`,
		"חוג כל יום חמישי ב-18:30 מתחילים ב-3 בדצמבר":      `create "חוג" 12-03 18:30-19:30 rrule=FREQ=WEEKLY;BYDAY=TH`,
		"אימון מחר ב-6:15 כי המגרש תפוס בערב":              `create "אימון" 11-22 06:15-07:15`,
		"תזיז את הדמו ליום ראשון ב-12 ותאריך אותו לשעתיים": `update "הדמו" -> date=11-22 start=12:00 len=120m`,
		"הדמו לא בעשר אלא בשתיים":                          `update "הדמו" -> start=14:00`,
		"הישיבה התקצרה, נסיים ב-12:00":                     `update "הישיבה" -> end=12:00`,
		"היוגה תהיה בחדר 5":                                `update "היוגה" -> loc="חדר 5"`,
		"מינואר השחייה בתשע": `update "השחייה" in 2027-01-01..2027-04-03 -> start=09:00 ` +
			"scope=FOLLOWING",
		"מינואר אין יותר שיעורי פסנתר": `delete "שיעורי פסנתר" in 2027-01-01..2027-04-03 ` +
			"scope=FOLLOWING",
		"הווטרינר כבר לא רלוונטי, תורידי אותו":                 `delete "הווטרינר"`,
		"אני לא אגיע לפגישה עם גיל, תזיז אותה ליום ראשון בעשר": `update "פגישה עם גיל" -> date=11-22 start=10:00`,
		"מחר אין סטנדאפ":               `delete "סטנדאפ" in 11-22..11-23`,
		"נקבעה לי בדיקה ב-14.1 ב-9:00": `create "בדיקה" 2027-01-14 09:00-10:00`,
	} {
		out, err := Understand(text, said(t, "he"))
		if got := short(out); err != nil || got != want {
			t.Errorf("%q: %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"לא צריך עזרה", "מחר אין לי זמן", "הטיסה תהיה באיחור", "המסיבה תהיה בהפתעה",
		"מעכשיו אני בדיאטה", "נזיז את זה", "פאדל עם אורי בשני או בשלישי בשבע"} {
		if out, err := Understand(text, said(t, "he")); err == nil {
			t.Errorf("%q: %s, want a refusal", text, short(out))
		}
	}
	for _, text := range []string{"הקפה עם עומר יהיה בלחם ארז", "לא צריך את הטסט"} {
		if out, err := Understand(text, said(t, "he")); err != nil || !out.Proposed {
			t.Errorf("%q: %s, %v, want a proposal", text, short(out), err)
		}
	}
}
