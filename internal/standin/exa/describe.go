package exa

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// fill puts what is known of a thing into the {fields} of a template; the salt makes the numbers of one sentence differ
// from those of the next.
func (w *world) fill(template string, t thing, f facts, salt uint64) string {
	h := mix(t.seed("fill"), salt)
	var b strings.Builder
	b.Grow(2 * len(template))
	for {
		before, rest, found := strings.Cut(template, "{")
		b.WriteString(before)
		field, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			return b.String()
		}
		b.WriteString(w.field(field, t, f, h))
		template = after
	}
}

// field is one thing that is known of a thing; what the facts do not tell follows from a number.
func (w *world) field(name string, t thing, f facts, h uint64) string {
	switch name {
	case "name":
		return w.name(t)
	case "city":
		return w.Cities[f.city].in(f.hebrew)
	case "country":
		return w.Countries[w.Cities[f.city].Country].in(f.hebrew)
	case "topic":
		return w.Topics[f.topic].in(f.hebrew)
	case "stage":
		return w.Stages[f.stage].in(f.hebrew)
	case "position":
		return w.Positions[f.position].in(f.hebrew)
	case "founded":
		return strconv.Itoa(f.founded)
	case "published":
		return strconv.Itoa(f.published)
	case "number":
		return strconv.Itoa(f.employees)
	case "year":
		return strconv.Itoa(2020 + int(h%7))
	case "months":
		return strconv.Itoa(2 + int(h>>8%11))
	case "percent":
		return strconv.Itoa(11 + int(h>>16%70))
	case "company":
		return w.companyName(int(h>>24%worldSize), f.hebrew)
	case "person":
		return w.personName(int(h>>40%worldSize), f.hebrew)
	default:
		return "{" + name + "}"
	}
}

// description is a sentence about a thing.
func (w *world) description(t thing) string {
	f := w.facts(t)
	return w.fill(w.Descriptions[t.kind].in(f.hebrew), t, f, 1)
}

// sentence is the i-th that can be read about a thing.
func (w *world) sentence(t thing, f facts, i int) string {
	all := w.Sentences["en"]
	if f.hebrew {
		all = w.Sentences["he"]
	}
	return w.fill(all[int(mix(t.seed("text"), uint64(i))%uint64(len(all)))], t, f, uint64(i)+2)
}

// contentSize is how many bytes of text there are about a thing: mostly 5 to 55 thousand, seldom up to 200.
func contentSize(t thing) int {
	h := t.seed("size")
	between := func(low, high uint64) int { return int(low + mix(h)%(high-low)) }
	switch share := h % 100; {
	case share < 15:
		return between(2_000, 5_000)
	case share < 85:
		return between(5_000, 30_000)
	case share < 98:
		return between(30_000, 55_000)
	default:
		return between(55_000, 200_000)
	}
}

// content is the text about a thing, of about so many bytes and no more.
func (w *world) content(t thing, size int) string {
	if size == 0 {
		size = contentSize(t)
	}
	f := w.facts(t)
	var b strings.Builder
	b.Grow(size)
	for i := 0; ; i++ {
		next := w.sentence(t, f, i)
		if i%7 == 6 {
			next += "\n\n"
		} else {
			next += " "
		}
		if b.Len()+len(next) > size {
			break
		}
		b.WriteString(next)
	}
	return strings.TrimSpace(b.String())
}

// published is the day on which a text appeared.
func (w *world) published(t thing) string {
	h := t.seed("published")
	return fmt.Sprintf("%04d-%02d-%02dT00:00:00.000Z", w.facts(t).published, 1+h%12, 1+h>>8%28)
}

// author is who wrote a text.
func (w *world) author(t thing) string {
	return w.personName(int(t.seed("author")%worldSize), w.facts(t).hebrew)
}

func (w *world) location(f facts) string {
	city := w.Cities[f.city]
	return city.in(f.hebrew) + ", " + w.Countries[city.Country].in(f.hebrew)
}

// properties is a thing as the API tells it, with content of so many bytes (0: as much as there is of it).
func (w *world) properties(t thing, size int) propertiesShape {
	f := w.facts(t)
	p := propertiesShape{Type: t.kind, URL: w.url(t), Description: w.description(t)}
	location := w.location(f)
	if t.kind == kindPerson {
		position, company := w.Positions[f.position].in(f.hebrew), w.companyName(int(t.seed("company")%worldSize), f.hebrew)
		p.Person = &personShape{Name: w.name(t), Location: &location, Position: &position,
			Company: &employerShape{Name: company, Location: &location}}
		if !f.thin {
			p.Person.PictureURL = textOrNull(fmt.Sprintf("https://people.example/pictures/%d.jpg", t.n))
		}
		return p
	}
	p.Content = json.RawMessage("null")
	if t.seed("unread")%40 != 0 || size > 0 {
		p.Content = w.content(t, size)
	}
	if t.kind == kindCompany {
		about, industry := w.sentence(t, f, 1), w.Topics[f.topic].in(f.hebrew)
		p.Company = &companyShape{Name: w.name(t), Location: &location, Industry: &industry, About: &about}
		if !f.thin {
			p.Company.Employees = &f.employees
			p.Company.LogoURL = textOrNull(w.url(t) + "logo.png")
		}
		return p
	}
	title, author, published := w.name(t), w.author(t), w.published(t)
	text := &writingShape{Title: &title, Author: &author, PublishedAt: &published}
	if f.thin {
		text.Author = nil
	}
	switch t.kind {
	case kindArticle:
		p.Article = text
	case kindPaper:
		p.ResearchPaper = text
	default:
		p.Custom = text
	}
	return p
}

// references are where something about a thing can be read.
func (w *world) references(t thing, salt string) []referenceShape {
	f := w.facts(t)
	h := mix(t.seed("references"), mixText(salt))
	all := make([]referenceShape, 0, 2)
	for i := range 1 + h%2 {
		reference := referenceShape{URL: w.url(t)}
		if i > 0 {
			reference.URL = w.url(thing{kind: kindArticle, n: int(h >> 20 % worldSize)})
		}
		title, snippet := w.name(t), w.sentence(t, f, int(h>>30%1000)+int(i))+" "+w.sentence(t, f, int(h>>40%1000)+int(i))
		reference.Title, reference.Snippet = &title, &snippet
		all = append(all, reference)
	}
	return all
}
