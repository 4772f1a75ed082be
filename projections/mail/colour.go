package mail

import (
	"math"
	"strconv"
	"strings"
	"sync"
)

// colour is a colour as 0xRRGGBB, or one that cannot be told.
type colour int32

const (
	unknown colour = -1
	// transparent is no colour at all.
	transparent colour = -2
	black       colour = 0
	white       colour = 0xffffff
	// linkBlue is what links have where nothing says otherwise.
	linkBlue colour = 0x0000ee
)

// near reports whether people cannot tell two colours apart.
func (c colour) near(other colour) bool {
	const apart = 16 // of 256, in each of red, green and blue
	for shift := 0; shift <= 16; shift += 8 {
		difference := (c>>shift)&0xff - (other>>shift)&0xff
		if difference > apart || difference < -apart {
			return false
		}
	}
	return true
}

// over is a colour of some opacity, 0 to 1, in front of another.
func (c colour) over(behind colour, opacity float64) colour {
	switch {
	case c < 0 || opacity >= 1:
		return c
	case behind < 0:
		return behind
	}
	var mixed colour
	for shift := 0; shift <= 16; shift += 8 {
		front, back := float64((c>>shift)&0xff), float64((behind>>shift)&0xff)
		mixed |= colour(front*opacity+back*(1-opacity)) << shift
	}
	return mixed
}

// readColour reads a colour with its opacity (CSS Color, 4). Ok is false for what is none, which browsers leave out.
// Functions whose colour is not computed here are unknown.
func readColour(value string) (c colour, opacity float64, ok bool) {
	value = strings.TrimSpace(value)
	if c, ok = colourNames()[value]; ok {
		return c, 1, true
	}
	if value == "transparent" {
		return transparent, 0, true
	}
	if digits, found := strings.CutPrefix(value, "#"); found {
		return readHex(digits)
	}
	name, inside, found := strings.Cut(value, "(")
	if !found {
		return 0, 0, false
	}
	inside = strings.TrimSuffix(inside, ")")
	switch name {
	case "rgb", "rgba":
		if c, opacity, ok = readRGB(inside); ok {
			return c, opacity, true
		}
	case "hsl", "hsla":
		if c, opacity, ok = readHSL(inside); ok {
			return c, opacity, true
		}
	}
	return unknown, 1, true
}

// readOldColour reads a colour of an attribute, of which HTML makes one whatever it is (HTML, 2.3.6).
func readOldColour(value string) (c colour, ok bool) {
	value = strings.ToLower(strings.Trim(value, " \t\n\r\f"))
	if value == "" || value == "transparent" {
		return 0, false
	}
	if c, ok := colourNames()[value]; ok {
		return c, true
	}
	if len(value) == 4 && value[0] == '#' {
		if c, _, ok := readHex(value[1:]); ok {
			return c, true
		}
	}
	digits := []byte(strings.TrimPrefix(value, "#"))
	for i := range digits {
		if !isHex(digits[i]) {
			digits[i] = '0'
		}
	}
	digits = digits[:min(len(digits), 128)]
	for len(digits) == 0 || len(digits)%3 != 0 {
		digits = append(digits, '0')
	}
	each := len(digits) / 3
	parts := [3]string{string(digits[:each]), string(digits[each : 2*each]), string(digits[2*each:])}
	for i := range parts {
		parts[i] = parts[i][max(0, len(parts[i])-8):]
	}
	for len(parts[0]) > 2 && parts[0][0] == '0' && parts[1][0] == '0' && parts[2][0] == '0' {
		for i := range parts {
			parts[i] = parts[i][1:]
		}
	}
	for _, part := range parts {
		n, err := strconv.ParseUint(part[:min(2, len(part))], 16, 16)
		if err != nil {
			return 0, false
		}
		c = c<<8 | colour(n)
	}
	return c, true
}

