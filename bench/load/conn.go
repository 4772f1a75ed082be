//go:build bench

package load

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"time"
)

// patience bounds how long one answer may take; it only ends runs whose server hangs.
const patience = 30 * time.Second

// Conn is one keep-alive connection of a client that does as little as it can: net/http's client costs as much as some
// of the handlers that are measured, on the same processors.
type Conn struct {
	network net.Conn
	reader  *bufio.Reader
	body    []byte
}

// Dial connects to "host:port".
func Dial(ctx context.Context, address string) (*Conn, error) {
	network, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return NewConn(network), nil
}

// NewConn is a client on a connection that stands.
func NewConn(network net.Conn) *Conn {
	return &Conn{network: network, reader: bufio.NewReaderSize(network, 64<<10)}
}

// Close ends the connection.
func (c *Conn) Close() error { return c.network.Close() }

// Do sends the bytes of one HTTP/1.1 request and returns the answer's status and body. The body is valid until the next
// call.
func (c *Conn) Do(request []byte) (status int, body []byte, err error) {
	if err := c.network.SetDeadline(time.Now().Add(patience)); err != nil {
		return 0, nil, err
	}
	if _, err := c.network.Write(request); err != nil {
		return 0, nil, fmt.Errorf("send: %w", err)
	}
	status, length, err := c.readHead()
	if err != nil {
		return 0, nil, err
	}
	c.body = c.body[:0]
	if length >= 0 {
		err = c.readBytes(length)
	} else {
		err = c.readChunks()
	}
	if err != nil {
		return 0, nil, fmt.Errorf("read the body: %w", err)
	}
	return status, c.body, nil
}

// chunked is the length of a body that comes in chunks.
const chunked = -1

// readHead reads the status line and the headers (RFC 9112, sections 4 and 5), of which only those that frame the body
// matter.
func (c *Conn) readHead() (status, length int, err error) {
	line, err := c.line()
	if err != nil {
		return 0, 0, fmt.Errorf("read the status: %w", err)
	}
	if len(line) < len("HTTP/1.1 200") || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, 0, fmt.Errorf("not an HTTP/1.1 answer: %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, fmt.Errorf("the status of an answer: %w", err)
	}
	for {
		if line, err = c.line(); err != nil {
			return 0, 0, fmt.Errorf("read the headers: %w", err)
		}
		if len(line) == 0 {
			return status, length, nil
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil || length < 0 {
				return 0, 0, fmt.Errorf("a body of the length %q", value)
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			length = chunked
		}
	}
}

// line reads one line without its end.
func (c *Conn) line() ([]byte, error) {
	line, err := c.reader.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}

// readBytes appends so many bytes to the body.
func (c *Conn) readBytes(count int) error {
	from := len(c.body)
	for cap(c.body) < from+count {
		c.body = append(c.body[:cap(c.body)], 0)
	}
	c.body = c.body[:from+count]
	_, err := io.ReadFull(c.reader, c.body[from:])
	return err
}

// readChunks appends a chunked body (RFC 9112, section 7.1). Trailers are not expected.
func (c *Conn) readChunks() error {
	for {
		line, err := c.line()
		if err != nil {
			return err
		}
		size, err := strconv.ParseUint(string(line), 16, 31)
		if err != nil {
			return fmt.Errorf("the size of a chunk: %w", err)
		}
		if size > 0 {
			if err := c.readBytes(int(size)); err != nil {
				return err
			}
		}
		if line, err = c.line(); err != nil {
			return err
		}
		if len(line) != 0 {
			return errors.New("a chunk is longer than it says")
		}
		if size == 0 {
			return nil
		}
	}
}
