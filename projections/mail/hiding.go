package mail

import (
	"math"
	"strconv"
	"strings"
)

// effect is what a value makes of an element.
type effect uint8

const (
	// left is for values that are none, which browsers leave out, so that what was declared before them counts.
	left effect = iota
	shows
	hidesIt
)

func hidesIf(hides bool) effect {
	if hides {
		return hidesIt
	}
	return shows
}

// box is what several properties of an element come to together.
type box struct {
	clipped, flat, away, placed, borderBox bool
	height, width, above, indent, start    float64
	// clamp is how many lines are shown at most, oneLine that none is broken.
	clamp   int
	oneLine bool
	// opacity, zoom and scale are what is multiplied with those around, size the size of the letters around.
	opacity, zoom, scale, size float32
}

// hiding reports whether declarations keep an element from being seen. Of two for one property the later one counts
// that is a value at all. What is not understood hides where ordinary mails do not have it, and shows where they do.
func hiding(style []declaration, p *paint) bool {
	is := map[string]effect{} // by what decides on it
	b := box{height: math.Inf(1), width: math.Inf(1), opacity: 1, zoom: 1, scale: 1, size: p.size,
		oneLine: p.oneLine}
	for _, d := range style {
		if e := effectOf(d, p, &b); e != left {
			is[d.property] = e
		}
	}
	p.opacity *= b.opacity
	p.scale *= b.zoom * b.scale
	p.oneLine = b.oneLine
	p.room = b.room(p.size)
	for _, e := range is {
		if e == hidesIt {
			return true
		}
	}
	return b.flat && b.clipped || b.away && b.placed || b.indent+max(b.start, 0) <= -40 ||
		b.clipped && b.borderBox && b.above >= b.height-tooSmall
}

func effectOf(d declaration, p *paint, b *box) effect {
	v := d.value
	if e := b.take(d); e != left {
		return e
	}
	switch d.property {
	case "display":
		return display(v)
	case "visibility", "content-visibility":
		return oneOf(v, "hidden collapse", "visible auto inherit initial unset")
	case "opacity", "zoom":
		return opacityOf(d, b)
	case "mso-hide":
		return oneOf(v, "all", "none")
	case "font-size":
		p.resize(v, b.size)
	case "font":
		p.resizeFont(v, b.size)
	case "font-size-adjust":
		n, err := strconv.ParseFloat(v, 64)
		return hidesIf(err == nil && n < 0.2)
	case "color":
		p.setColor(v)
	case "-webkit-text-fill-color":
		p.fill(v)
	case "background-color":
		p.setBackground(v)
	case "background-image":
		p.setPicture(v)
	case "background":
		p.setAll(v)
	case "letter-spacing", "word-spacing":
		n, unit, ok := measure(v)
		n *= pixelsOf(unit)
		return hidesIf(ok && (n <= -4 || n >= 500))
	case "clip":
		return hidesIf(strings.HasPrefix(v, "rect"))
	case "clip-path", "-webkit-clip-path", "mask", "-webkit-mask", "mask-image", "-webkit-mask-image", "offset-path",
		"mask-border", "-webkit-mask-box-image":
		return hidesIf(!isOff(v))
	case "filter", "-webkit-filter":
		return filter(v)
	case "transform", "-webkit-transform", "-ms-transform", "translate", "scale", "rotate":
		return transformed(d, b)
	case "mix-blend-mode":
		return hidesIf(v != "normal" && !isOff(v))
	case "-webkit-text-security":
		return hidesIf(!isOff(v))
	case "-webkit-text-stroke", "-webkit-text-stroke-width":
		return hidesIf(longest(v) > 1)
	case "text-decoration", "text-decoration-thickness":
		return hidesIf(longest(v) > 4)
	case "box-shadow", "-webkit-box-shadow":
		return hidesIf(strings.Contains(v, "inset") && longest(v) > 8)
	case "content":
		return hidesIf(strings.Contains(v, "("))
	case "z-index":
		return hidesIf(strings.HasPrefix(v, "-"))
	case "unicode-bidi":
		return hidesIf(strings.HasSuffix(v, "-override"))
	}
	return left
}

// isOff reports whether a value says that there is nothing of the kind.
func isOff(value string) bool {
	switch value {
	case "", "none", "initial", "unset", "inherit", "revert", "normal", "revert-layer":
		return true
	}
	return false
}

func oneOf(value, hides, shown string) effect {
	is := func(words string) bool { return strings.Contains(" "+words+" ", " "+value+" ") && value != "" }
	switch {
	case is(hides), strings.Contains(value, "("):
		return hidesIt
	case is(shown), isOff(value):
		return shows
	}
	return left
}

