package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// healthPatience bounds the question; container runtimes give a check 30 seconds by default.
const healthPatience = 5 * time.Second

// health asks the server that listens on this machine whether it is ready, for images without another program that
// could ask. It succeeds on status 200 of /readyz, or of /healthz with --live.
func (p Program) health(ctx context.Context, args []string) error {
	own := newFlags("health", "")
	live := own.Bool("live", false, "ask only whether the process answers, not whether its database does")
	settings, err := p.settings(args, own)
	if err != nil {
		return err
	}
	path := "/readyz"
	if *live {
		path = "/healthz"
	}
	host, port, err := net.SplitHostPort(settings.Addr)
	if err != nil {
		return err
	}
	if port == "0" {
		return errors.New("the server chooses its own port (port 0), so nobody knows where to ask; name a port with --addr")
	}
	host = localHost(host)
	ctx, cancel := context.WithTimeout(ctx, healthPatience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+path, http.NoBody)
	if err != nil {
		return err
	}
	// No proxy of the environment: the question does not leave this machine.
	client := http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	response, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("no answer: %w", err)
	}
	defer response.Body.Close() //nolint:errcheck // it was read
	const most = 4 << 10
	text, _ := io.ReadAll(io.LimitReader(response.Body, most)) // only to be shown
	answer := strings.TrimSpace(string(text))
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s: %s", path, response.Status, answer)
	}
	_, err = fmt.Fprintln(p.Out, answer)
	return err
}

// localHost returns the address at which this machine reaches a server that listens at host. It is a number where the
// server listens at every address, since an image may have no file that says what localhost is.
func localHost(host string) string {
	ip := net.ParseIP(host)
	switch {
	case host != "" && !ip.IsUnspecified():
		return host
	case ip != nil && ip.To4() == nil:
		return net.IPv6loopback.String()
	}
	return "127.0.0.1"
}
