package plan

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// people reads who takes part: the names and addresses behind "with" or "עם". Addresses are taken out of the title,
// names stay in it.
func (p *parser) people() []Person {
	var found []Person
	for i := 0; i < len(p.tokens); i++ {
		meet := p.is(i, "meet") && i == p.firstFree()
		if p.used[i] || !p.is(i, "with", "עמ") && !meet {
			continue
		}
		if end := p.nobody(i + 1); end > i+1 {
			p.use(i, end)
			continue
		}
		list, end, bare := p.personList(i + 1)
		if len(list) > 0 {
			p.note(SlotPeople, i+1, end)
			found = append(found, list...)
		}
		if bare { // addresses only
			p.use(i, end)
		}
		i = max(i, end-1)
	}
	return found
}

// nobody passes over "no one", "nobody" and "אף אחד".
func (p *parser) nobody(i int) int {
	switch {
	case p.is(i, "nobody", "noone") && (p.isUsed(i+1) || !capital(p.tokens[i+1])):
		return i + 1
	case p.is(i, "no") && p.is(i+1, "one", "body", "people", "guests", "attendees"),
		p.is(i, "אפ") && p.is(i+1, "אחד", "אחת"):
		return i + 2
	case p.is(i, "no") && p.is(i+1, "-") && p.is(i+2, "one"):
		return i + 3
	}
	return i
}

// firstFree is the first token that was not read yet.
func (p *parser) firstFree() int { return slices.Index(p.used, false) }

// personList reads "Dana, Yossi and bob@example.com". Bare says that it holds no names.
func (p *parser) personList(i int) (list []Person, end int, bare bool) {
	bare = true
	end = i
	for i < len(p.tokens) && !p.used[i] {
		one, next := p.person(i, len(list) > 0)
		if next == i {
			break
		}
		bare = bare && one.Name == ""
		if one != (Person{}) {
			list = append(list, one)
		}
		end, i = next, next
		if p.is(i, ",") {
			i++
			i += btoi(p.is(i, "עמ", "with"))
		}
		if p.is(i, "and", "&", "plus", "+", "ועמ") {
			i++
		} else if i == end && !p.joinsPerson(i) {
			break
		}
	}
	return list, end, bare && len(list) > 0
}

// joinsPerson reports whether a Hebrew name goes on with "ו".
func (p *parser) joinsPerson(i int) bool {
	if i >= len(p.tokens) || p.used[i] {
		return false
	}
	t := p.tokens[i]
	return t.kind == word && t.hebrew && strings.HasPrefix(t.text, "ו") && utf8.RuneCountInString(t.text) > 2 ||
		t.prefix == "ו"
}

// person reads one person: an address, a name, or a name with its address.
func (p *parser) person(i int, further bool) (one Person, next int) {
	if address, next, ok := p.addressAt(i); ok {
		return Person{Email: address}, next
	}
	t := p.tokens[i]
	if t.kind != word || p.generic(i) {
		return one, i
	}
	if t.hebrew {
		one.Name, next = p.hebrewName(i, further)
	} else {
		one.Name, next = p.latinName(i)
	}
	if next == i {
		return one, i
	}
	if address, after, ok := p.addressAt(next); ok && (p.is(next, "<", "(")) {
		one.Email = address
		p.use(next, after)
		next = after
	}
	return one, next
}

func (p *parser) addressAt(i int) (string, int, bool) {
	if p.is(i, "<", "(") && i+1 < len(p.tokens) && p.tokens[i+1].kind == address {
		return p.tokens[i+1].raw, i + 2 + btoi(p.is(i+2, ">", ")")), true
	}
	if i < len(p.tokens) && p.tokens[i].kind == address {
		return p.tokens[i].raw, i + 1, true
	}
	return "", i, false
}

// latinName reads words with a capital, or one word of a text without capitals.
func (p *parser) latinName(i int) (string, int) {
	begin := i
	for i < len(p.tokens) && !p.used[i] && p.tokens[i].kind == word && !p.tokens[i].hebrew &&
		(capital(p.tokens[i]) || p.lower && i == begin) && !stops[p.tokens[i].text] {
		i++
		if p.is(i, ".") && !p.tokens[i].spaced && titles[p.tokens[i-1].text] {
			i++
		}
		if p.lower || p.tokens[i-1].possessive {
			break
		}
	}
	if i == begin {
		return "", i
	}
	return tidy(p.text[p.tokens[begin].to-len(p.tokens[begin].raw) : p.tokens[i-1].to]), i
}

// hebrewName reads one or two words.
func (p *parser) hebrewName(i int, further bool) (string, int) {
	t := p.tokens[i]
	name := t.raw
	if further && strings.HasPrefix(t.text, "ו") && !p.is(i-1, ",") {
		name = cutLetters(name, 1)
	}
	next := i + 1
	long := titles[strings.TrimPrefix(t.text, "ו")]
	if next < len(p.tokens) && !p.used[next] && p.tokens[next].kind == word && p.tokens[next].hebrew &&
		!stops[p.tokens[next].text] && p.tokens[next].prefix == "" &&
		(long || !startsWithAny(p.tokens[next].text, "ב", "ל", "מ", "ש", "ו", "ה") &&
			utf8.RuneCountInString(p.tokens[next].text) > 2) {
		name += " " + p.tokens[next].raw
		next++
	}
	return tidy(name), next
}

var titles = setOfWords("dr mr mrs ms prof professor doctor ד\"ר פרופ' פרופסור מר גברת רב הרב")

// generic reports whether what is behind "with" is no name: "the team", "my dentist", "HR", "הצוות", "רופא השיניים".
func (p *parser) generic(i int) bool {
	t := p.tokens[i]
	if genericPeople[t.text] || genericPeople[strings.TrimPrefix(t.text, "ו")] {
		return true
	}
	if t.hebrew {
		return strings.HasPrefix(t.text, "ה") && !hebrewNames[t.text]
	}
	return len(t.raw) <= 3 && strings.ToUpper(t.raw) == t.raw || p.company(i)
}

// company reports whether the name is that of an office or a team: "New York office".
func (p *parser) company(i int) bool {
	for k := i + 1; k < min(i+4, len(p.tokens)) && p.tokens[k].kind == word; k++ {
		if p.is(k, "office", "team", "department", "committee", "group") {
			return true
		}
		if !capital(p.tokens[k]) {
			return false
		}
	}
	return false
}

var (
	genericPeople = setOfWords(
		"accountant lawyer doctor dentist vet manager boss plumber therapist trainer teacher landlord contractor recruiter " +
			"coach neighbors neighbours electrician agent the my our a an his her their your everyone everybody all some team " +
			"clients client customers customer marketing sales hr it finance legal support engineering product design " +
			"management accounting friends family colleagues coworkers investors board staff students parents kids people " +
			"both " +
			"them us me him " +
			"משפחת אנשי נציג נציגי נציגת חברי אשתי בעלי לקוח לקוחה לקוחות צוות רופא רופאת רופאה רואה רואת משאבי מנהל מנהלת כל " +
			"כולמ ילדימ חברימ משפחה הורימ יועצ יועצת עורכ עורכת מורה שיווק מכירות סוכנ קבלנ טכנאי בנק")
	hebrewNames = setOfWords("הדס הדר הילה הלל הראל הגר הודיה הילי היילי הוד")
)
