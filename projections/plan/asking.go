package plan

import (
	"strings"
	"time"
)

// asking reads the questions of which the answer is one thing about the calendar: how many, the next one, when, until
// when and where, whether a time is free, the first free time, what has passed.
func (p *parser) asking() (bool, error) {
	i := p.lead()
	what, next := p.askedAt(i)
	if what == "" {
		return false, nil
	}
	p.use(i, next)
	p.useThanks()
	p.past = p.past || what == AskMissed
	p.useAskWords(what, next)
	p.scan()
	length := time.Hour
	kept := p.items[:0]
	for _, it := range p.items {
		p.use(it.from, it.to)
		if what == AskGap && it.sort == aLength && !it.amount.calendar() {
			length = it.amount.duration()
			continue
		}
		kept = append(kept, it)
	}
	p.items = kept
	p.useCalendar()
	if i := p.slip(); i >= 0 {
		return true, p.refusal(Unread, "", unreadPart, i, i+1)
	}
	if p.failed != nil {
		return true, p.failed
	}
	t, err := p.collect()
	if err != nil {
		return true, err
	}
	window, err := p.window(t, false)
	if err != nil {
		return true, err
	}
	in := intent{action: show, from: i, to: next}
	words := p.queryWords(in)
	p.out.Ask = &Ask{What: what, Doing: p.is(next, "i", "we", "אני", "אנחנו")}
	p.note(SlotTool, i, max(next, i+1))
	switch what {
	case AskFree, AskGap, AskMissed:
		if len(words) > 0 { // it is about something else too
			return false, nil
		}
	case AskUntil, AskWhen, AskWhere:
		if len(words) == 0 && window == nil {
			return true, p.refusal(Missing, SlotQuery, noQuery, i, next)
		}
	}
	switch what {
	case AskGap:
		p.out.Ask.Length = length
		if window == nil {
			window = &Window{From: p.now, To: p.now.AddDate(0, 0, 7)}
			p.defaulted(SlotWindow)
		}
		p.out.Tool, p.out.Schedule = ToolSchedule, window
		return true, nil
	case AskFree:
		if window == nil {
			return true, p.refusal(Missing, SlotWindow, noAskedTime, i, len(p.tokens))
		}
		p.out.Tool, p.out.Schedule = ToolSchedule, window
		return true, nil
	case AskMissed:
		if window == nil {
			window = &Window{From: p.now.AddDate(0, 0, -1), To: p.now}
			p.defaulted(SlotWindow)
		}
		if window.To.After(p.now) {
			window.To = p.now
		}
		if !window.From.Before(window.To) {
			return true, p.refusal(Contradiction, SlotWindow, notPast, 0, len(p.tokens))
		}
		p.out.Tool, p.out.Schedule = ToolSchedule, window
		return true, nil
	case AskNext:
		if window == nil && len(words) > 0 {
			window = &Window{From: p.now, To: p.now.AddDate(1, 0, 0)}
		}
	}
	if len(words) > 0 {
		return true, p.searching(words, window)
	}
	if window == nil {
		days := 7
		if what == AskNext {
			days = 90
		}
		p.out.Tool, p.out.Read = ToolRead, &Window{From: p.now, To: p.now.AddDate(0, 0, days)}
		p.defaulted(SlotWindow)
		return true, nil
	}
	p.out.Tool, p.out.Schedule = ToolSchedule, window
	return true, nil
}

// askedAt finds what a question that begins at i is about, and where its first words end.
func (p *parser) askedAt(i int) (Asked, int) {
	for _, of := range []struct {
		what   Asked
		frames frames
	}{{AskMissed, missed}, {AskCount, counts}, {AskUntil, untils}, {AskGap, gaps}, {AskNext, nexts}, {AskWho, whos},
		{AskWhere, wheres}} {
		next, ok := p.frameAt(i, of.frames)
		if !ok {
			continue
		}
		if of.what == AskGap && !p.gapNamed() {
			continue
		}
		return of.what, next
	}
	if p.hebrewNext(i) {
		return AskNext, i + 1
	}
	ends, frees := false, false
	for k := range p.tokens {
		ends = ends || p.is(k, "end", "ends", "over", "finish", "finishes", "finished", "נגמר", "נגמרת", "מסתיימ", "מסתיימת",
			"תסתיימ", "יסתיימ", "תיגמר", "ייגמר", "נגמרימ")
		frees = frees || p.has(k, freeish)
	}
	switch {
	case p.is(i, "when", "what", "מתי", "באיזו", "באיזה") && ends &&
		(p.is(i, "when", "מתי", "באיזו") || p.is(i+1, "time")):
		return AskUntil, i + 1 + btoi(p.is(i+1, "time", "שעה"))
	case frees && !p.is(i, "when", "find", "what", "what's", "first", "which", "מתי", "תמצא", "מצא"):
		return AskFree, i
	case p.is(i, "when") && (p.is(i+1, "is", "are", "does", "do", "will", "am") || p.tokens[i].possessive):
		return AskWhen, i + 1 + btoi(!p.tokens[i].possessive)
	case p.is(i, "what") && p.is(i+1, "time") && p.is(i+2, "is", "does", "do", "are", "am", "will"):
		return AskWhen, i + 3
	case p.is(i, "מתי"):
		return AskWhen, i + 1
	case p.is(i, "באיזו", "באיזה") && p.is(i+1, "שעה", "יומ"):
		return AskWhen, i + 2
	}
	return "", i
}

// gapNamed reports whether a question is after free time.
func (p *parser) gapNamed() bool {
	for i := range p.tokens {
		if p.has(i, freeish) || p.is(i, "gap", "opening", "window", "חלונ", "slot") {
			return true
		}
	}
	return false
}