func readHex(digits string) (c colour, opacity float64, ok bool) {
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return 0, 0, false
	}
	short := func(n uint64) colour { return colour(n>>8&0xf*0x110000 | n>>4&0xf*0x1100 | n&0xf*0x11) }
	switch len(digits) {
	case 3:
		return short(n), 1, true
	case 4:
		return short(n >> 4), float64(n&0xf) / 15, true
	case 6:
		return colour(n), 1, true
	case 8:
		return colour(n >> 8), float64(n&0xff) / 255, true
	}
	return 0, 0, false
}

// parts splits what is in the brackets of a colour: three components, and the opacity, 1 when there is none.
func colourParts(inside string) (components []string, opacity float64, ok bool) {
	fields := strings.FieldsFunc(inside, func(r rune) bool { return r == ',' || r == ' ' || r == '/' })
	if len(fields) < 3 || len(fields) > 4 {
		return nil, 0, false
	}
	if opacity = 1; len(fields) == 4 {
		if opacity, ok = fraction(fields[3]); !ok {
			return nil, 0, false
		}
	}
	return fields[:3], opacity, true
}

// fraction reads a number, or a part of a hundred.
func fraction(value string) (n float64, ok bool) {
	number, percent := strings.CutSuffix(value, "%")
	n, err := strconv.ParseFloat(number, 64)
	if percent {
		n /= 100
	}
	return n, err == nil && !math.IsNaN(n)
}

func readRGB(inside string) (c colour, opacity float64, ok bool) {
	components, opacity, ok := colourParts(inside)
	if !ok {
		return 0, 0, false
	}
	for _, one := range components {
		n, ok := fraction(one)
		if !ok {
			return 0, 0, false
		}
		if strings.HasSuffix(one, "%") {
			n *= 255
		}
		c = c<<8 | colour(min(max(n, 0), 255))
	}
	return c, opacity, true
}

func readHSL(inside string) (c colour, opacity float64, ok bool) {
	components, opacity, ok := colourParts(inside)
	if !ok {
		return 0, 0, false
	}
	hue, err := strconv.ParseFloat(strings.TrimSuffix(components[0], "deg"), 64)
	if err != nil {
		return 0, 0, false
	}
	var parts [2]float64
	for i := range parts {
		if parts[i], err = strconv.ParseFloat(strings.TrimSuffix(components[i+1], "%"), 64); err != nil {
			return 0, 0, false
		}
		parts[i] = min(max(parts[i]/100, 0), 1)
	}
	saturation, lightness := parts[0], parts[1]
	for _, n := range [...]float64{0, 8, 4} { // CSS Color, 7.1
		k := math.Mod(math.Mod(n+hue/30, 12)+12, 12)
		level := lightness - saturation*min(lightness, 1-lightness)*max(-1, min(k-3, 9-k, 1))
		c = c<<8 | colour(math.Round(level*255))
	}
	return c, opacity, true
}

// colourNames are the names of colours (CSS Color, 6.1), and of those that a light system gives its parts (6.2).
var colourNames = sync.OnceValue(func() map[string]colour {
	names := map[string]colour{}
	fields := strings.Fields(`aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc
		bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887
		cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc
		crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400
		darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc
		darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f
		darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969
		dimgrey 696969 dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff
		gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f
		grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c
		lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080
		lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1
		lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899
		lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000
		mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371
		mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970
		mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000
		olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
		paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd
		powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1
		saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0
		skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f steelblue 4682b4
		tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff
		whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32
		canvas ffffff canvastext 000000 field ffffff fieldtext 000000 window ffffff windowtext 000000 background ffffff
		buttonface efefef threedface ffffff buttonhighlight ffffff threedhighlight ffffff infobackground ffffff
		menu ffffff scrollbar ffffff activecaption ffffff inactivecaption ffffff appworkspace ffffff
		highlighttext 000000 buttontext 000000 menutext 000000 captiontext 000000 infotext 000000
		linktext 0000ee visitedtext 551a8b activetext ff0000 graytext 808080`)
	for i := 0; i+1 < len(fields); i += 2 {
		n, err := strconv.ParseUint(fields[i+1], 16, 32)
		if err == nil {
			names[fields[i]] = colour(n)
		}
	}
	return names
})
