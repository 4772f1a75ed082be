package naming_test

import (
	"slices"
	"strings"
	"testing"

	"almanac/projections/naming"
)

func candidates(names ...string) []naming.Candidate[int] {
	out := make([]naming.Candidate[int], len(names))
	for i, name := range names {
		out[i] = naming.Candidate[int]{ID: i, Name: name, Same: name}
	}
	return out
}

// outcome says what a text comes to: "= name", "? name | name", or "-".
func outcome(text string, kind naming.Kind, rules naming.Rules, names ...string) string {
	d := naming.Decide(naming.New(text, kind), candidates(names...), rules)
	var matched []string
	for _, m := range d.Matches {
		matched = append(matched, names[m.Index])
	}
	list := strings.Join(matched, " | ")
	switch d.Outcome {
	case naming.Found, naming.Many:
		return "= " + list
	case naming.Ask:
		return "? " + list
	default:
		return "-"
	}
}

func TestOrdinary(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		kind        naming.Kind
		text, names string
		want        string
	}{
		// what the rule was made against
		{naming.Task, "renew password", "Renew passport", "? Renew passport"},
		{naming.Task, "להתקשר לאבא", "להתקשר לאמא", "? להתקשר לאמא"},
		{naming.Task, "send the quarterly report to Michael", "Send the quarterly report to Rachel",
			"? Send the quarterly report to Rachel"},
		{naming.Task, "Task 3", "Task 1 | Task 2", "-"},
		{naming.Task, "buy a boat", "Call mom | Water the plants", "-"},
		// a part of the name, and the whole of it
		{naming.Task, "passport", "Renew passport | Buy milk", "= Renew passport"},
		{naming.Task, "the milk", "Buy milk | Milk the cows", "? Buy milk | Milk the cows"},
		{naming.Task, "buy milk", "Buy milk for the cake | Buy milk!", "= Buy milk!"},
		{naming.Task, "renew the passport please", "Renew passport", "= Renew passport"},
		{naming.Task, "the passport task", "Renew passport", "= Renew passport"},
		{naming.Task, "המשימה לקנות חלב", "לקנות חלב | לקנות חלב סויה", "= לקנות חלב"},
		{naming.Event, "violin lesson", "Violin", "= Violin"},
		{naming.Event, "violin lesson", "Violin with Ruben", "? Violin with Ruben"},
		{naming.Event, "meeting", "Team meeting", "= Team meeting"},
		// forms
		{naming.Task, "monthly reports", "Monthly report", "= Monthly report"},
		{naming.Task, "city guide", "Cities guide", "= Cities guide"},
		{naming.Task, "passport renewal", "Renew passport", "= Renew passport"},
		{naming.Task, "dentist appt", "Book dentist appointment", "= Book dentist appointment"},
		{naming.Task, "note book", "Buy a notebook", "= Buy a notebook"},
		{naming.Task, "notebook", "Buy a note-book", "= Buy a note-book"},
		{naming.Task, "תיקון הברז", "לתקן את הברז", "= לתקן את הברז"},
		{naming.Task, "הפגישות עם דנה", "פגישה עם דנה", "= פגישה עם דנה"},
		{naming.Event, "פגישה של הצוות", "פגישת צוות", "= פגישת צוות"},
		{naming.Task, "ל-Ruben מתנה", "מתנה Ruben", "= מתנה Ruben"},
		{naming.Task, "דרכונ", "לחדש דרכון", "= לחדש דרכון"},
		// what never acts
		{naming.Task, "renew pasport", "Renew passport", "? Renew passport"},
		{naming.Task, "dent", "Dentist", "? Dentist"},
		{naming.Task, "phone mom", "Call mom", "? Call mom"},
		{naming.Task, "Nir", "Call Nira", "-"},
		{naming.Task, "להתקשר לאבי", "להתקשר לאביה", "? להתקשר לאביה"},
		{naming.Task, "flight 12", "Book flight 21", "? Book flight 21"},
		// contradictions
		{naming.Task, "train from Haifa", "Train to Haifa", "? Train to Haifa"},
		{naming.Task, "רכבת מחיפה", "רכבת לחיפה", "? רכבת לחיפה"},
		{naming.Task, "drive Ruben to Dana", "Drive Dana to Ruben", "? Drive Dana to Ruben"},
		{naming.Task, "Ruben", "Clean Ruben's carpet", "? Clean Ruben's carpet"},
		{naming.Task, "ראובן", "לנקות את השטיח של ראובן", "? לנקות את השטיח של ראובן"},
		{naming.Task, "my passport", "Dan's passport", "? Dan's passport"},
		{naming.Task, "my dad's birthday", "Dad's birthday", "= Dad's birthday"},
		{naming.Event, "doctor", "Dr. Cohen", "? Dr. Cohen"},
		{naming.Task, "cars", "Car insurance", "? Car insurance"},
		{naming.Task, "reports", "Decide who is to report delays", "? Decide who is to report delays"},
		{naming.Task, "plan A", "Plan B", "? Plan B"},
		{naming.Task, "vitamin", "Vitamin D", "? Vitamin D"},
		{naming.Task, "see the museum", "Do not see the museum", "? Do not see the museum"},
		{naming.Task, "milk", "Don't forget the milk", "= Don't forget the milk"},
		{naming.Task, "turn on the heater", "Turn off the heater", "? Turn off the heater"},
		{naming.Task, "move in", "Move out", "? Move out"},
		{naming.Event, "בית", "בית ספר", "? בית ספר"},
		{naming.Task, "סילבוס סמסטר ב' לשנה", "סילבוס סמסטר א' לשנה", "? סילבוס סמסטר א' לשנה"},
		{naming.Task, "since 2019 vegetarian", "Vegetarian until 2019", "? Vegetarian until 2019"},
		{naming.Task, "email her the plan", "Email him the plan", "? Email him the plan"},
		{naming.Task, "her passport", "His passport", "? His passport"},
		{naming.Item, "travel adapter US", "Travel adapter UK", "? Travel adapter UK"},
		{naming.Email, "cover email", "Cover letter", "? Cover letter"},
		{naming.Event, "הורים כיתה ב", "הורים כיתה א'", "? הורים כיתה א'"},
		// what is not contradicted
		{naming.Event, "אסיפת הורים כיתה ב", "אסיפת הורים כיתה ב'", "= אסיפת הורים כיתה ב'"},
		{naming.Task, "דמי הוועד", "ועד בית: דמי ועד", "= ועד בית: דמי ועד"},
		{naming.Entity, "ד״ר שדה", "ד״ר אבנר שדה", "= ד״ר אבנר שדה"},
		{naming.Memory, "mayas shoe size", "Maya's shoe size is 33", "= Maya's shoe size is 33"},
		{naming.Memory, "frequent flyer number", "Frequent flyer no. 88213", "= Frequent flyer no. 88213"},
		{naming.Task, "העוגה ליומולדת", "לקנות עוגה ליום הולדת", "= לקנות עוגה ליום הולדת"},
		{naming.List, "ספקי החתונה", "ספקים לחתונה", "= ספקים לחתונה"},
		{naming.Entity, "רון לוי", "רוני לוי", "? רוני לוי"},
		{naming.Task, "coffee with Ben", "Coffee w/ Ben", "= Coffee w/ Ben"},
		// pictures
		{naming.Event, "🎂", "🎂 Noa | 🎁", "= 🎂 Noa"},
		{naming.Event, "party", "🎉 Party", "= 🎉 Party"},
	} {
		names := strings.Split(test.names, " | ")
		if got := outcome(test.text, test.kind, naming.Rules{}, names...); got != test.want {
			t.Errorf("%q of %q: %s, want %s", test.text, test.names, got, test.want)
		}
	}
}

