package nearest_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"almanac/projections/ngram"
)

// What memories are made of. People, places and things differ, what is said of them is much alike: the hardest case,
// for many are nearly as near.
var (
	people = strings.Fields(
		"Dana Jones Miriam Yossi Noa Avi Ruth David Tamar Eitan Maya Omer Shira Daniel Lior Gal Hila Ron Sara Amit " +
			"דנה יוסי נועה מרים אבי תמר איתן מאיה עומר שירה ליאור הילה רון")
	places = strings.Fields(
		"Haifa Jerusalem office school kitchen garage Berlin airport clinic library market beach חיפה ירושלים משרד בית-ספר " +
			"מטבח מרפאה ספרייה שוק חוף מחסן")
	things = strings.Fields(
		"wifi password key code insurance passport invoice recipe bicycle piano dentist meeting birthday flight ticket " +
			"contract garden camera printer battery window carpet " +
			"סיסמה מפתח קוד ביטוח דרכון חשבונית מתכון אופניים פסנתר פגישה יום-הולדת טיסה כרטיס חוזה גינה מצלמה מדפסת סוללה " +
			"חלון שטיח")
	saying = []string{
		"%[1]s said that the %[2]s is at the %[3]s since %[4]d", "the %[2]s of %[1]s: %[4]d",
		"%[1]s - Phone: 050-%07[4]d, works at the %[3]s", "remember to bring %[1]s the %[2]s and the %[5]s to %[3]s",
		"%[1]s likes the %[2]s but not the %[5]s", "ה%[2]s של %[1]s נמצא ב%[3]s", "לקנות %[2]s ו%[5]s ל%[1]s",
		"%[1]s גר ב%[3]s, טלפון 052-%07[4]d", "%[2]s ב%[3]s עם %[1]s בשעה %[4]d",
	}
)

// memory makes up a text.
func memory(d *rand.Rand) string {
	pick := func(from []string) string { return from[d.IntN(len(from))] }
	text := fmt.Sprintf(pick(saying), pick(people), pick(things), pick(places), d.IntN(9_999_999), pick(things))
	if at := strings.Index(text, "%!"); at >= 0 { // what Sprintf says of what a saying leaves out
		text = text[:at]
	}
	if d.IntN(2) == 0 {
		text += ". " + pick(people) + " " + pick(things) + " " + pick(places)
	}
	return text
}

// embedded makes vectors of texts by the embedder that is shipped.
func embedded(d *rand.Rand, rows, _ int) [][]float32 {
	vectors := make([][]float32, rows)
	for i := range vectors {
		vectors[i] = ngram.Embed(memory(d))
	}
	return vectors
}

// question is the vector of a few words about what people keep.
func question(d *rand.Rand) []float32 {
	for {
		words := strings.Fields(memory(d))
		d.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
		if v := ngram.Embed(strings.Join(words[:1+d.IntN(min(4, len(words)))], " ")); v != nil {
			return v
		}
	}
}
