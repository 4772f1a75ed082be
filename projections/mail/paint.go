package mail

import (
	"math"
	"strconv"
	"strings"
)

// paint is in what colour text stands on what, and how large and faint it is.
type paint struct {
	letters colour
	// inherited is the colour of the letters around.
	inherited colour
	// filled is the colour that letters are filled with whatever their own is (-webkit-text-fill-color); transparent when
	// nothing says so.
	filled colour
	// around is what is behind the element, back its own colour, picture the colours of a picture in front of that.
	around, back shades
	picture      shades
	// links is the colour of links.
	links colour
	// size is that of letters, in pixels, scale by how much all is made larger or smaller, opacity how little shines
	// through.
	size, scale, opacity float32
	// room is how much of the text of the element is seen, oneLine that its lines are not broken.
	room    room
	oneLine bool
}

// shades are the colours of one background: several where it changes from one to the other.
type shades struct {
	colours [maxShades]colour
	used    uint8
}

const maxShades = 6

func oneShade(c colour) shades { return shades{colours: [maxShades]colour{c}, used: 1} }

// usualSize is the size of letters that nothing says anything about.
const usualSize = 16

func defaultPaint() paint {
	return paint{letters: black, filled: transparent, around: oneShade(white), links: linkBlue, size: usualSize, scale: 1,
		opacity: 1}
}

// inner is the paint that an element within begins with.
func (p paint) inner() paint {
	p.inherited = p.letters
	p.around, p.back, p.picture, p.room = p.behind(), shades{}, shades{}, room{}
	return p
}

// behind is what letters stand on.
func (p *paint) behind() shades {
	switch {
	case p.picture.used > 0:
		return p.picture
	case p.back.used > 0:
		return p.back
	}
	return p.around
}

const (
	// tooSmall is the size of letters that nobody can read.
	tooSmall = 4
	// tooFaint is the opacity of what nobody sees.
	tooFaint = 0.15
)

// resize takes the size of letters, which may be a part of the size around them.
func (p *paint) resize(value string, around float32) {
	n, unit, ok := measure(value)
	switch {
	case ok && n < 0:
		return
	case ok && (unit == "em" || unit == "%" || unit == "ex" || unit == "ch"):
		p.size = float32(n*pixelsOf(unit)/usualSize) * around
	case ok && (unit != "" || n == 0):
		p.size = float32(n * pixelsOf(unit))
	case value == "smaller":
		p.size = around * 5 / 6
	case value == "larger":
		p.size = around * 6 / 5
	case isNamedSize(value):
		p.size = usualSize
	case strings.Contains(value, "("):
		if nothing, _ := computed(value); nothing {
			p.size = 0
		}
	}
}

func isNamedSize(value string) bool {
	switch value {
	case "xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large", "initial", "revert",
		"math":
		return true
	}
	return false
}

// resizeFont is resize for the property font, whose size is its first length.
func (p *paint) resizeFont(value string, around float32) {
	for part := range fieldsOutside(value, ' ') {
		size, _, _ := strings.Cut(part, "/")
		if _, unit, ok := measure(size); ok && (unit != "" || size == "0") || strings.Contains(size, "(") ||
			isNamedSize(size) || size == "smaller" {
			p.resize(size, around)
			return
		}
	}
}

// setColor takes the colour of letters; what cannot be read changes nothing, as in a browser.
func (p *paint) setColor(value string) {
	switch c, opacity, ok := readColour(value); {
	case ok:
		p.letters = p.onWhatIsBehind(c, opacity)
	case value == "inherit" || value == "unset" || value == "currentcolor":
		p.letters = p.inherited
	case value == "initial":
		p.letters = black
	}
}

// fill takes the colour that letters are filled with.
func (p *paint) fill(value string) {
	switch c, opacity, ok := readColour(value); {
	case ok:
		p.filled = p.onWhatIsBehind(c, opacity)
	case value == "currentcolor" || value == "initial":
		p.filled = transparent
	}
}

func (p *paint) onWhatIsBehind(c colour, opacity float64) colour {
	behind := p.behind().colours[0]
	if c == transparent {
		return behind
	}
	return c.over(behind, opacity)
}

// setBackground takes the colour behind them.
func (p *paint) setBackground(value string) {
	c, opacity, ok := readColour(value)
	switch {
	case ok && c == transparent, value == "none", value == "initial", value == "unset":
		p.back = shades{}
	case ok:
		p.back = oneShade(c.over(p.around.colours[0], opacity))
	}
}

