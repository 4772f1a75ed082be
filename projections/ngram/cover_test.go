package ngram

import "testing"

func TestCover(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, nearer, farther string
	}{
		{"warranty on the heating", "The boiler has a two year guarantee.", "Winter tyres are in the garage."},
		{"feet measure", "my shoe size: 43", "The printer jams."},
		{"שרברב", "The plumber comes on Monday.", "The sofa was delivered."},
		{"buy milk", "milk, bread and eggs", "Pay the rent."},
		{"הרופא של אמא", "אמא אצל רופא", "שולחן במטבח"},
		{"who pulls us out when the car stops", "roadside assistance and towing", "קודנית האוטו"},
		{"גלוקוז", "blood sugar", "The blood of the grape"},
	} {
		asked := Ask(c.query)
		near, far := covered(asked, c.nearer), covered(asked, c.farther)
		if near <= far || near < 0.2 || near > 1 || far < 0 {
			t.Errorf("%q: %.2f of %q and %.2f of %q", c.query, near, c.nearer, far, c.farther)
		}
	}
	if got := covered(Ask("buy milk"), "BUY MILK"); got != 1 {
		t.Errorf("the words themselves cover %v", got)
	}
	for _, query := range []string{"", "?!", "the"} {
		if got := covered(Ask(query), "something else: milk"); got != 0 {
			t.Errorf("%q is covered by %v", query, got)
		}
	}
}

// TestCoverOfWhatIsHad: what the index has found of a word counts where the reading finds less.
func TestCoverOfWhatIsHad(t *testing.T) {
	t.Parallel()
	asked := Ask("Skoda garage")
	if got, want := len(asked.Words()), 2; got != want {
		t.Fatalf("%d words, want %d", got, want)
	}
	without, _ := asked.Cover("המוסך של הסקודה", nil)
	with, _ := asked.Cover("המוסך של הסקודה", []float64{0.9, 0})
	if with < without || with > 1 {
		t.Errorf("%.2f with the name and %.2f without it", with, without)
	}
	if again, _ := asked.Cover("המוסך של הסקודה", []float64{0, 0}); again != without {
		t.Errorf("%.2f when nothing is had, not %.2f", again, without)
	}
}

// TestAnswers: what a query asks for is there, or it is not.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, text string
		want        bool
	}{
		{"when is the dentist", "dentist on 3 March", true},
		{"when is the dentist", "dentist every Monday", true},
		{"when is the dentist", "the dentist is expensive", false},
		{"מתי התור", "תור ביום שלישי", true},
		{"מתי התור", "תור במרץ", true},
		{"מתי התור", "התור בוטל", false},
		{"how much is the rent", "rent: 4,200", true},
		{"how much is the rent", "the rent went up", false},
		{"מה הקוד של השער", "השער: 4711", true},
		{"מה הקוד של השער", "השער ירוק", false},
		{"where is the tent", "the tent is in the attic", true},
		{"איפה האוהל", "האוהל בעליית הגג", true},
		{"איפה האוהל", "אוהל גדול", false},
		{"the tent", "the tent is in the attic", false},
	} {
		if _, got := Ask(c.query).Cover(c.text, nil); got != c.want {
			t.Errorf("%q: %q answers: %v", c.query, c.text, got)
		}
	}
}

func covered(asked *Asked, text string) float64 {
	of, _ := asked.Cover(text, nil)
	return of
}
