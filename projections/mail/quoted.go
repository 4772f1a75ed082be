package mail

import (
	"regexp"
	"strings"
	"unicode"
)

// signatureMark stands before a signature (RFC 3676, 4.3).
const signatureMark = "-- "

// authored returns what the author of a message wrote: without the history below, the signature and what a telephone
// adds. Where answers stand between the lines that they answer, everything stays; so does what was forwarded, and
// everything when nothing would be left.
func authored(text string) string {
	lines := strings.Split(text, "\n")
	kept := withoutHistory(lines)
	if kept == nil {
		kept = lines
	}
	if !hasForward(kept) {
		kept = withoutSignature(kept)
	}
	result := strings.Trim(strings.Join(kept, "\n"), "\n")
	if !strings.ContainsFunc(result, isSaying) {
		return strings.Trim(text, "\n")
	}
	return strings.TrimRightFunc(result, unicode.IsSpace)
}

// isSaying reports whether a character says something; a symbol does, as an answer in one emoji.
func isSaying(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSymbol(r) && r != '>' && r != '|'
}

// withoutHistory leaves out quoted history; nil when there is none that can be told from the author's words.
func withoutHistory(lines []string) []string {
	end := len(lines)
	if at := historyStart(lines); at >= 0 {
		end = at
	}
	blocks := quotedBlocks(lines[:end])
	rest := lines[:end]
	switch {
	case hasForward(rest):
	case len(blocks) > 1: // answers between the lines
		if end == len(lines) {
			return nil
		}
	case len(blocks) == 1:
		rest = withoutBlock(rest, blocks[0])
	}
	if len(rest) == len(lines) {
		return nil
	}
	return rest
}

// block is a run of quoted lines, begin inclusive, end exclusive.
type block struct{ begin, end int }

// quotedBlocks finds the runs of lines behind ">"; blank lines between them part nothing.
func quotedBlocks(lines []string) []block {
	var blocks []block
	open := false
	for i, line := range lines {
		switch trimmed := strings.TrimSpace(strings.Trim(line, "\u200e\u200f")); {
		case strings.HasPrefix(trimmed, ">"):
			if !open {
				blocks = append(blocks, block{begin: i})
				open = true
			}
			blocks[len(blocks)-1].end = i + 1
		case trimmed != "":
			open = false
		}
	}
	return blocks
}

// withoutBlock leaves out the one quotation with the line that introduces it: at the end; or in front of the whole
// answer, when a mail program has introduced it.
func withoutBlock(lines []string, quoted block) []string {
	begin := introduction(lines, quoted.begin)
	before, after := lines[:begin], lines[quoted.end:]
	answered := isAnswer(after)
	switch {
	case !answered && !isSaid(after): // nothing behind it
		return before
	case !answered && isSaid(before): // only a signature
		return append(append([]string{}, before...), after...)
	case begin < quoted.begin && !isSaid(before):
		return after
	}
	return lines
}

// isAnswer reports whether lines say more than a signature does.
func isAnswer(lines []string) bool {
	const said = "said before"
	return len(lines) > 0 && isSaid(withoutSignature(append([]string{said}, lines...))[1:])
}

func isSaid(lines []string) bool {
	for _, line := range lines {
		if strings.ContainsFunc(line, isSaying) {
			return true
		}
	}
	return false
}

// introduction returns where the line begins that introduces what stands at a place; the place itself when there is
// none. Mail programs fold it to up to four lines.
func introduction(lines []string, at int) int {
	last := at - 1
	for last >= 0 && strings.TrimSpace(lines[last]) == "" {
		last--
	}
	if at-1-last > 2 {
		return at
	}
	joined, own := "", at
	for first := last; first >= 0 && first > last-4; first-- {
		line := strings.TrimSpace(lines[first])
		if line == "" {
			break
		}
		joined = line + " " + joined
		if isIntroduction(strings.TrimSpace(joined)) {
			return first
		}
		if first == last && looseIntroduction.MatchString(line) && len(line) <= longestIntroduction {
			own = first
		}
	}
	return own
}