// setPicture takes a picture in front of that colour: shades that change, one that the mail brings along, whose colours
// are not looked at, or one from elsewhere.
func (p *paint) setPicture(value string) {
	switch {
	case strings.Contains(value, "gradient("):
		p.picture = gradient(value, p.around.colours[0])
	case strings.Contains(value, "url(") && !strings.Contains(value, "data:"):
		c, _, _ := readColour(pictured)
		p.picture = oneShade(c)
	case strings.Contains(value, "("):
		p.picture = oneShade(unknown)
	case value == "none", value == "initial", value == "unset":
		p.picture = shades{}
	}
}

// gradient returns the colours that a gradient is made of.
func gradient(value string, around colour) (found shades) {
	_, inside, _ := strings.Cut(value, "gradient(")
	for part := range fieldsOutside(strings.TrimSuffix(inside, ")"), ',') {
		for word := range fieldsOutside(strings.TrimSpace(part), ' ') {
			word = strings.TrimRight(word, ")")
			if strings.Contains(word, "(") {
				word += ")"
			}
			c, opacity, ok := readColour(word)
			if !ok {
				continue
			}
			if found.used == maxShades || strings.Contains(word, "gradient(") || strings.Contains(word, "url(") {
				return oneShade(unknown)
			}
			if c == transparent {
				c, opacity = around, 1
			}
			found.colours[found.used] = c.over(around, opacity)
			found.used++
		}
	}
	if found.used == 0 {
		return oneShade(unknown)
	}
	return found
}

// setAll takes the property background: a colour and a picture, in any order.
func (p *paint) setAll(value string) {
	c, picture := "none", "none"
	for layer := range fieldsOutside(value, ',') {
		for word := range fieldsOutside(strings.TrimSpace(layer), ' ') {
			if strings.Contains(word, "url(") || strings.Contains(word, "gradient(") || strings.Contains(word, "image") ||
				strings.Contains(word, "element(") {
				if picture == "none" {
					picture = word
				}
			} else if _, _, ok := readColour(word); ok {
				c = word
			}
		}
	}
	p.setBackground(c)
	p.setPicture(picture)
}

// invisible reports whether nobody can tell the letters from what is behind them, or read ones so small or faint.
func (p paint) invisible() bool {
	if p.size*p.scale < tooSmall || p.opacity < tooFaint {
		return true
	}
	letters := p.letters
	if p.filled != transparent {
		letters = p.filled
	}
	if letters == unknown {
		return true
	}
	behind := p.behind()
	for _, c := range behind.colours[:behind.used] {
		if c == unknown || letters.over(c, float64(p.opacity)).near(c) {
			return true
		}
	}
	return false
}

// fieldsOutside splits a value at a character that stands in no brackets, and leaves out what is empty.
func fieldsOutside(value string, at byte) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for value != "" {
			part := value
			if i := indexOutside(value, string(at)); i >= 0 {
				part, value = value[:i], value[i+1:]
			} else {
				value = ""
			}
			if part != "" && !yield(part) {
				return
			}
		}
	}
}

// measure reads a number and its unit. Ok is false for what is no length.
func measure(value string) (n float64, unit string, ok bool) {
	end := 0
	for end < len(value) && (value[end] >= '0' && value[end] <= '9' || value[end] == '.' ||
		end == 0 && (value[end] == '-' || value[end] == '+')) {
		end++
	}
	if end+1 < len(value) && value[end] == 'e' && (isDigit(value[end+1]) ||
		end+2 < len(value) && (value[end+1] == '-' || value[end+1] == '+') && isDigit(value[end+2])) {
		for end += 2; end < len(value) && isDigit(value[end]); {
			end++
		}
	}
	n, err := strconv.ParseFloat(value[:end], 64)
	if err != nil || math.IsNaN(n) {
		return 0, "", false
	}
	unit = value[end:]
	return n, unit, unit == "" || pixelsOf(unit) > 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// pixelsOf is how many pixels a unit has: those of letters at their usual size, those of a window 1,000 wide and 800
// high, and of what is around it (percent), of which nothing is known, as of letters. 0 for what is no unit.
func pixelsOf(unit string) float64 {
	switch unit {
	case "", "px", "pt": // points are a third larger, which decides nothing
		return 1
	case "em", "rem", "ic", "ric", "lh", "rlh":
		return usualSize
	case "ex", "ch", "rex", "rch", "cap", "rcap":
		return usualSize / 2
	case "%":
		return 0.16
	case "vw", "vmax", "vi", "svw", "lvw", "dvw", "cqw", "cqi", "cqmax", "svmax", "lvmax", "dvmax":
		return 10
	case "vh", "vmin", "vb", "svh", "lvh", "dvh", "cqh", "cqb", "cqmin", "svmin", "lvmin", "dvmin":
		return 8
	case "in":
		return 96
	case "cm":
		return 37.8
	case "mm":
		return 3.78
	case "q":
		return 0.945
	case "pc":
		return 16
	}
	return 0
}
