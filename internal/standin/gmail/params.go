package gmail

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// maxParameters bounds those of one field.
const maxParameters = 200

// parameters reads "text/plain; charset=utf-8": the value in lower case, and its parameters with names in lower case,
// decoded (RFC 2045, 5.1; RFC 2231). Quotes may be missing, and of two of one name the first counts.
func parameters(text string) (value string, named map[string]string) {
	value, rest, _ := strings.Cut(text, ";")
	value = strings.ToLower(strings.TrimSpace(value))
	named = map[string]string{}
	pieces := map[string][]piece{}
	for range maxParameters {
		var name, given string
		var ok bool
		if name, given, rest, ok = parameter(rest); !ok {
			break
		}
		base, number, encoded := section(name)
		if number >= 0 || encoded {
			pieces[base] = append(pieces[base], piece{number: number, encoded: encoded, text: given})
		} else if _, known := named[base]; !known {
			named[base] = decoded(given)
		}
	}
	for name, list := range pieces { // they say it better than the plain form beside them
		named[name] = joinPieces(list)
	}
	return value, named
}

// piece is a section of a parameter (RFC 2231, 3).
type piece struct {
	number  int
	encoded bool
	text    string
}

// section reads "filename*1*".
func section(name string) (base string, number int, encoded bool) {
	base, rest, starred := strings.Cut(name, "*")
	if !starred {
		return name, -1, false
	}
	rest, trailing := strings.CutSuffix(rest, "*")
	if rest == "" {
		return base, 0, true
	}
	n, err := strconv.Atoi(rest)
	if err != nil || n < 0 || n > maxParameters {
		return name, -1, false
	}
	return base, n, trailing
}

func joinPieces(list []piece) string {
	sort.SliceStable(list, func(i, j int) bool { return list[i].number < list[j].number })
	charset := ""
	var raw []byte
	for i, p := range list {
		text := p.text
		if p.encoded && i == 0 {
			if parts := strings.SplitN(text, "'", 3); len(parts) == 3 {
				charset, text = parts[0], parts[2]
			}
		}
		if p.encoded {
			raw = append(raw, fromPercent(text)...)
		} else {
			raw = append(raw, text...)
		}
	}
	return clean(toUTF8(raw, charset))
}

func fromPercent(text string) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if high, low := unhex(text[i+1]), unhex(text[i+2]); high >= 0 && low >= 0 {
				out = append(out, byte(high<<4|low))
				i += 2
				continue
			}
		}
		out = append(out, text[i])
	}
	return out
}

// parameter reads one "name=value" and what follows its semicolon.
func parameter(text string) (name, value, rest string, ok bool) {
	var end int
	for {
		text = strings.TrimLeft(text, " \t;")
		if end = strings.IndexAny(text, "=;"); end < 0 {
			return "", "", "", false
		}
		if text[end] == '=' {
			break
		}
		text = text[end:] // a name without a value
	}
	name, text = strings.ToLower(strings.TrimSpace(text[:end])), strings.TrimLeft(text[end+1:], " \t")
	if !strings.HasPrefix(text, `"`) {
		value, rest, _ = strings.Cut(text, ";")
		return name, strings.TrimSpace(value), rest, true
	}
	var out strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			_, rest, _ = strings.Cut(text[i+1:], ";")
			return name, out.String(), rest, true
		case c == '\\' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
			out.WriteByte(text[i])
		default:
			out.WriteByte(c)
		}
	}
	return name, out.String(), "", true // the quote is never closed
}

// number reads a number of the query; absent is fallback.
func (r *request) number(name string, fallback int) (int, error) {
	text := r.call.Query.Get(name)
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0, invalid(fmt.Sprintf("Invalid value at '%s'", name))
	}
	return int(n), nil
}

// pageSize reads maxResults: 100 when absent or zero, 500 at most.
func (r *request) pageSize() (int, error) {
	const usual, most = 100, 500
	n, err := r.number("maxResults", usual)
	if n == 0 {
		n = usual
	}
	return min(n, most), err
}

// texts returns the strings of a list in a body.
func texts(body object, name string) []string {
	list, _ := body[name].([]any) // The front has judged the types.
	all := make([]string, 0, len(list))
	for _, item := range list {
		if text, ok := item.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

func textOf(body object, name string) string {
	text, _ := body[name].(string) // The front has judged the types.
	return text
}

func objectOf(body object, name string) object {
	inner, _ := body[name].(object) // The front has judged the types.
	return inner
}
