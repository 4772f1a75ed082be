package ngram

import (
	"strings"

	"almanac/projections/fold"
)

// kinds are kinds of answers.
type kinds uint8

const (
	aDay kinds = 1 << iota
	aNumber
	aPlace
)

// What asks for a kind of answer, and what is one beside digits and the names of months. Folded when they are read.
const (
	asksDay = `when whens date day time hour hours often deadline schedule
		מתי תאריך יום שעה שעות תדירות`
	asksNumber = `much many price cost costs fee amount sum size long old far tall code number pin digits combination
		password phone telephone
		כמה מחיר עולה עלות סכום מידה גובה גודל קוד מספר סיסמה טלפון צופן ספרות פין`
	asksPlace = `where wheres איפה היכן לאן מאיפה מאין`

	saysDay = `monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays saturday saturdays
		sunday sundays morning mornings evening evenings noon afternoon night nights midnight week weeks weekly weekday
		weekend month months monthly year years yearly annual every until tomorrow daily
		passover hanukkah purim sukkot christmas easter ramadan spring summer autumn winter
		ראשון שני שלישי רביעי חמישי שישי שבת בוקר ערב צהריים לילה חצות שבוע שבועי שבועיים חודש חודשי חודשיים שנה שנתי שנתיים
		מחר מחרתיים כל עד פסח חנוכה פורים סוכות שבועות קיץ חורף אביב סתיו יום יומי ימים`
	saysPlace = `in at on under behind inside near above beside between opposite next upstairs downstairs
		מתחת מאחורי ליד מעל בתוך על אצל מול בין`
)

// kindsOf are the words of two texts with the kinds that they ask for or say.
func kindsOf(day, number, place string) map[string]kinds {
	all := make(map[string]kinds, 160)
	for kind, text := range map[kinds]string{aDay: day, aNumber: number, aPlace: place} {
		for word := range strings.FieldsSeq(fold.Text(text)) {
			all[word] |= kind
		}
	}
	return all
}

// wants are the kinds of answers that a query asks for.
func (s *senses) wants() (all kinds) {
	l := dictionary()
	for i := range s.words {
		all |= l.asks[s.words[i].text] | l.asks[s.words[i].written]
	}
	return all
}

// says are the kinds of answers that a word of a text is.
func (l *lexicon) says(w *sense) kinds {
	all := l.answers[w.text]
	if w.hebrew && w.text != w.written {
		if strings.HasPrefix(w.written, inside) {
			all |= aPlace
		}
		all |= l.answers[w.written]
	}
	if l.months[w.stem] > 0 {
		all |= aDay
	}
	return all
}

// inside is the prefix that a Hebrew word has where English has in or at.
const inside = "ב"

// numberSays are the kinds of answers that a number is: with a colon, a point or a slash it may be a time.
func numberSays(number string) kinds {
	if strings.ContainsAny(number, ":./") {
		return aNumber | aDay
	}
	return aNumber
}
