package websets

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"almanac/adapters/exa"
	"almanac/graph/model"
)

// remote is a list as Exa has it: a cursor is the id of the item before it, so it still stands when others go.
type remote struct {
	ids   []string
	asked int
}

func (r *remote) fetch(_ context.Context, page exa.Page) (exa.List[string], error) {
	r.asked++
	start := 0
	if page.After != "" {
		n, err := strconv.Atoi(page.After)
		if err != nil {
			return exa.List[string]{}, errors.New("a cursor that is none")
		}
		for start < len(r.ids) && numberOf(r.ids[start]) <= n {
			start++
		}
	}
	end := min(start+page.Limit, len(r.ids))
	out := exa.List[string]{Items: slices.Clone(r.ids[start:end])}
	if end < len(r.ids) && end > start {
		out.Next = r.ids[end-1]
	}
	return out, nil
}

func numberOf(id string) int {
	n, _ := strconv.Atoi(id)
	return n
}

func (r *remote) list(most int, keep func(string) bool) exaList[string] {
	return exaList[string]{fetch: r.fetch, key: func(id string) string { return id }, keep: keep, most: most}
}

func remoteOf(n int) *remote {
	r := &remote{}
	for i := range n {
		r.ids = append(r.ids, strconv.Itoa(i+1))
	}
	return r
}

// all reads a whole list page by page, by the cursors that clients have: those behind items, or the page's end.
func all(t *testing.T, list exaList[string], size func() int, byItem bool) (items []string, excluded, pages int) {
	t.Helper()
	at := exaPlace{}
	for {
		read, err := list.read(t.Context(), at, size())
		if err != nil {
			t.Fatal(err)
		}
		pages++
		items, excluded = append(items, read.items...), excluded+read.excluded
		if !read.hasNext {
			return items, excluded, pages
		}
		place := read.end
		if byItem && len(read.items) > 0 {
			place = read.places[len(read.items)-1]
		}
		next, ok := decodeExaPlace(place.pack())
		if !ok || next != place {
			t.Fatalf("the place %v came back as %v", place, next)
		}
		at = next
	}
}

func TestEveryItemOfALongListComesOnce(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]func(string) bool{
		"all":          nil,
		"every third":  func(id string) bool { return numberOf(id)%3 == 0 },
		"none":         func(string) bool { return false },
		"the last one": func(id string) bool { return id == "10000" },
		"by blocks":    func(id string) bool { return numberOf(id)/1_500%2 == 0 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			list := remoteOf(10_000)
			var want []string
			for _, id := range list.ids {
				if keep == nil || keep(id) {
					want = append(want, id)
				}
			}
			for _, byItem := range []bool{false, true} {
				got, excluded, _ := all(t, list.list(exaItems, keep), func() int { return 1 + random.IntN(100) }, byItem)
				if !slices.Equal(got, want) {
					t.Errorf("%d items came of %d", len(got), len(want))
				}
				// Who goes on behind an item, and not behind the page, looks again at what was left out after it.
				if left := len(list.ids) - len(want); !byItem && excluded != left || excluded < left {
					t.Errorf("%d were left out, %d should be", excluded, left)
				}
			}
		})
	}
}

func TestOnePageAsksOnlySoMuch(t *testing.T) {
	t.Parallel()
	list := remoteOf(10_000)
	read, err := list.list(exaItems, func(string) bool { return false }).read(t.Context(), exaPlace{}, 10)
	if err != nil || list.asked != maxExaPages || !read.hasNext || read.excluded != maxExaPages*exaItems ||
		read.end.page != strconv.Itoa(maxExaPages*exaItems) {
		t.Errorf("it asked %d times and ended at %+v (next %v, %d left out): %v", list.asked, read.end, read.hasNext,
			read.excluded, err)
	}
}

