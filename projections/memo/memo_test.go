package memo

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"almanac/graph/model"
)

func TestTags(t *testing.T) {
	t.Parallel()
	many := make([]string, model.MaxMemoryTags)
	for i := range many {
		many[i] = strings.Repeat("x", i+1)
	}
	for _, c := range []struct {
		name     string
		in, want []string
	}{
		{"none", nil, nil},
		{"empty", []string{}, nil},
		{"sorted, once", []string{"Work", "home", " work ", "WORK"}, []string{"home", "work"}},
		{"Hebrew", []string{"מִשְׁפָּחָה", "משפחה", "Family"}, []string{"family", "משפחה"}},
		{"final letters stay", []string{"מַתְכּוֹנִים", " ים  תיכון ", "צ׳יפ", "דרך־ארץ"},
			[]string{"דרך-ארץ", "ים תיכון", "מתכונים", "צ'יפ"}},
		{"final letters make no other label", []string{"מתכונימ", "מתכונים", "ﬤּ ךּ"}, []string{"כ ך", "מתכונים"}},
		{"accents and inner space", []string{"Café  du\nMonde"}, []string{"cafe du monde"}},
		{"control characters", []string{"\x1b[31ma\x00b"}, []string{"[31mab"}},
		{"direction marks", []string{"\u200fבית\u202c"}, []string{"בית"}},
		{"as many as can be", many, many},
		{"the same very often", slices.Repeat([]string{"a"}, 10*model.MaxMemoryTags), []string{"a"}},
		{"as long as can be", []string{strings.Repeat("ש", model.MaxMemoryTag)},
			[]string{strings.Repeat("ש", model.MaxMemoryTag)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := Tags(c.in)
			if err != nil || !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) {
				t.Errorf("Tags = %q, %v; want %q", got, err, c.want)
			}
			if again, err := Tags(got); err != nil || !slices.Equal(again, got) {
				t.Errorf("Tags of %q = %q, %v", got, again, err)
			}
		})
	}
	for _, c := range []struct {
		name, say string
		in        []string
	}{
		{"too many", "at most 50", append(slices.Clone(many), "y")},
		{"10,000", "at most 50", slices.Repeat([]string{"a"}, 10_000)},
		{"too long", "longer than 64", []string{strings.Repeat("ש", model.MaxMemoryTag+1)}},
		{"1 MB", "longer than 64", []string{strings.Repeat("a", 1<<20)}},
		{"blank", "can be seen", []string{"a", " \u200f"}},
		{"empty", "can be seen", []string{""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := Tags(c.in)
			if shown, ok := model.Mendable(err); !ok || shown.Code != model.CodeBadUserInput ||
				!strings.Contains(shown.Message, c.say) || got != nil {
				t.Errorf("Tags = %q, %v; want %q", got, err, c.say)
			}
		})
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	if Key(" Gate  CODE\n4821") != Key("gate code 4821") || Key("שָׁלוֹם") != Key("שלום") ||
		Key("code 4821") == Key("code 4822") {
		t.Error("keys do not tell what is the same")
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		m    model.Memory
		want string
	}{
		{"content", model.Memory{Content: "The gate code is 4821"}, "The gate code is 4821"},
		{"all", model.Memory{Content: "c", Summary: "s", Tags: []string{"a", "b"}, Metadata: `{"x":{"y":"v"}}`},
			"s\nc\na, b\nx\ny: v"},
		{"a summary that is in it", model.Memory{Content: "gate code: 4821", Summary: "gate code"}, "gate code: 4821"},
		{"what the content says is not repeated", model.Memory{Type: model.MemoryContact,
			Content: "Jones - Phone: 050-9999999", Metadata: `{"name":"Jones","phone":"050-9999999","email":"j@example.com"}`},
			"Jones - Phone: 050-9999999\nj@example.com"},
		{"a key-value", model.Memory{Type: model.MemoryKV, Content: "c", Metadata: `{"subject":"shoe size","value":42}`},
			"c\nshoe size\n42"},
		{"how a note came says nothing", model.Memory{Type: model.MemoryNote, Content: "c",
			Metadata: `{"source":"text","entities":["Dana"]}`}, "c\nDana"},
		{"where a note came from does", model.Memory{Type: model.MemoryNote, Content: "c",
			Metadata: `{"source":"a talk with Dana"}`}, "c\na talk with Dana"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := Text(c.m); got != c.want {
				t.Errorf("Text = %q, want %q", got, c.want)
			}
		})
	}
	long := model.Memory{
		Content: strings.Repeat("ש", model.MaxMemoryContent), Summary: strings.Repeat("s", model.MaxMemorySummary),
		Tags:     slices.Repeat([]string{strings.Repeat("t", model.MaxMemoryTag)}, model.MaxMemoryTags),
		Metadata: `{"a":"` + strings.Repeat("m", 16_000) + `"}`,
	}
	got := Text(long)
	if n := utf8.RuneCountInString(got); n != MaxText || !strings.HasPrefix(got, long.Summary+"\nשש") {
		t.Errorf("the text of a long memory has %d characters", n)
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		t    model.MemoryType
		in   string
		want string
	}{
		{model.MemoryNote, ``, ``},
		{model.MemoryNote, `{"source":"text","entities":["Dana","חיפה"]}`, `Dana|חיפה`},
		{model.MemoryNote, `{"source":"https://example.com/a"}`, `https://example.com/a`},
		{model.MemoryContact, `{"name":"Dana","phone":"050"}`, `Dana|050`},
		{model.MemoryKV, `{"subject":"size","value":42.0}`, `size|42.0`},
		{model.MemoryKV, `{"value":{"eu":42,"uk":[8,9]}}`, `eu|42|uk|8|9`},
		{model.MemoryContact, `{"children":[{"name":"Noa"},{"name":"Gil"}]}`, `children|name|Noa|name|Gil`},
		{model.MemoryContact, `{"vip":true,"fax":null}`, `fax|vip`},
	} {
		if got := strings.Join(Texts(c.t, c.in), "|"); got != c.want {
			t.Errorf("Texts(%s, %s) = %q, want %q", c.t, c.in, got, c.want)
		}
	}
}
