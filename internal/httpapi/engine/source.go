package engine

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/lexer"
)

// countTokens reads the document's tokens up to one beyond the limit, in time linear to the text read. A text that
// is no GraphQL stops the count; the parser then says why.
func (e *Engine) countTokens(query string) (int, *gqlerror.Error) {
	lex := lexer.New(&ast.Source{Input: query})
	for count := 1; ; count++ {
		token, err := lex.ReadToken()
		if err != nil || token.Kind == lexer.EOF {
			return count, nil //nolint:nilerr // the parser meets the same error and says it with its place
		}
		if count > e.limits.Tokens {
			return count, tooExpensive(limitTokens, int64(count), int64(e.limits.Tokens), true,
				"Split the request, or move values into variables.")
		}
		if token.Kind == lexer.Name && len(token.Value) > e.limits.NameBytes {
			return count, tooExpensive(limitNames, int64(len(token.Value)), int64(e.limits.NameBytes), false,
				"No name of the schema is that long.")
		}
	}
}

// plainEscapes rewrites the \u escapes of the document's strings that the parser reads wrongly: surrogate pairs and
// the braced form of the GraphQL specification (September 2025, section 2.10.4) become the character itself, and
// half of a pair is refused. Columns in later errors of such a line are those of the rewritten text.
func plainEscapes(query string) (string, *gqlerror.Error) {
	if !strings.Contains(query, `\u`) {
		return query, nil
	}
	out := make([]byte, 0, len(query))
	for at := 0; at < len(query); {
		end, kind := nextRegion(query, at)
		if kind != quoted {
			out = append(out, query[at:end]...)
			at = end
			continue
		}
		var wrong int
		if out, wrong = appendPlain(out, query[at:end]); wrong >= 0 {
			return "", surrogateError(query, at+wrong)
		}
		at = end
	}
	return string(out), nil
}

type region int

const (
	code region = iota
	quoted
	verbatim // comments and block strings, where \u is only text
)

// nextRegion returns where the region that starts at the byte ends, and its kind.
func nextRegion(query string, at int) (end int, kind region) {
	rest := query[at:]
	switch {
	case rest[0] == '#':
		if i := strings.IndexAny(rest, "\n\r"); i >= 0 {
			return at + i, verbatim
		}
		return len(query), verbatim
	case strings.HasPrefix(rest, `"""`):
		for i := 3; i < len(rest); i++ {
			switch {
			case strings.HasPrefix(rest[i:], `\"""`):
				i += 3
			case strings.HasPrefix(rest[i:], `"""`):
				return at + i + 3, verbatim
			}
		}
		return len(query), verbatim
	case rest[0] == '"':
		for i := 1; i < len(rest); i++ {
			switch rest[i] {
			case '\\':
				i++
			case '"':
				return at + i + 1, quoted
			case '\n', '\r':
				return at + i, quoted
			}
		}
		return len(query), quoted
	default:
		if i := strings.IndexAny(rest, `#"`); i >= 0 {
			return at + i, code
		}
		return len(query), code
	}
}

// appendPlain appends a quoted string with its escapes made plain; wrong is where half of a pair stands, or -1.
func appendPlain(out []byte, text string) (_ []byte, wrong int) {
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			i++
			continue
		}
		r, width := unicodeEscape(text[i:])
		switch {
		case width == 0: // another escape, or none that the parser will accept
			out = append(out, text[i:i+2]...)
			i += 2
			continue
		case utf16.IsSurrogate(r):
			low, lowWidth := unicodeEscape(text[i+width:])
			r = utf16.DecodeRune(r, low)
			if width != 6 || lowWidth != 6 || r == utf8.RuneError {
				return out, i
			}
			width += lowWidth
		}
		if r < ' ' || r == '"' || r == '\\' {
			out = append(out, `\u00`...)
			out = append(out, "0123456789abcdef"[r>>4], "0123456789abcdef"[r&15])
		} else {
			out = utf8.AppendRune(out, r)
		}
		i += width
	}
	return out, -1
}

// unicodeEscape reads \uXXXX or \u{X…} at the start of the text; width 0 when there is none that is well formed.
func unicodeEscape(text string) (r rune, width int) {
	if !strings.HasPrefix(text, `\u`) {
		return 0, 0
	}
	digits, width := text[2:], 6
	if strings.HasPrefix(digits, "{") {
		end := strings.IndexByte(digits, '}')
		if end < 0 {
			return 0, 0
		}
		digits, width = digits[1:end], end+3
	} else if len(digits) >= 4 {
		digits = digits[:4]
	} else {
		return 0, 0
	}
	if strings.ContainsAny(digits, "+-_") {
		return 0, 0
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || n > utf8.MaxRune {
		return 0, 0
	}
	return rune(n), width
}

func surrogateError(query string, at int) *gqlerror.Error {
	before := query[:at]
	line := 1 + strings.Count(strings.ReplaceAll(before, "\r\n", "\n"), "\n")
	column := 1 + utf8.RuneCountInString(before[strings.LastIndexAny(before, "\n\r")+1:])
	return badInput(gqlerror.ErrorLocf("", line, column, "Syntax error: an escape is half of a surrogate pair."))
}
