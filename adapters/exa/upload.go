package exa

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"almanac/adapters/remote"
	"almanac/graph/model"
	"almanac/internal/dryrun"
)

// Upload puts a file where the answer to an import's creation said. It is the one request that may leave Exa's own
// host, and it carries no key: over https, to a public address, and no redirect is followed. BAD_USER_INPUT for any
// other address, and for a body that is not as long as was said. It is sent once, since the body is a stream.
func (a *Account) Upload(ctx context.Context, upload Upload) error {
	if err := model.AskUpstream(ctx, model.UpstreamExa); err != nil {
		return err
	}
	return a.Client.upload(ctx, upload)
}

func (c *Client) upload(ctx context.Context, upload Upload) error {
	c.once.Do(c.prepare)
	if dryrun.Is(ctx) { // there is no address before the import is made
		return nil
	}
	if upload.Size < 0 || upload.Size > model.MaxWebsetImportSize {
		return model.BadInput("input.size", "a file has at most %d bytes", model.MaxWebsetImportSize)
	}
	target, base, err := c.uploadTarget(upload.URL)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Limits.Upload)
	defer cancel()
	body := &exactly{from: upload.Body, left: int64(upload.Size)}
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, target.String(), io.NopCloser(body))
	if err != nil {
		return model.BadInput("input.uploadUrl", "this is no address to upload to")
	}
	request.ContentLength = int64(upload.Size)
	if upload.Size == 0 {
		request.Body = http.NoBody
	}
	request.Header.Set("Content-Type", "text/csv")
	request.Header.Set("User-Agent", "almanac")
	response, err := base.RoundTrip(request)
	if err != nil || response == nil {
		return c.notUploaded(ctx, body, err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode < http.StatusMultipleChoices {
		return nil
	}
	// Its words are those of a storage somewhere, which quote the address and so who may write there.
	lost := judge(response.StatusCode, problem{})
	if lost.Kind == remote.KindRejected {
		return &model.Error{Code: model.CodeUpstreamRejected, Reason: reasonFor(lost), Cause: lost,
			Message: "The address for the upload refuses the file; it may have ended. Make the import anew."}
	}
	return shown(lost)
}

func (c *Client) notUploaded(ctx context.Context, body *exactly, err error) error {
	if errors.Is(body.err, errLength) {
		return model.BadInput("input.size", "the file is not as long as was said")
	}
	lost := &failure{Remote: remoteName, Kind: remote.KindBroken, Err: errors.New("no answer")}
	if err != nil {
		lost.Err = remote.Lost(err)
	}
	if ctx.Err() != nil {
		lost.Kind, lost.Err = remote.KindLate, ctx.Err()
	}
	if errors.Is(lost.Err, remote.ErrNotPublic) {
		return model.BadInput("input.uploadUrl", "this is no address to upload to")
	}
	return shown(lost)
}

// uploadTarget tells where to upload, and by which transport: https to anywhere public, or the API's own host.
func (c *Client) uploadTarget(address string) (*url.URL, http.RoundTripper, error) {
	const most = 8 << 10
	u, err := url.Parse(address)
	if err != nil || len(address) > most || u.Hostname() == "" || u.User != nil || u.Opaque != "" {
		return nil, nil, model.BadInput("input.uploadUrl", "this is no address to upload to")
	}
	u.Fragment, u.RawFragment = "", ""
	switch {
	case u.Scheme == c.URL.Scheme && strings.EqualFold(u.Host, c.URL.Host):
		return u, c.Base, nil
	case u.Scheme == "https", u.Scheme == "http" && c.AllowHTTP:
		return u, c.Uploads, nil
	default:
		return nil, nil, model.BadInput("input.uploadUrl", "files are uploaded over https only")
	}
}

var errLength = errors.New("exa: the file is not as long as was said")

// exactly reads so many bytes, and fails when there are fewer or more.
type exactly struct {
	from io.Reader
	left int64
	err  error
}

// Read implements io.Reader.
func (e *exactly) Read(p []byte) (int, error) {
	if e.err != nil {
		return 0, e.err
	}
	if e.left == 0 {
		var more [1]byte
		if n, _ := io.ReadFull(e.from, more[:]); n > 0 {
			e.err = errLength
			return 0, e.err
		}
		e.err = io.EOF
		return 0, io.EOF
	}
	n, err := e.from.Read(p[:min(int64(len(p)), e.left)])
	e.left -= int64(n)
	if errors.Is(err, io.EOF) {
		err = nil
		if e.left > 0 {
			err = errLength
		}
	}
	e.err = err
	return n, err
}
