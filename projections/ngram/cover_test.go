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
		near, far := asked.Cover(c.nearer), asked.Cover(c.farther)
		if near <= far || near < 0.2 || near > 1 || far < 0 {
			t.Errorf("%q: %.2f of %q and %.2f of %q", c.query, near, c.nearer, far, c.farther)
		}
	}
	if got := Ask("buy milk").Cover("BUY MILK"); got != 1 {
		t.Errorf("the words themselves cover %v", got)
	}
	for _, query := range []string{"", "?!", "the"} {
		if got := Ask(query).Cover("something else: milk"); got != 0 {
			t.Errorf("%q is covered by %v", query, got)
		}
	}
}
