package plan

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// The openers of questions and of sentences that want something shown, as people write them, and what may stand behind
// them: whole commands too. The list is of its own, so that it judges the grammar's.
var (
	questionOpeners = strings.Fields(strings.TrimSpace(`
what what's which who whose when when's where where's why how how|many how|long how|do|I is are am was were
do does did has had should
do|I|need|to did|I have|I is|it is|there are|there any anything get fetch retrieve print see show show|me
display list check look tell|me give|me
view read find search pull|up bring|up let|me|know|if I|wonder|whether do|you|know|when could|you|tell|me
can|you|show|me please|show|me
remind|me|what remind|me|when hey,|what so|what tomorrow,|what tonight|what until|when at|what|time with|whom
look|up first|free|hour
מה מתי איפה מי כמה איך למה האם אילו איזה עד|מתי עם|מי תראה תראי|לי הצג הראה|לי תגיד|לי חפש מצא תמצא|לי יש|לי
בבקשה|תראה אז|מה היי,|מתי מחר|מה
תזכיר|לי|מה תזכיר|לי|מתי באיזו|שעה למי איזו לאיזה תבדוק תביא|לי תן|לי|את ספר|לי לוח|הזמנים|של`))
	questionRests = []string{
		"I have tomorrow", "the dentist on Tuesday at 9", "add a meeting with Dana tomorrow at 10am",
		"schedule lunch on Friday at noon",
		"delete the review", "cancel everything on Friday", "remind me to call mom at 6pm", "add milk to the shopping list",
		"create a list called Party",
		"remember that the code is 4411", "forget the note about Dana", "move the standup to 3pm", "mark call mom as done",
		"undo that",
		"get schedule from 2026-11-23 to 2026-11-24", "my tasks", "meeting tomorrow at 3pm", "Dana at 5pm today",
		"lunch with Dana tomorrow at 12",
		"the train leaves on 3 January at 7:15", "I have a dentist on Monday at 9am", "is on my list", "buy stamps",
		"call the bank tomorrow at 9am?",
		"book a table for two on Friday at 20:00?", "clear my Friday", "invite Dana to the review", "block Friday morning",
		"task: pay rent", "new task pay rent",
		"I need to pay rent", "every Monday at 9am yoga", "rename the review to retro", "add tasks: a, b", "todo buy milk",
		"note that it rains",
		"תקבע פגישה עם דנה מחר ב-10", "פגישה מחר ב-10", "תמחק את הסקירה", "תזכיר לי להתקשר לאמא ב-18:00",
		"תוסיף חלב לרשימת הקניות", "צור רשימה בשם מסיבה",
		"תזכור שהקוד הוא 4411", "בטל את זה", "סמן את לקנות חלב כבוצע", "יש לי מחר", "הרופא ביום שלישי ב-9",
		"אני צריך לקנות חלב", "משימה: לשלם", "בטל הכל ביום שישי",
		"קבעתי תור לרופא מחר ב-9", "תעביר את הסקירה לשלוש", "ארוחת ערב עם דנה מחר ב-20:00", "יום הולדת לדנה ב-5 בדצמבר", "",
	}
)

// TestQuestionsNeverWrite holds that nothing which begins as a question has a plan that changes anything.
func TestQuestionsNeverWrite(t *testing.T) {
	sentences := 0
	for _, opener := range questionOpeners {
		opener = strings.ReplaceAll(strings.TrimSpace(opener), "|", " ")
		for _, rest := range questionRests {
			for _, text := range []string{opener + " " + rest, strings.ToUpper(opener[:1]) + opener[1:] + " " + rest + "?"} {
				sentences++
				p, err := Understand(text, said(t, "en"))
				if err == nil && !p.Tool.Reads() {
					t.Errorf("%q: %s", text, everyday(p))
				}
			}
		}
	}
	if sentences < 2000 {
		t.Errorf("%d sentences, want 2,000", sentences)
	}
	// Openers before the sentences of the corpora, and before words of them in any order.
	words := []string{}
	for _, name := range []string{"english.txt", "hebrew.txt"} {
		for _, s := range corpus(t, name) {
			words = append(words, strings.Fields(s.text)...)
			for _, opener := range []string{"what", "show me", "מה", "האם"} {
				if p, err := Understand(opener+" "+s.text, said(t, "en")); err == nil && !p.Tool.Reads() {
					t.Errorf("%s %q: %s", opener, s.text, everyday(p))
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(19, 2))
	for range 4000 {
		text := strings.ReplaceAll(questionOpeners[random.IntN(len(questionOpeners))], "|", " ")
		for range 1 + random.IntN(8) {
			text += " " + words[random.IntN(len(words))]
		}
		if p, err := Understand(text, said(t, "en")); err == nil && !p.Tool.Reads() {
			t.Errorf("%q: %s", text, everyday(p))
		}
	}
}

// TestLeftOverWordsRefuse holds that a word which has no role is not passed over: a plan of a sentence with one more
// word shows that word somewhere, or is none.
func TestLeftOverWordsRefuse(t *testing.T) {
	for _, text := range []string{
		"add milk to the shopping list", "delete the packing list", "undo that", "what are my tasks", "any mail from Dana",
		"what's on the shopping list",
		"create a list called Party with cake", "mark call mom as done", "show my tasks for tomorrow",
		"how many tasks do I have", "remove milk from the shopping list",
		"remind me to call mom tomorrow at 6pm", "move the task call mom to Friday at 10am", "am I free tomorrow at 3pm",
		"first free hour on Monday",
		"תוסיף חלב לרשימת הקניות", "מה המשימות שלי", "יש מיילים מדנה?", "תזכיר לי להתקשר לאמא מחר ב-18:00",
		"מה יש ברשימת הקניות",
	} {
		if _, err := Understand(text, said(t, "en")); err != nil {
			t.Errorf("%q: %v", text, err)
		}
		words := strings.Fields(text)
		for at := 1; at <= len(words); at++ {
			const odd = "zorgle"
			with := strings.Join(slices.Insert(slices.Clone(words), at, odd), " ")
			p, err := Understand(with, said(t, "en"))
			if err == nil && !strings.Contains(strings.ToLower(everyday(p)), odd) {
				t.Errorf("%q: %s has no place for %q", with, everyday(p), odd)
			}
		}
	}
}