func TestAPageFromItsMiddle(t *testing.T) {
	t.Parallel()
	list := remoteOf(100)
	first, err := list.list(exaOthers, nil).read(t.Context(), exaPlace{}, 30)
	if err != nil {
		t.Fatal(err)
	}
	at := first.places[9]
	for name, change := range map[string]func([]string) []string{
		"nothing":             func(ids []string) []string { return ids },
		"an earlier one goes": func(ids []string) []string { return slices.Delete(slices.Clone(ids), 2, 3) },
		"the one before goes": func(ids []string) []string { return slices.Delete(slices.Clone(ids), 9, 10) },
		"one comes in front":  func(ids []string) []string { return append([]string{"0"}, ids...) },
	} {
		changed := &remote{ids: change(list.ids)}
		read, err := changed.list(exaOthers, nil).read(t.Context(), at, 3)
		if err != nil || !slices.Equal(read.items, []string{"11", "12", "13"}) {
			t.Errorf("%s: %v %v", name, read.items, err)
		}
	}
}

func TestCountsUpToAThousand(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]int{0: 0, 1: 1, 999: 999, 1_000: 1_000, 1_001: -1, 5_000: -1} {
		got, err := remoteOf(n).list(exaItems, nil).count(t.Context())
		switch {
		case err != nil:
			t.Error(err)
		case want < 0 && got != nil:
			t.Errorf("of %d items it counted %d", n, *got)
		case want >= 0 && (got == nil || *got != want):
			t.Errorf("of %d items it counted %v", n, got)
		}
	}
}

func FuzzExaPlace(f *testing.F) {
	f.Add([]byte{})
	f.Add(exaPlace{page: "abc", before: 3, item: 7}.pack())
	f.Fuzz(func(t *testing.T, packed []byte) {
		place, ok := decodeExaPlace(packed)
		if again, fine := decodeExaPlace(place.pack()); ok && (!fine || again != place) {
			t.Errorf("%v came back as %v", place, again)
		}
	})
}

func TestCron(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0 9 * * 1":             "0 9 * * 1",
		"  30   7 1,15 * *  ":   "30 7 1,15 * *",
		"5 0 * JAN-MAR mon-fri": "5 0 * JAN-MAR mon-fri",
		"0 0 29 2 *":            "0 0 29 2 *",
		"0 0 31 2 1":            "0 0 31 2 1", // a day of the week comes all the same
		"0 9 */2 * 7":           "0 9 */2 * 7",
		"0 9 1-31/7 * *":        "0 9 1-31/7 * *",
		"":                      "", "0 9 * *": "", "0 9 * * * *": "", "60 9 * * *": "", "0 24 * * *": "", "0 9 0 * *": "",
		"0 9 32 * *": "", "0 9 * 13 *": "", "0 9 * * 8": "",
		"0 9 31 2 *": "", "0 9 30,31 2 *": "", "0,30 9 * * *": "", "0 */12 * * *": "", "* 9 * * *": "", "0 9-10 * * *": "",
		"0 9 5-1 * *": "", "0 9 * * MON-": "", "0 9 */0 * *": "",
		"0 9 1/ * *": "", "-1 9 * * *": "", "0 9 * FOO *": "", "@daily": "", "0 9 , * *": "", "0 ٩ * * *": "",
	} {
		got, err := readCron("input.cron", text)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q gave %q, %v", text, got, err)
		}
		if want == "" && model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzCron(f *testing.F) {
	for _, text := range []string{"0 9 * * 1", "*/5 * * * *", "0 9 1-5/2 JAN,MAR MON", "0 9 31 2 *"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean, err := readCron("cron", text)
		if again, still := readCron("cron", clean); err == nil && (still != nil || again != clean) {
			t.Errorf("%q became %q, then %q: %v", text, clean, again, still)
		}
	})
}

func TestTheNearestWordIsNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"webset.idel": "webset.idle", "webset.item.create": "webset.item.created",
		"monitor.run.complete": "monitor.run.completed", "x": "", "": "", "nonsense of any kind": "",
		"Webset.Idle": "webset.idle", "import.completd": "import.completed",
	} {
		if got := nearestWord(text, model.WebsetEventTypes()); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, c := range []struct {
		from, to string
		n        int
	}{{"", "", 0}, {"abc", "", 3}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"idel", "idle", 2}, {"same", "same", 0}} {
		if got := changesBetween(c.from, c.to); got != c.n {
			t.Errorf("%q to %q takes %d", c.from, c.to, got)
		}
	}
}