var (
	// introductions are the ways in which mail programs introduce what they quote, in the languages served.
	introductions = regexp.MustCompile(
		`^(?i:(?:on|le|am|el) .{5,300}(?:wrote|writes|said|a écrit|schrieb.{0,80}|escribió) ?:|` +
			`\d{4}[-/.]\d{1,2}[-/.]\d{1,2}.{0,200}(?:wrote ?|<[^<>\s]+@[^<>\s]+>) ?:)$`)
	// looseIntroduction is one that begins with the name or the day, on one line.
	looseIntroduction = regexp.MustCompile(`^.{1,300}\b(?:wrote|writes|schrieb|escribió) ?:$`)
	// The Hebrew ones begin with the date, and end with who wrote it, or with the address.
	hebrewIntroductions = regexp.MustCompile(
		`^(?:ב-?תאריך|ב-?יום|ב-?\d{1,2}[./ ]|\d{1,2}[./]\d{1,2}[./]\d{2,4}|.{1,200},` +
			` מאת ).{0,300}(?:כתב/ה|כתבה/כתב|כתב|כתבה|כתבו|כתב\(ה\)|מאת.{0,200}|<[^<>\s]+@[^<>\s]+>) ?:?$`)
	dated     = regexp.MustCompile(`\d{1,2}[:.]\d{2}|\d{4}|\d{1,2}[./]\d{1,2}`)
	addressed = regexp.MustCompile(`<[^<>\s]+@[^<>\s]+>|\[mailto:|\(mailto:`)
)

// longestIntroduction bounds what is compared.
const longestIntroduction = 600

func isIntroduction(line string) bool {
	if len(line) > longestIntroduction {
		return false
	}
	line = strings.Map(func(r rune) rune {
		switch {
		case r == '\u200e' || r == '\u200f' || isOverride(r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, line)
	line = strings.TrimSpace(line)
	if !strings.HasSuffix(line, ":") {
		return false
	}
	return introductions.MatchString(line) || hebrewIntroductions.MatchString(line) && dated.MatchString(line)
}

var (
	originalMark = regexp.MustCompile(
		`^[-_*=\s]{2,}\s*(?i:original message|original appointment|reply message|message d'origine|` +
			`ursprüngliche nachricht|mensaje original|הודעה מקורית|ההודעה המקורית)\s*[-_*=\s]{2,}$`)
	forwardMark = regexp.MustCompile(
		`^(?:[-_*=\s]{2,}\s*(?i:forwarded message|forwarded by.{0,80}|הודעה שהועברה|הודעה מועברת|` +
			`ההודעה שהועברה)\s*[-_*=\s]{0,}|(?i:begin forwarded message|תחילת ההודעה שהועברה|תחילת הודעה שהועברה) ?:)$`)
	fieldLine = regexp.MustCompile(
		`^[*_]{0,2}(?i:(from|de|von|מאת|מ)|(sent|date|datum|envoyé|נשלח|נשלח ב|תאריך)|(to|cc|bcc|an|à|אל|עותק|לכבוד)|` +
			`(subject|re|betreff|objet|נושא|הנדון)) ?: ?[*_]{0,2}`)
	ruleLine = regexp.MustCompile(`^[_\-=*]{10,}$`)
)

// hasForward reports whether a forwarded message stands in the lines, not quoted.
func hasForward(lines []string) bool {
	for _, line := range lines {
		if len(line) <= longestIntroduction && forwardMark.MatchString(bareLine(line)) {
			return true
		}
	}
	return false
}

// historyStart returns the line with which history without ">" begins: a mark, a block of header lines, or an
// introduction with an address in it; -1 for none. What was forwarded is none.
func historyStart(lines []string) int {
	for i, line := range lines {
		trimmed := bareLine(line)
		if trimmed == "" || len(trimmed) > longestIntroduction || strings.HasPrefix(trimmed, ">") {
			continue
		}
		switch {
		case forwardMark.MatchString(trimmed):
			return -1
		case originalMark.MatchString(trimmed):
			return i
		case isHeaderBlock(lines, i):
			if before := lastSaid(lines, i); before >= 0 && ruleLine.MatchString(bareLine(lines[before])) {
				return before
			}
			return i
		case strings.HasSuffix(trimmed, ":") && addressed.MatchString(line) &&
			(isIntroduction(trimmed) || looseIntroduction.MatchString(trimmed)) && !isQuotedNext(lines, i):
			return i
		}
	}
	return -1
}

func bareLine(line string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\u200e' || r == '\u200f' || isOverride(r) {
			return -1
		}
		return r
	}, line))
}

func lastSaid(lines []string, before int) int {
	for i := before - 1; i >= 0 && i > before-3; i-- {
		if bareLine(lines[i]) != "" {
			return i
		}
	}
	return -1
}