func display(value string) effect {
	switch value {
	case "none", "table-column", "table-column-group":
		return hidesIt
	case "block", "inline", "inline-block", "flow-root", "contents", "list-item", "run-in", "table", "inline-table",
		"table-row", "table-cell", "table-row-group", "table-header-group", "table-footer-group", "table-caption", "flex",
		"inline-flex", "grid", "inline-grid", "-webkit-box", "-webkit-flex", "-webkit-inline-box", "-ms-flexbox",
		"inherit", "initial", "unset", "revert", "revert-layer":
		return shows
	}
	return hidesOr(strings.Contains(value, "("), left)
}

func hidesOr(hides bool, other effect) effect {
	if hides {
		return hidesIt
	}
	return other
}

// opacityOf takes opacity and zoom, which are multiplied with those around.
func opacityOf(d declaration, b *box) effect {
	n, ok := fraction(d.value)
	switch {
	case strings.Contains(d.value, "("):
		nothing, _ := computed(d.value)
		return hidesIf(nothing || !strings.HasPrefix(d.value, "calc("))
	case !ok && isOff(d.value):
		return shows
	case !ok:
		return left
	case d.property == "opacity":
		b.opacity = float32(min(max(n, 0), 1))
		return hidesIf(n < tooFaint)
	}
	if n > 0 {
		b.zoom = float32(n)
	}
	return hidesIf(n > 0 && n < 0.1)
}

// filter knows the functions that leave letters to be read.
func filter(value string) effect {
	if isOff(value) {
		return shows
	}
	for function := range fieldsOutside(value, ' ') {
		name, inside, found := strings.Cut(strings.TrimSuffix(function, ")"), "(")
		n, ok := fraction(inside)
		switch name {
		case "drop-shadow", "grayscale", "sepia", "saturate", "hue-rotate":
			ok = true
		case "opacity":
			ok = ok && n >= tooFaint
		case "brightness", "contrast":
			ok = ok && n >= 0.6 && n <= 1.5
		case "alpha": // of Internet Explorer, which says opacity beside it
			ok = true
		default:
			ok = !found
		}
		if !ok {
			return hidesIt
		}
	}
	return shows
}

// transformed knows what leaves letters in the window, not turned away and not too small.
func transformed(d declaration, b *box) effect {
	v := d.value
	if isOff(v) {
		return shows
	}
	switch d.property {
	case "translate":
		return hidesIf(isFar(v) || strings.Contains(v, "("))
	case "rotate":
		_, after, several := strings.Cut(v, " ")
		return hidesIf(several || after != "" || strings.Contains(v, "("))
	case "scale":
		v = "scale(" + strings.ReplaceAll(v, " ", ",") + ")"
	}
	for function := range fieldsOutside(strings.ReplaceAll(v, ")", ") "), ' ') {
		name, inside, _ := strings.Cut(strings.TrimSuffix(function, ")"), "(")
		switch name {
		case "rotate", "rotatez", "perspective", "skew", "skewx", "skewy":
			if n, _, ok := measureAngle(inside); name != "rotate" && name != "rotatez" && name != "perspective" &&
				(!ok || math.Abs(n) > 60) {
				return hidesIt
			}
		case "translate", "translatex", "translatey", "translatez", "translate3d":
			if isFar(inside) || strings.Contains(inside, "(") {
				return hidesIt
			}
		case "scale", "scalex", "scaley":
			least := 1.0
			for part := range fieldsOutside(inside, ',') {
				n, ok := fraction(trimCSS(part))
				if !ok || math.Abs(n) < 0.1 {
					return hidesIt
				}
				least = min(least, math.Abs(n))
			}
			b.scale = min(b.scale, float32(least))
		default:
			return hidesIt
		}
	}
	return shows
}

func measureAngle(value string) (n float64, unit string, ok bool) {
	number := strings.TrimSuffix(trimCSS(value), "deg")
	n, err := strconv.ParseFloat(number, 64)
	return n, "deg", err == nil
}

// isBetween reports whether a character stands between the numbers of a value.
func isBetween(r rune) bool { return r == ' ' || r == ',' || r == '(' || r == ')' }

// longest returns the largest length of a value, in pixels.
func longest(value string) (most float64) {
	for part := range strings.FieldsFuncSeq(value, isBetween) {
		if n, unit, ok := measure(part); ok && unit != "%" {
			most = max(most, n*pixelsOf(unit))
		}
	}
	return most
}