func TestStrict(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, names, want string }{
		{"bakery", "Bakery tax form", "? Bakery tax form"},
		{"tax form", "Bakery tax form", "= Bakery tax form"},
		{"passport", "Renew passport", "= Renew passport"},
		{"gym membership", "Cancel gym membership", "? Cancel gym membership"},
		{"passports", "Renew passport", "? Renew passport"},
		{"חלב", "לקנות חלב", "= לקנות חלב"},
		{"מים", "בקבוק מים", "? בקבוק מים"},
		{"Renew passport", "Renew passport | Renew passport online", "= Renew passport"},
	} {
		names := strings.Split(test.names, " | ")
		if got := outcome(test.text, naming.Memory, naming.Rules{Strict: true}, names...); got != test.want {
			t.Errorf("%q of %q: %s, want %s", test.text, test.names, got, test.want)
		}
	}
}

func TestSameness(t *testing.T) {
	t.Parallel()
	same := []naming.Candidate[int]{{ID: 1, Name: "Standup", Same: "x"}, {ID: 2, Name: "Standup", Same: "x"}}
	if d := naming.Decide(naming.New("standup", naming.Event), same, naming.Rules{}); d.Outcome != naming.Many ||
		len(d.Matches) != 2 {
		t.Errorf("the same twice: %+v", d)
	}
	same[1].Same = "y"
	if d := naming.Decide(naming.New("standup", naming.Event), same, naming.Rules{}); d.Outcome != naming.Ask {
		t.Errorf("the same name of different things: %+v", d)
	}
}

func TestAtMostFiveAreShownTheLikeliestFirst(t *testing.T) {
	t.Parallel()
	names := []string{"Call Dan", "Call Ron", "Call Tom about the car", "Call Eve", "Call Ann", "Call Joe",
		"Call the car shop"}
	d := naming.Decide(naming.New("call about a car key", naming.Task), candidates(names...), naming.Rules{})
	if d.Outcome != naming.Ask || len(d.Matches) != naming.MaxCandidates {
		t.Fatalf("%+v", d)
	}
	if first := []int{d.Matches[0].Index, d.Matches[1].Index}; !slices.Contains(first, 2) || !slices.Contains(first, 6) {
		t.Errorf("shown first: %v", first)
	}
}

// What is named word for word is meant, though one typing mistake would make another name of it.
func TestExactBeatsMistake(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"הרופא שיניים": "= תור לרופא שיניים",
		"רופא שיניים":  "= תור לרופא שיניים",
		"רופא ריניים":  "? ",
	} {
		got := outcome(text, naming.Event, naming.Rules{}, "תור לרופא שיניים", "רופא עיניים")
		if got != want && !(want == "? " && strings.HasPrefix(got, want)) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
