package mail

import (
	"mime"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"almanac/graph/model"
)

// Attachment is a file that hangs on a message.
type Attachment struct {
	// PartID is its place in the message.
	PartID string
	// Filename is safe (SafeName); empty when it has none.
	Filename string
	// MIMEType is what the sender says it is, in lower case, without parameters.
	MIMEType string
	// Size is in bytes.
	Size   int64
	Inline bool
	// ContentID is without angle brackets; empty when it has none.
	ContentID string
}

// Attachments returns the files of a message in their order: what has a name or says that it is one, and what is
// neither text nor a container. A message within the message is one file; nothing inside of it is looked at. Inline is
// what has a Content-ID and stands with the HTML that shows it (multipart/related) or is disposed so; it does not
// depend on contents, so the same message always has the same answer. It never returns nil.
func Attachments(root *model.EmailPart) []Attachment {
	found := []Attachment{}
	if root != nil {
		collect(root, false, maxDepth, &found)
	}
	return found
}

// maxDepth is how deep a tree of parts is looked into.
const maxDepth = 100

func collect(part *model.EmailPart, related bool, depth int, found *[]Attachment) {
	if !isFile(part) {
		if depth == 0 {
			return
		}
		for i := range part.Parts {
			collect(&part.Parts[i], part.MIMEType == "multipart/related" || related && isContainer(part), depth-1, found)
		}
		return
	}
	disposition, _ := parameters(Header(part.Headers, "Content-Disposition"))
	file := Attachment{PartID: part.ID, Filename: fileName(part), MIMEType: mediaType(part.MIMEType), Size: part.Size,
		ContentID: contentID(part)}
	file.Inline = file.ContentID != "" && disposition != "attachment" && (related || disposition == "inline")
	*found = append(*found, file)
}

func isContainer(part *model.EmailPart) bool { return strings.HasPrefix(part.MIMEType, "multipart/") }

// isFile reports whether a part is a file and no text to be read.
func isFile(part *model.EmailPart) bool {
	if isContainer(part) {
		return false
	}
	if part.Filename != "" || part.Attachment || !isText(part.MIMEType) {
		return true
	}
	disposition, _ := parameters(Header(part.Headers, "Content-Disposition"))
	return disposition == "attachment" || fileName(part) != ""
}

// isText reports whether people read a type in a message. An invitation is a file: what it says stands in the other
// parts.
func isText(kind string) bool {
	return kind == "" || strings.HasPrefix(kind, "text/") && kind != "text/calendar" && kind != "text/x-vcard" &&
		kind != "text/vcard" && kind != "text/rfc822-headers" && kind != "text/x-amp-html"
}

func contentID(part *model.EmailPart) string {
	id := strings.Map(func(r rune) rune {
		if r <= ' ' || r == 0x7f || isOverride(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(Header(part.Headers, "Content-ID"), ""))
	id, _ = Cut(strings.TrimSuffix(strings.TrimPrefix(id, "<"), ">"), maxName)
	return id
}

func mediaType(kind string) string {
	if kind == "" {
		return "text/plain"
	}
	return kind
}

// parameters reads a header such as Content-Disposition (RFC 2045, 5.1; RFC 2231), as much of it as is sound.
func parameters(value string) (kind string, named map[string]string) {
	if len(value) > maxValue {
		value = value[:maxValue]
	}
	kind, named, err := mime.ParseMediaType(value)
	if err != nil && kind == "" {
		kind, _, _ = strings.Cut(value, ";")
		kind = strings.ToLower(strings.TrimSpace(kind))
	}
	return kind, named
}

// fileName is a part's name: Gmail's, else that of its headers. What is invitation or message without a name gets one,
// so that it can be opened.
func fileName(part *model.EmailPart) string {
	name := part.Filename
	if name == "" {
		if _, named := parameters(Header(part.Headers, "Content-Disposition")); named["filename"] != "" {
			name = named["filename"]
		} else if _, named := parameters(Header(part.Headers, "Content-Type")); named["name"] != "" {
			name = named["name"]
		}
	}
	name = SafeName(Plain(percentName(name)))
	switch {
	case part.MIMEType == "message/rfc822" && !strings.HasSuffix(strings.ToLower(name), ".eml"):
		if name == "" {
			name = "message"
		}
		return name + ".eml"
	case part.MIMEType == "text/calendar" && name == "":
		return "invite.ics"
	}
	return name
}

// percentName decodes what is left of a name of RFC 2231 where somebody has taken it for a plain one: utf-8”%D7%90.txt.
func percentName(name string) string {
	charset, rest, found := strings.Cut(name, "'")
	if _, text, ok := strings.Cut(rest, "'"); found && ok && strings.EqualFold(charset, "utf-8") {
		_, named, err := mime.ParseMediaType("x; n*=utf-8''" + strings.Map(tokenOnly, text))
		if err == nil && utf8.ValidString(named["n"]) && named["n"] != "" {
			return named["n"]
		}
	}
	return name
}

func tokenOnly(r rune) rune {
	if r <= ' ' || r >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?=`, r) {
		return '_'
	}
	return r
}

// maxFileName is how many characters of a name are kept, and the bytes that all file systems hold.
const (
	maxFileName      = 200
	maxFileNameBytes = 240
)

// SafeName returns a file's name without anything that could lead out of a folder, hide what it is, or fail to be a
// name on some system; empty when nothing is left. A long name keeps its extension. It changes nothing about a safe
// name.
func SafeName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == joiner:
			return r // emoji are made with it
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r),
			strings.ContainsRune(`/\:*?"<>|`, r), r == utf8.RuneError:
			return '_'
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(name, "_"))
	name = trimName(name)
	extension := path.Ext(name)
	if len(extension) > 20 || extension == name {
		extension = ""
	}
	stem, _ := Cut(strings.TrimSuffix(name, extension), maxFileName-utf8.RuneCountInString(extension))
	for len(stem)+len(extension) > maxFileNameBytes {
		stem, _ = Cut(stem, utf8.RuneCountInString(stem)-1)
	}
	if stem != strings.TrimSuffix(name, extension) {
		name = trimName(strings.TrimRight(stem, " .") + extension)
	}
	if strings.Trim(name, "_ .") == "" {
		return ""
	}
	if isDevice(name) {
		return "_" + name
	}
	return name
}

// trimName takes away what Windows does not keep at the end of a name, and what hides a file elsewhere.
func trimName(name string) string { return strings.Trim(name, " .") }

// isDevice reports whether a name is a device on Windows, with any extension.
func isDevice(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	stem = strings.ToUpper(strings.TrimSpace(stem))
	switch stem {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	if len(stem) < 4 || stem[:3] != "COM" && stem[:3] != "LPT" {
		return false
	}
	switch stem[3:] {
	case "1", "2", "3", "4", "5", "6", "7", "8", "9", "\u00b9", "\u00b2", "\u00b3":
		return true
	}
	return false
}
