package mail

import (
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// room is how much of the text in an element is seen, whose rest is clipped: so many lines, and so many characters,
// together or on each line. 0 is for any number.
type room struct {
	lines, chars int
	eachLine     bool
}

// The sizes of lines and letters, as parts of the size of the letters.
const (
	lineOfSize   = 1.15
	letterOfSize = 0.4
)

// room returns how much of the text is seen in letters of a size.
func (b *box) room(size float32) (r room) {
	if !b.clipped && b.clamp == 0 || size <= 0 {
		return room{}
	}
	if r.lines = b.clamp; b.clipped && !math.IsInf(b.height, 1) {
		lines := int(math.Ceil((b.height - tooSmall) / (lineOfSize * float64(size))))
		r.lines = max(1, min(lines, math.MaxInt16))
	}
	if !b.clipped || math.IsInf(b.width, 1) || !b.oneLine && r.lines == 0 {
		return r
	}
	r.chars = max(1, int(min(b.width/(letterOfSize*float64(size)), math.MaxInt16)))
	if r.eachLine = b.oneLine; !b.oneLine {
		r.chars *= r.lines
	}
	return r
}

// filling is what text an element with a bounded room has had.
type filling struct {
	room
	// at is the element's place on the stack, line the number of the line, used what stands on it, or in all lines.
	at, line, used int
	// begun: there is something on the line.
	begun bool
}

// take returns what is seen of a text.
func (f *filling) take(text string) string {
	if f.lines > 0 && f.line >= f.lines {
		return ""
	}
	f.begun = f.begun || strings.TrimSpace(text) != ""
	if f.chars == 0 {
		return text
	}
	left := f.chars - f.used
	f.used += utf8.RuneCountInString(strings.Join(strings.Fields(text), " "))
	for i := range text {
		if left <= 0 {
			return text[:i]
		}
		left--
	}
	return text
}

// newLine ends a line, if there is something on it or it is asked for.
func (f *filling) newLine(asked bool) {
	if !f.begun && !asked {
		return
	}
	f.line, f.begun = f.line+1, false
	if f.eachLine {
		f.used = 0
	}
}

// fit returns what is seen of a text that stands here.
func (p *page) fit(text string) string {
	for i := range p.filled {
		if text = p.filled[i].take(text); text == "" {
			return ""
		}
	}
	return text
}

// newLine follows a tag that begins a line.
func (p *page) newLine(tag atom.Atom) {
	if tag != atom.Br && (!isBlock(tag) || isCell(tag)) {
		return
	}
	for i := range p.filled {
		p.filled[i].newLine(tag == atom.Br)
	}
}
