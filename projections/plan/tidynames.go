package plan

import (
	"strings"

	"almanac/projections/fold"
)

// tidyNames takes from the names of what a plan makes the words that only join it to what was said before ("גם
// שיננית"), and puts a word as it was written where the grammar reads another spelling of it.
func tidyNames(out *Plan, text string) {
	switch {
	case out.Create != nil:
		out.Create.Title = tidyName(out.Create.Title, text)
		if with := "עם "; len(out.Create.People) == 1 && strings.HasPrefix(out.Create.Title, with) {
			name := with + out.Create.People[0].Name
			if rest, ok := strings.CutPrefix(out.Create.Title, name+" "); ok { // "עם טליה צהריים"
				out.Create.Title = rest + " " + name
			}
		}
	case out.Task != nil:
		for i := range out.Task.New {
			out.Task.New[i].Text = tidyName(out.Task.New[i].Text, text)
		}
	case out.List != nil:
		for i := range out.List.Items {
			out.List.Items[i] = tidyName(out.List.Items[i], text)
		}
	}
}

// joining are words that stand at an end of a name and join the sentence to what was said before it.
var joining = setOfWords("גם וגם אה שמע שמעי תשמע תשמעי תקשיב תקשיבי")

func tidyName(name, text string) string {
	words := strings.Fields(name)
	for len(words) > 1 && joining[fold.Text(words[0])] {
		words = words[1:]
	}
	for len(words) > 1 && joining[fold.Text(words[len(words)-1])] {
		words = words[:len(words)-1]
	}
	if len(words) != len(strings.Fields(name)) {
		name = strings.Join(words, " ")
	}
	if strings.Contains(text, "יומולדת") && !strings.Contains(text, "יום הולדת") {
		name = strings.ReplaceAll(name, "יום הולדת", "יומולדת")
	}
	return name
}
