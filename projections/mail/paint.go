package mail

import (
	"strconv"
	"strings"
)

// colour is a colour as 0xRRGGBB, or one that cannot be told.
type colour int32

const (
	unknown colour = -1
	black   colour = 0
	white   colour = 0xffffff
)

// paint is in what colour text stands on what, and how large it is, in pixels.
type paint struct {
	letters, behind colour
	size            float32
}

// usualSize is the size of letters that nothing says anything about.
const usualSize = 16

func defaultPaint() paint { return paint{black, white, usualSize} }

// tooSmall is the size of letters that nobody can read.
const tooSmall = 2

// resize takes the size of letters, which may be a part of the size around them.
func (p *paint) resize(value string) {
	around := float64(p.size)
	n, ok := length(value)
	switch {
	case !ok:
		if value != "inherit" && value != "smaller" && value != "larger" {
			p.size = usualSize // a word, or what cannot be told
		}
		return
	case strings.HasSuffix(value, "rem"), strings.HasSuffix(value, "vw"), strings.HasSuffix(value, "vh"):
	case strings.HasSuffix(value, "em"), strings.HasSuffix(value, "%"):
		n *= around / usualSize
	}
	p.size = float32(n)
}

// resizeFont is resize for the property font, whose size is its first length.
func (p *paint) resizeFont(value string) {
	for part := range strings.FieldsSeq(value) {
		size, _, _ := strings.Cut(part, "/")
		if _, ok := length(size); ok && !isWeight(size) {
			p.resize(size)
			return
		}
	}
}

// isWeight reports whether a number says how bold letters are.
func isWeight(number string) bool {
	n, err := strconv.ParseFloat(number, 64)
	return err == nil && n >= 100
}

// setColor takes the colour of letters; what cannot be read changes nothing, as in a browser.
func (p *paint) setColor(value string) {
	if c, ok := readColour(value); ok {
		p.letters = c
		if c == transparent {
			p.letters = p.behind
		}
	}
}

// setBackground takes the colour behind them.
func (p *paint) setBackground(value string) {
	if c, ok := readColour(value); ok && c != transparent {
		p.behind = c
	}
}

// invisible reports whether nobody can tell the letters from what is behind them, or read ones so small.
func (p paint) invisible() bool {
	if p.size < tooSmall {
		return true
	}
	if p.letters == unknown || p.behind == unknown {
		return false
	}
	const apart = 6 // of 256, in each of red, green and blue
	for shift := 0; shift <= 16; shift += 8 {
		difference := (p.letters>>shift)&0xff - (p.behind>>shift)&0xff
		if difference > apart || difference < -apart {
			return false
		}
	}
	return true
}

// transparent is no colour at all.
const transparent colour = -2

// readColour reads the usual ways to write a colour; ok is false for all else that may be none.
func readColour(value string) (c colour, ok bool) {
	value = strings.TrimSpace(value)
	switch value {
	case "black":
		return black, true
	case "white":
		return white, true
	case "transparent":
		return transparent, true
	case "", "inherit", "initial", "unset", "currentcolor", "none":
		return 0, false
	}
	if rest, found := strings.CutPrefix(value, "#"); found {
		return readHex(rest)
	}
	for _, function := range [...]string{"hsl(", "hsla("} {
		if rest, found := strings.CutPrefix(value, function); found {
			return readHSL(strings.TrimSuffix(rest, ")"))
		}
	}
	for _, function := range [...]string{"rgb(", "rgba("} {
		if rest, found := strings.CutPrefix(value, function); found {
			return readRGB(strings.TrimSuffix(rest, ")"))
		}
	}
	if len(value) == 6 {
		if c, ok := readHex(value); ok {
			return c, true
		}
	}
	return unknown, true // a name of many
}

func readHex(digits string) (colour, bool) {
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return 0, false
	}
	switch len(digits) {
	case 3:
		return colour(n>>8&0xf*0x110000 | n>>4&0xf*0x1100 | n&0xf*0x11), true
	case 6:
		return colour(n), true
	case 4:
		if n&0xf == 0 {
			return transparent, true
		}
		return readHex(digits[:3])
	case 8:
		if n&0xff < 0x10 {
			return transparent, true
		}
		return colour(n >> 8), true
	}
	return 0, false
}

func readRGB(inside string) (colour, bool) {
	parts := strings.FieldsFunc(inside, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if len(parts) < 3 || len(parts) > 4 {
		return 0, false
	}
	var c colour
	for _, part := range parts[:3] {
		n, err := strconv.ParseFloat(strings.TrimSuffix(part, "%"), 64)
		if err != nil {
			return 0, false
		}
		if strings.HasSuffix(part, "%") {
			n = n * 255 / 100
		}
		c = c<<8 | colour(min(max(n, 0), 255))
	}
	if len(parts) == 4 {
		if alpha, err := strconv.ParseFloat(strings.TrimSuffix(parts[3], "%"), 64); err == nil && alpha < 0.05 {
			return transparent, true
		}
	}
	return c, true
}

// readHSL reads what is white, black, grey or invisible by its lightness; other hues cannot be told.
func readHSL(inside string) (colour, bool) {
	parts := strings.FieldsFunc(inside, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if len(parts) < 3 || len(parts) > 4 {
		return 0, false
	}
	if len(parts) == 4 {
		if alpha, err := strconv.ParseFloat(strings.TrimSuffix(parts[3], "%"), 64); err == nil && alpha < 0.05 {
			return transparent, true
		}
	}
	saturation, err := strconv.ParseFloat(strings.TrimSuffix(parts[1], "%"), 64)
	lightness, lightErr := strconv.ParseFloat(strings.TrimSuffix(parts[2], "%"), 64)
	if err != nil || lightErr != nil {
		return 0, false
	}
	if saturation > 3 && lightness > 2 && lightness < 98 {
		return unknown, true
	}
	grey := colour(min(max(lightness, 0), 100) * 2.55)
	return grey<<16 | grey<<8 | grey, true
}