func isQuotedNext(lines []string, at int) bool {
	for _, line := range lines[at+1:] {
		if line = bareLine(line); line != "" {
			return strings.HasPrefix(line, ">")
		}
	}
	return true // nothing behind it: the quotation's own rule takes it
}

// isHeaderBlock reports whether header lines begin here as Outlook writes them: from whom, and two of when, to whom and
// about what, in the lines that follow.
func isHeaderBlock(lines []string, at int) bool {
	first := fieldLine.FindStringSubmatch(bareLine(lines[at]))
	if len(first) < 2 || first[1] == "" {
		return false
	}
	var sent, to, subject bool
	for seen, i := 0, at+1; i < len(lines) && seen < 8; i++ {
		line := bareLine(lines[i])
		if line == "" {
			continue
		}
		seen++
		if len(line) > longestIntroduction {
			continue
		}
		if field := fieldLine.FindStringSubmatch(line); field != nil {
			sent, to, subject = sent || field[2] != "", to || field[3] != "", subject || field[4] != ""
		}
	}
	return sent && (to || subject)
}

var (
	telephoneLine = regexp.MustCompile(
		`^(?i:sent from my .{1,40}|sent from (?:mail|outlook|yahoo|gmail|samsung|proton|aol|android|iphone)\b.{0,80}|` +
			`sent via .{1,40}|get outlook for .{1,80}|sent with proton.{0,60}|נשלח מה-? ?.{1,40}|נשלח באמצעות .{1,40}|` +
			`נשלח מ-? ?(?:outlook|gmail|yahoo|samsung|iphone|ipad|mail).{0,60}|הורד את outlook .{0,60}|` +
			`קבל את outlook .{0,60})\.?$`)
	disclaimer = regexp.MustCompile(
		`^[*_]{0,3}(?i:(?:confidentiality|legal|privacy) (?:notice|disclaimer)|disclaimer ?:|this (?:e-?mail|message|` +
			`communication)(?: message)?(?:,? (?:and|including|together with) any (?:attachments?|` +
			`files?)[^.]{0,60})? (?:is|are|may be|may contain|contains)[^.]{0,120}(?:confidential|privileged|intended)|` +
			`the (?:information|contents?)[^.]{0,80}(?:e-?mail|message)[^.]{0,80}(?:confidential|privileged|intended)|` +
			`הודעה זו[^.]{0,120}(?:מיועד|חסוי|סודי)|(?:דוא"ל|דואר אלקטרוני) זה[^.]{0,120}(?:מיועד|חסוי|סודי)|` +
			`האמור בהודעה זו|הודעת סודיות|תוכן (?:הודעה|מסר) ז[הו][^.]{0,120}(?:מיועד|חסוי|סודי))`)
)

// Bounds of what may be a signature.
const (
	maxSignature      = 30
	maxLooseSignature = 12
)

// withoutSignature leaves out a signature behind its mark, and at the very end what telephones and lawyers add. The
// lines are not changed.
func withoutSignature(lines []string) []string {
	lines = withoutTail(lines)
	for i := len(lines) - 1; i >= 0 && i >= len(lines)-1-maxSignature; i-- {
		mark := strings.Trim(lines[i], "\u200e\u200f")
		if (mark == signatureMark || mark == "--" && len(lines)-1-i <= maxLooseSignature) && isSaid(lines[:i]) {
			return withoutTail(lines[:i])
		}
	}
	return lines
}

// maxTail is how many of them one message has.
const maxTail = 10

// withoutTail takes the lines of telephones and the paragraphs of lawyers off the end, as long as something is left.
func withoutTail(lines []string) []string {
	for range maxTail {
		lines = withoutBlank(lines)
		begin := len(lines)
		for begin > 0 && bareLine(lines[begin-1]) != "" {
			begin--
		}
		if begin == len(lines) {
			return lines
		}
		last := bareLine(lines[len(lines)-1])
		switch {
		case len(last) <= longestIntroduction && telephoneLine.MatchString(last) && isSaid(lines[:len(lines)-1]):
			lines = lines[:len(lines)-1]
		case disclaimer.MatchString(bareLine(lines[begin])[:min(len(bareLine(lines[begin])), longestIntroduction)]) &&
			isSaid(lines[:begin]):
			lines = lines[:begin]
		default:
			return lines
		}
	}
	return lines
}

func withoutBlank(lines []string) []string {
	for len(lines) > 0 && bareLine(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}