// useAskWords passes over the words that a question of its kind has beside its object.
func (p *parser) useAskWords(what Asked, from int) {
	words := map[Asked]map[string]bool{AskUntil: untilWords, AskWhen: whenWords, AskGap: gapWords, AskFree: freeAskWords,
		AskNext:   nextWords,
		AskMissed: missedWords, AskWho: whoWords}[what]
	for k := from; k < len(p.tokens); k++ {
		if t := p.tokens[k]; t.kind == word && t.prefix == "" && words[t.text] && !p.used[k] {
			if _, timed := p.itemAt(k); timed && (what == AskFree || what == AskGap) {
				continue
			}
			p.use(k, k+1)
		}
	}
}

var (
	missed = framesOf(
		"what have|did i|we miss|missed, what else did i|we miss, did i|we miss anything|something|any?, have i missed " +
			"anything|something|any?, anything i missed, what was i meant to do, " +
			"מה פספסתי|פספסנו|החמצתי|הפסדתי, פספסתי|החמצתי משהו?, האם פספסתי|החמצתי משהו?")
	counts = framesOf(
		"how many, number of, count the|my?, what's|what is the number of, how much do, כמה, ספור|תספור את?, האם יש יותר")
	untils = framesOf(
		"until when, till when, how late, until what time, how long is|does|will|are, עד מתי, עד איזו שעה, כמה זמן, כמה " +
			"נמשך|נמשכת")
	gaps = framesOf(
		"when am|are i|we, when is|'s|do|can|will|could|would i|we|my|the? first|next|earliest?, when's my|the, find " +
			"me|us?, first, next, what's|what is my|the, which, get me, show me?, do i have, is there, " +
			"מתי אני|אנחנו?, מה, תמצא|תמצאי|מצא|מצאי|חפש|חפשי|תחפש|תחפשי לי|לנו?, איזה, יש לי?, באיזו שעה, אילו")
	nexts = framesOf(
		"when|when's|what|what's|whens|whats is|are? my|the|our next|upcoming, what's next, what is next, what comes next, " +
			"who's|who is next, next, where's|where is my next, " +
			"מה הבא, מה הדבר הבא")
	whos = framesOf(
		"who am|are i|we meeting|seeing, who do i|we have|meet, who's|who is|are coming|in|at|attending|invited, with whom " +
			"am i, עם מי אני|אנחנו נפגש|נפגשת|נפגשים|פוגש?, את מי אני פוגש|פוגשת|רואה, מי מגיע|בא|משתתף|מוזמן|יהיה")
	wheres = framesOf(
		"where is|are|'s|will|am|do|does, where's, wheres, at what place, what's the location|place|venue|address of, what " +
			"is the location|place|venue of, what room is, איפה, היכן, באיזה חדר|מקום")
	freeish = setOf(
		"free busy available booked taken occupied emptiest חופשי חופשיה חופשייה פנוי פנויה פנויים תפוס תפוסה עסוק " +
			"עסוקה עסוקימ זמינ זמינה פנויות")
	untilWords = setOfWords(
		"end ends over finish finishes finished does is will do until when go last lasting run נגמר נגמרת מסתיימ מסתיימת " +
			"נמשכ נמשכת תיגמר ייגמר נגמרימ be")
	whenWords = setOfWords(
		"start starts begin begins does is do leave leaves happening happen due scheduled planned take place מתחיל מתחילה " +
			"יוצא יוצאת מתקיימת מתקיימ יתקיימ תתקיימ קבוע קבועה")
	gapWords = setOfWords(
		"free available open first next earliest slot slots gap window opening hour time times hours " +
			"block of at least a an " +
			"any my the me i am have some there is are on in for " +
			"פנוי פנויה פנויימ פנויות ראשונ ראשונה הראשונ הראשונה הפנוי הפנויה חלונ שעה השעה זמנ הזמנ של לי אני הקרוב הקרובה " +
			"משבצת יש בו בה שבה שבו הבאה הבא המוקדמת ביותר של")
	freeAskWords = setOfWords(
		"whole entire room space around extra another meeting blocking clash clashes open days evenings mornings " +
			"afternoons " +
			"which how many lately quite really כל כולו שלם איזה כמה ערבים ימים בקרים אצלי מתנגש מתנגשת חוסם חוסמת התנגשות " +
			"חפיפה חפיפות עם משהו משהי חופשי חופשיה חופשייה " +
			"is are am i we do have free busy available booked taken occupied slot time anything already the still open at " +
			"there my completely totally be would will does work for me us that this " +
			"האמ אני אנחנו יש לי זמנ פנוי פנויה פנויימ תפוס תפוסה עסוק עסוקה עסוקימ זמינ זמינה משבצת כבר עדיינ השעה המועד הזה " +
			"חלונ")
	nextWords   = setOfWords("next upcoming הבא הבאה is")
	missedWords = setOfWords("anything something while since last from")
	whoWords    = setOfWords("with meeting seeing coming attending")
)

var (
	noAskedTime = reason{"Which day or hour is meant?", "לאיזה יום או שעה הכוונה?"}
	notPast     = reason{"“%s” has not passed yet, so nothing can have been missed.",
		"„%s” עוד לא עבר, ולכן אין מה לפספס."}
)

// hebrewNext finds "הפגישה הבאה" in a question, and passes over the word for next.
func (p *parser) hebrewNext(i int) bool {
	if !p.is(i, "מתי", "מה", "איפה", "מהי", "מהו", "עמ") {
		return false
	}
	for k := i + 1; k < len(p.tokens); k++ {
		if p.is(k, "הבא", "הבאה") && p.hebrewAt(k-1) && strings.HasPrefix(p.tokens[k-1].text, "ה") && !p.has(k-1, spans) &&
			!p.has(k-1, weekdayWords) {
			return true
		}
	}
	return false
}
