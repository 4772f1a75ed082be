package mail_test

import (
	"bytes"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"almanac/graph/model"
	"almanac/projections/mail"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Mails of our own making, as hard as those of others: what is read of each is held by a file beside it.
func TestCorpus(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/mails/*.eml")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d mails, %v", len(files), err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			message, err := netmail.ReadMessage(bytes.NewReader(raw))
			if err != nil {
				t.Fatal(err)
			}
			root := tree(t, "", map[string][]string(message.Header), message.Body)
			var b strings.Builder
			for _, format := range []model.BodyFormat{model.BodyClean, model.BodyText, model.BodyHTML} {
				fmt.Fprintf(&b, "=== %s\n%s\n", format, text(&root, format))
			}
			b.WriteString("=== FILES\n")
			for _, file := range mail.Attachments(&root) {
				fmt.Fprintf(&b, "%s %q %s inline=%v id=%q\n", file.PartID, file.Filename, file.MIMEType, file.Inline,
					file.ContentID)
			}
			golden := strings.TrimSuffix(name, ".eml") + ".golden"
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || b.String() != string(want) {
				t.Errorf("%v\n%s\nwant\n%s", err, b.String(), want)
			}
		})
	}
}

// tree reads a message as Gmail gives it: transfer encodings undone, a name and an id for each part.
func tree(t *testing.T, id string, headers map[string][]string, body io.Reader) model.EmailPart {
	t.Helper()
	var p model.EmailPart
	p.ID = id
	for name, values := range headers {
		for _, value := range values {
			p.Headers = append(p.Headers, model.EmailHeader{Name: name, Value: value})
		}
	}
	kind, named, err := mime.ParseMediaType(mail.Header(p.Headers, "Content-Type"))
	if err != nil {
		kind = "text/plain"
	}
	p.MIMEType = kind
	if _, disposition, err := mime.ParseMediaType(mail.Header(p.Headers, "Content-Disposition")); err == nil {
		p.Filename = disposition["filename"]
	}
	if strings.HasPrefix(kind, "multipart/") {
		reader := multipart.NewReader(body, named["boundary"])
		for i := 0; ; i++ {
			child, err := reader.NextRawPart()
			if err == io.EOF {
				return p
			}
			if err != nil {
				t.Fatal(err)
			}
			p.Parts = append(p.Parts,
				tree(t, strings.TrimPrefix(id+"."+strconv.Itoa(i), "."), map[string][]string(child.Header), child))
		}
	}
	if strings.EqualFold(mail.Header(p.Headers, "Content-Transfer-Encoding"), "base64") {
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	if p.Content, err = io.ReadAll(body); err != nil {
		t.Fatal(err)
	}
	p.Size = int64(len(p.Content))
	if p.Attachment = p.Filename != "" || !strings.HasPrefix(kind, "text/"); p.Attachment {
		p.Content = nil
	}
	return p
}