// take notes what hides an element together with something else.
func (b *box) take(d declaration) effect {
	v := d.value
	n, unit, isLength := measure(v)
	n *= pixelsOf(unit)
	nothing, isComputed := computed(v)
	switch d.property {
	case "max-height", "max-width", "height", "width", "block-size", "inline-size", "max-block-size", "max-inline-size",
		"grid-template-rows", "grid-template-columns", "flex-basis":
		share := unit == "%"
		b.flat = b.flat || isLength && n >= 0 && (!share && n <= 4 || share && n <= 0.16) || isComputed && nothing
		if isLength && !share {
			switch d.property {
			case "height", "max-height", "block-size", "max-block-size":
				b.height = min(b.height, n)
			case "width", "max-width", "inline-size", "max-inline-size":
				b.width = min(b.width, n)
			}
		}
	case "-webkit-line-clamp", "line-clamp", "white-space", "text-wrap", "text-wrap-mode", "white-space-collapse":
		switch v {
		case "nowrap", "pre":
			b.oneLine = true
		case "normal", "pre-wrap", "pre-line", "wrap", "break-spaces", "initial", "balance", "pretty":
			b.oneLine = false
		}
		if n, err := strconv.Atoi(v); err == nil && n > 0 {
			b.clamp = n
		}
	case "flex":
		for part := range fieldsOutside(v, ' ') { // the last one is its size, the others have no unit
			n, unit, ok := measure(part)
			b.flat = b.flat || ok && unit != "" && n*pixelsOf(unit) <= tooSmall
		}
	case "line-height":
		b.flat = b.flat || isLength && n <= 4 && (unit != "" || n <= 0.25)
	case "overflow", "overflow-x", "overflow-y", "overflow-block", "overflow-inline":
		for _, word := range [...]string{"hidden", "clip", "auto", "scroll", "overlay"} {
			b.clipped = b.clipped || strings.Contains(v, word)
		}
	case "contain":
		for _, word := range [...]string{"paint", "strict", "content"} {
			b.clipped = b.clipped || strings.Contains(v, word)
		}
		b.flat = b.flat || strings.Contains(v, "size") || strings.Contains(v, "strict")
	case "box-sizing":
		b.borderBox = v == "border-box"
	case "padding", "padding-top", "padding-block-start", "padding-block":
		first, _, _ := strings.Cut(v, " ")
		b.above = longest(first)
	case "text-indent":
		if isLength || strings.Contains(v, "(") {
			first, _, _ := strings.Cut(v, " ")
			n, unit, _ := measure(first)
			percent := n
			n *= pixelsOf(unit)
			b.indent = n
			return hidesIf(n >= 500 || unit == "%" && math.Abs(percent) >= 50 || strings.Contains(v, "("))
		}
	case "margin-left", "margin-inline-start", "padding-left", "padding-inline-start":
		b.start += n
	}
	b.place(d)
	return left
}

// place notes what leads out of the window.
func (b *box) place(d declaration) {
	v := d.value
	switch p := d.property; p {
	case "position":
		b.placed = b.placed || v == "absolute" || v == "fixed" || v == "relative" || v == "sticky"
	case "left", "top", "right", "bottom", "inset", "inset-inline", "inset-block", "inset-inline-start",
		"inset-inline-end", "inset-block-start", "inset-block-end":
		for part := range fieldsOutside(v, ' ') {
			n, unit, ok := measure(part)
			percent := n
			n *= pixelsOf(unit)
			b.away = b.away || ok && unit != "%" && (n <= -60 || n >= narrowWindow) ||
				ok && unit == "%" && (percent <= -50 || percent >= 100) || strings.Contains(part, "(")
		}
	default:
		if strings.HasPrefix(p, "margin") && isFar(v) {
			b.away, b.placed = true, true
		}
	}
}

// isFar reports whether one of the lengths in a value leads out of the window.
func isFar(value string) bool {
	for part := range strings.FieldsFuncSeq(value, isBetween) {
		n, unit, ok := measure(part)
		switch {
		case !ok:
		case unit == "%":
			if n <= -100 || n >= 400 {
				return true
			}
		case n*pixelsOf(unit) <= -100 || n*pixelsOf(unit) >= narrowWindow:
			return true
		}
	}
	return false
}

// length reads a length in pixels, roughly. Ok is false for what is none.
func length(value string) (pixels float64, ok bool) {
	n, unit, ok := measure(value)
	return n * pixelsOf(unit), ok
}
