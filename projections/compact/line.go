package compact

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"almanac/projections/mail"
)

// A fence is a mark with a token that occurs nowhere inside.
const (
	openingMark = "<<untrusted "
	closingMark = ">>"
	tokenLength = 6
)

func closingFence(token string) string { return "untrusted " + token + closingMark }

// tokenFor returns a token that occurs in none of the texts. It is made from them, so the same texts always have the
// same one; a text that holds the token made from it changes it.
func tokenFor(rows []string, query string) string {
	text := lower(strings.Join(rows, "\n") + "\n" + query)
	sum := sha256.Sum256([]byte(text))
	for round := 0; ; round++ {
		token := hex.EncodeToString(sum[:])[:tokenLength]
		if !strings.Contains(text, token) || round == maxRounds {
			return token
		}
		sum = sha256.Sum256(sum[:])
	}
}

// maxRounds is more than there can be tokens in a text: 1,000 lines of 10,000 characters hold fewer than there are of
// six digits.
const maxRounds = 10_000_000

// Unfenced returns the lines of a compact text without its fences, none of which can be taken for one, for who puts
// them between fences of their own.
func Unfenced(output string) []string {
	lines := strings.Split(output, "\n")
	kept, token := lines[:0], ""
	for _, line := range lines {
		rest, opens := strings.CutPrefix(line, openingMark)
		switch {
		case opens && token == "" && len(rest) >= tokenLength:
			token = rest[:tokenLength]
		case token != "" && line == closingFence(token):
			token = ""
		default:
			kept = append(kept, guarded(line))
		}
	}
	return kept
}

// guarded takes the pointed brackets from a line that tries to look like a fence, in whatever letters.
func guarded(line string) string {
	if !pointed(line) || !fenceLike(line) {
		return line
	}
	return strings.NewReplacer("<", "\u2039", ">", "\u203a", "\uff1c", "\u2039", "\uff1e", "\u203a", "\ufe64", "\u2039",
		"\ufe65", "\u203a", "\u00ab", "\u2039", "\u00bb", "\u203a", "\u226a", "\u2039", "\u226b", "\u203a").Replace(line)
}

// fenceLike reports whether a line has what a fence has, when its letters are read as what they look like.
func fenceLike(line string) bool {
	for i, r := range line {
		if r >= utf8.RuneSelf && !isHebrewLetter(r) && r != '\u2013' && r != '\u2026' { // these look like no part of a fence
			line = line[:i] + norm.NFKC.String(line[i:])
			break
		}
	}
	return strings.Contains(line, "<<") || strings.Contains(line, ">>") || strings.Contains(lower(line), "trusted")
}

// lower makes ASCII letters small, which is all that counts for fences and their tokens.
func lower(text string) string {
	i := 0
	for i < len(text) && (text[i] < 'A' || text[i] > 'Z') {
		i++
	}
	if i == len(text) {
		return text
	}
	small := []byte(text)
	for ; i < len(small); i++ {
		if 'A' <= small[i] && small[i] <= 'Z' {
			small[i] += 'a' - 'A'
		}
	}
	return string(small)
}

// pointed reports whether there are pointed brackets of any kind in a line.
func pointed(line string) bool {
	for i := range len(line) {
		switch line[i] {
		case '<', '>':
			return true
		case '\u00ab'>>6 | 0xc0, '\u226a'>>12 | 0xe0, '\uff1c'>>12 | 0xe0: // the first bytes of the others
			switch r, _ := utf8.DecodeRuneInString(line[i:]); r {
			case '\u00ab', '\u00bb', '\u226a', '\u226b', '\uff1c', '\uff1e', '\ufe64', '\ufe65':
				return true
			}
		}
	}
	return false
}

// Line returns what others wrote as one line of at most that many characters: white space of all kinds becomes one
// space, and what is not seen is taken out, for it says something to a program that it does not say to people: control
// characters, directional overrides and isolates, zero widths, tags, and all variations but that of emoji.
func Line(text string, width int) string {
	const slack = 8 // what is looked at for each character that is shown
	if len(text) <= slack*width && plain(text) {
		return clip(text, width)
	}
	if head, cut := mail.Cut(text, slack*width); cut {
		text = head + "\u2026"
	}
	var b strings.Builder
	space, before := false, rune(0)
	b.Grow(len(text))
	for i, r := range text {
		switch {
		case ' ' < r && r < '\u007f' || isHebrewLetter(r):
		case unicode.IsSpace(r), r == '\u2028', r == '\u2029':
			space = b.Len() > 0
			continue
		case r == '\u200d' && unicode.In(before, unicode.So, unicode.Sk, unicode.Variation_Selector) &&
			isEmojiNext(text[i+len("\u200d"):]):
		case r == '\ufe0f' && unicode.In(before, unicode.So, unicode.Nd, unicode.Po, unicode.Sm):
		case isUnseen(r):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		before = r
	}
	return clip(b.String(), width)
}

// plain reports whether a text is a line as it is: ASCII and Hebrew letters, with one space at a time, none at an end.
func plain(text string) bool {
	before := byte(' ')
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case ' ' < c && c < '\u007f':
		case c == ' ' && before != ' ':
		case c == '\u05d0'>>6|0xc0 && i+1 < len(text) && '\u05d0'&0x3f|0x80 <= text[i+1] && text[i+1] <= '\u05ea'&0x3f|0x80:
			i++
		default:
			return false
		}
		before = text[i]
	}
	return text == "" || before != ' '
}

func isEmojiNext(text string) bool {
	for _, r := range text {
		return unicode.Is(unicode.So, r)
	}
	return false
}

func isHebrewLetter(r rune) bool { return '\u05d0' <= r && r <= '\u05ea' }

// isUnseen reports whether a character shows nothing by itself, or changes how others are shown.
func isUnseen(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Variation_Selector,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Co, unicode.Cs) || r == '\u2800'
}

// clip cuts a line, and says so with its last character.
func clip(line string, width int) string {
	if _, cut := mail.Cut(line, width); !cut {
		return line
	}
	head, _ := mail.Cut(line, width-1)
	return strings.TrimRight(head, " ") + "\u2026"
}

// ellipsis says that a line goes on.
func ellipsis(line string, width int) string {
	if strings.HasSuffix(line, "\u2026") {
		return line
	}
	return clip(line+" \u2026", width)
}

// wrap parts a line at the last space that fits, or within a word that is too long.
func wrap(line string, width int) (first, rest string) {
	head, cut := mail.Cut(line, width)
	if !cut {
		return line, ""
	}
	if i := strings.LastIndexByte(head, ' '); i > 0 && line[len(head)] != ' ' {
		head = head[:i]
	}
	if head == "" { // one character that is made of many
		return line[:0] + clip(line, width), ""
	}
	return strings.TrimRight(head, " "), strings.TrimLeft(line[len(head):], " ")
}

// quoted returns the user's question for the title.
func quoted(query string) string {
	const most = 60
	return guarded(strings.ReplaceAll(Line(query, most), `"`, "'"))
}
