package agent

import (
	"regexp"
	"strconv"
	"strings"

	"almanac/projections/fold"
)

// sentence is what a sentence gives: its words, and the hours that it may mean.
type sentence struct {
	text string
	// numbers are those that stand in it, in digits or in words.
	numbers map[int]bool
	// hours are those that its parts of the day have.
	hours [24]bool
	// halves and quarters are said in words.
	halves, quarters bool
}

var digitsForm = regexp.MustCompile(`\d{1,4}`)

func sentenceOf(text string) sentence {
	s := sentence{text: fold.Text(text), numbers: map[int]bool{}}
	for _, digits := range digitsForm.FindAllString(s.text, -1) {
		n, _ := strconv.Atoi(digits)
		s.numbers[n] = true
		if len(digits) > 2 { // 930, 1430
			s.numbers[n/100], s.numbers[n%100] = true, true
		}
	}
	for _, word := range strings.FieldsFunc(s.text,
		func(r rune) bool { return strings.ContainsRune(" \t\n.,;:!?\"'()-", r) }) {
		s.hear(word)
	}
	return s
}

// hear notes what a word says of hours. Hebrew words may have a prefix.
func (s *sentence) hear(word string) {
	for at := range word {
		if at > 0 && (word[0] < 0x80 || at > 4) {
			return
		}
		rest := word[at:]
		if n, ok := numberWords()[rest]; ok {
			s.numbers[n] = true
		}
		if part, ok := partsOfDay()[rest]; ok {
			for hour := part[0]; hour <= part[1]; hour++ {
				s.hours[hour%24] = true
			}
		}
		switch rest {
		case "half", fold.Text("חצי"), fold.Text("וחצי"):
			s.halves = true
		case "quarter", fold.Text("רבע"), fold.Text("ורבע"):
			s.quarters = true
		}
	}
}

// numberWords are the hours of a clock in words, by their folded form.
func numberWords() map[string]int {
	out := map[string]int{}
	for n, words := range []string{
		1: "one אחת", 2: "two שתיים", 3: "three שלוש", 4: "four ארבע", 5: "five חמש", 6: "six שש", 7: "seven שבע",
		8: "eight שמונה",
		9: "nine תשע", 10: "ten עשר", 11: "eleven", 12: "twelve",
	} {
		for word := range strings.FieldsSeq(words) {
			out[fold.Text(word)] = n
		}
	}
	return out
}

// partsOfDay are the first and last hour that a part of the day may begin at.
func partsOfDay() map[string][2]int {
	out := map[string][2]int{}
	for words, hours := range map[string][2]int{
		"morning בוקר": {6, 12}, "noon midday lunchtime צהריים צהרים": {12, 13}, "afternoon": {12, 18},
		"evening ערב הערב":         {17, 23},
		"tonight night לילה הלילה": {18, 24}, "midnight חצות": {24, 24},
	} {
		for word := range strings.FieldsSeq(words) {
			out[fold.Text(word)] = hours
		}
	}
	return out
}

// gives reports whether each word of a text stands in the sentence, in some folded form.
func (s sentence) gives(text string) bool {
	for _, word := range strings.Fields(fold.Text(text)) {
		if !strings.Contains(s.text, word) {
			return false
		}
	}
	return true
}

// hasHour reports whether the sentence may mean an hour of the clock. An end that is not said is an hour after the
// start, and so follows any hour that is said.
func (s sentence) hasHour(hour, minute int, end bool) bool {
	if s.hourSaid(hour) && s.minuteSaid(minute) {
		return true
	}
	return end && s.hourSaid((hour+23)%24) && s.minuteSaid(minute)
}

func (s sentence) hourSaid(hour int) bool {
	return s.hours[hour] || s.numbers[hour] && hour > 0 ||
		s.numbers[(hour+12)%24] && (hour+12)%24 <= 12 && (hour+12)%24 > 0 || hour == 0 && s.numbers[24] ||
		s.halves && s.numbers[(hour+11)%12+1] || s.quarters && (s.numbers[(hour+11)%12+1] || s.numbers[hour%12+1])
}

func (s sentence) minuteSaid(minute int) bool {
	return minute == 0 || s.numbers[minute] || minute == 30 && s.halves || (minute == 15 || minute == 45) && s.quarters
}
