package mail

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"

	"almanac/graph/model"
)

// charsetReader decodes a charset by its name, as browsers know them.
func charsetReader(charset string, input io.Reader) (io.Reader, error) {
	encoding, err := htmlindex.Get(charset)
	if err != nil {
		return nil, fmt.Errorf("charset %.40q: %w", charset, err)
	}
	return transform.NewReader(input, encoding.NewDecoder()), nil
}

// maxContent is how many bytes of one part are read as text. A message has 25 MB at most, and nobody writes a hundredth
// of that.
const maxContent = 4 << 20

// contentText returns a part's content as valid UTF-8 with newlines, and whether it was too long to be all of it. Gmail
// gives UTF-8 whatever the part's header says; where it is not, the header's charset is believed.
func contentText(part *model.EmailPart) (text string, cut bool) {
	content := part.Content
	if len(content) > maxContent {
		content, cut = content[:maxContent], true
		for i := 0; i < utf8.UTFMax && len(content) > 0 && !utf8.RuneStart(part.Content[len(content)]); i++ {
			content = content[:len(content)-1]
		}
	}
	if utf8.Valid(content) {
		text = string(content)
	} else {
		text = transcoded(content, Header(part.Headers, "Content-Type"))
	}
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.ContainsAny(text, "\r\x00") {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(text)
	}
	return text, cut
}

func transcoded(content []byte, contentType string) string {
	_, named := parameters(contentType)
	if encoding, err := htmlindex.Get(named["charset"]); err == nil {
		if name, _ := htmlindex.Name(encoding); name != "utf-8" && name != "replacement" {
			if decoded, err := encoding.NewDecoder().Bytes(content); err == nil {
				return strings.ToValidUTF8(string(decoded), "\ufffd")
			}
		}
	}
	return strings.ToValidUTF8(string(content), "\ufffd")
}
