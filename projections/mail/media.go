package mail

import "strings"

// The widths of the windows, in pixels, in which mails are taken to be read. What is hidden on a telephone alone is
// seen.
const (
	narrowWindow = 1_024
	wideWindow   = 1_920
)

// mediaAnswer reports whether a list of media queries holds where mails are read: on a screen, in a wide window, with
// light colours.
func mediaAnswer(list string) answer {
	held := no
	for one := range strings.SplitSeq(unescaped(list), ",") {
		held = max(held, mediaQuery(strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(one))))
	}
	return held
}

// mediaQuery reads one query: a kind of screen, conditions in brackets, or both, joined by "and". What is none of these
// is left out by browsers, as those are that do not know it.
func mediaQuery(words []string) answer {
	if len(words) == 0 {
		return yes
	}
	held, negated, joined := yes, false, true
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case i == 0 && (word == "not" || word == "only") && len(words) > 1 && words[1] != "(":
			negated = word == "not"
		case word == "and" && !joined:
			joined = true
			continue
		case word == "(" && joined:
			end := i + 1
			for end < len(words) && words[end] != ")" && words[end] != "(" {
				end++
			}
			if end == len(words) || words[end] == "(" {
				return maybe
			}
			held = held.and(mediaFeature(strings.Join(words[i+1:end], " ")))
			i, joined = end, false
		case joined && (i == 0 || i == 1 && (words[0] == "not" || words[0] == "only")):
			switch word {
			case "all", "screen":
			case "print", "speech", "tty", "tv", "projection", "handheld", "braille", "embossed", "aural":
				held = no
			default:
				held = held.and(maybe)
			}
			joined = false
		default:
			return maybe
		}
	}
	if joined {
		return maybe
	}
	if negated {
		return held.not()
	}
	return held
}

func mediaFeature(feature string) answer {
	name, value, _ := strings.Cut(feature, ":")
	name, value = trimCSS(name), trimCSS(value)
	n, unit, isLength := measure(value)
	pixels := n * pixelsOf(unit)
	isLength = isLength && (unit != "" || n == 0) && unit != "%"
	switch name {
	case "min-width", "min-device-width":
		return within(isLength, pixels <= narrowWindow, pixels > wideWindow)
	case "max-width", "max-device-width":
		return within(isLength, pixels >= wideWindow, pixels < narrowWindow)
	case "prefers-color-scheme":
		switch value {
		case "dark":
			return no
		case "light", "":
			return yes
		}
	case "hover", "any-hover":
		if value == "none" {
			return no
		}
	}
	return maybe
}

func within(known, surely, never bool) answer {
	switch {
	case !known:
		return maybe
	case surely:
		return yes
	case never:
		return no
	}
	return maybe
}
