package httpapi_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"almanac/internal/httpapi"
)

// pipes is a listener whose connections are in memory, so that a bubble's clock drives every deadline.
type pipes struct {
	connections chan net.Conn
	closed      chan struct{}
	once        sync.Once
}

func newPipes() *pipes {
	return &pipes{connections: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.connections:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080} }

func (p *pipes) dial() (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.connections <- there:
		return here, nil
	case <-p.closed:
		return nil, errors.New("connection refused")
	}
}

func (p *pipes) client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return p.dial() },
	}}
}

// running is a served front door in a bubble.
type running struct {
	front
	listener *pipes
	client   *http.Client
	stop     context.CancelFunc
	ended    chan error
}

func serve(t *testing.T, options httpapi.DrainOptions, adjust func(*httpapi.Config)) running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r := running{front: newFront(t, adjust), listener: newPipes(), stop: stop, ended: make(chan error, 1)}
	r.resolver.Started, r.resolver.Release = make(chan struct{}), make(chan struct{})
	r.client = r.listener.client()
	go func() { r.ended <- httpapi.Serve(ctx, r.listener, r.Handler, options) }()
	return r
}

func (r running) post(query string) (int, string, error) {
	response, err := r.client.Post("http://localhost:8080/graphql", "application/json",
		strings.NewReader(`{"query":"`+query+`"}`))
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), err
}

func (r running) status(path string) int {
	response, err := r.client.Get("http://localhost:8080" + path)
	if err != nil {
		return 0
	}
	defer func() { _ = response.Body.Close() }()
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode
}

func TestDrainLetsRequestsFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := make(chan struct{})
		r := serve(t, httpapi.DrainOptions{Notice: 3 * time.Second}, func(cfg *httpapi.Config) {
			cfg.Drain = []func(context.Context) error{func(ctx context.Context) error {
				if _, bounded := ctx.Deadline(); !bounded {
					t.Error("a drain without an end")
				}
				close(told)
				return nil
			}}
		})
		answers := make(chan string, 1)
		go func() {
			_, body, err := r.post("{slow}")
			if err != nil {
				body = err.Error()
			}
			answers <- body
		}()
		<-r.resolver.Started
		if code := r.status("/readyz"); code != 200 {
			t.Errorf("before: %d", code)
		}
		r.stop()
		synctest.Wait()
		if code := r.status("/readyz"); code != 503 {
			t.Errorf("while draining: %d", code)
		}
		if code, _, err := r.post("{hello}"); code != 200 || err != nil {
			t.Errorf("during the notice: %d %v", code, err)
		}
		<-told
		synctest.Wait()
		if _, err := r.listener.dial(); err == nil {
			t.Error("the listener still listens")
		}
		select {
		case err := <-r.ended:
			t.Errorf("ended before the request: %v", err)
		default:
		}
		r.resolver.Release <- struct{}{}
		if body := <-answers; body != `{"data":{"slow":"at last"}}` {
			t.Errorf("the request in flight: %s", body)
		}
		if err := <-r.ended; err != nil {
			t.Errorf("a clean end: %v", err)
		}
		r.client.CloseIdleConnections()
	})
}

func TestDrainCutsOffWhatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpapi.DrainOptions{}, nil)
		failed := make(chan error, 1)
		go func() {
			_, body, err := r.post("{slow}")
			if err == nil {
				err = errors.New(body)
			}
			failed <- err
		}()
		<-r.resolver.Started
		start := time.Now()
		r.stop()
		err := <-r.ended
		if err == nil || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "requests cut off: 1") {
			t.Errorf("got %v", err)
		}
		if took := time.Since(start); took < httpapi.DrainTimeout || took > httpapi.DrainTimeout+time.Second {
			t.Errorf("took %v", took)
		}
		<-failed
		r.client.CloseIdleConnections()
	})
}

func TestServeSaysWhyTheListenerFailed(t *testing.T) {
	listener := newPipes()
	_ = listener.Close()
	err := httpapi.Serve(t.Context(), listener, newFront(t, nil).Handler, httpapi.DrainOptions{})
	if !errors.Is(err, net.ErrClosed) || !strings.Contains(err.Error(), "127.0.0.1:8080") {
		t.Errorf("got %v", err)
	}
}

// send writes the text on a connection of its own, from the moments between, and returns the status of the answer, 0
// when the connection was closed without one, and when that was.
func (r running) send(t *testing.T, text string) (status int, took time.Duration) {
	t.Helper()
	connection, err := r.listener.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	start := time.Now()
	go func() { _, _ = io.WriteString(connection, text) }()
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	took = time.Since(start)
	if err != nil {
		return 0, took
	}
	_, _ = io.Copy(io.Discard, response.Body)
	return response.StatusCode, took
}

// The clock that users see says nothing about how long a connection may take.
func TestSlowClientsAreLeft(t *testing.T) {
	for name, shift := range map[string]time.Duration{"the same time": 0, "years behind": -100_000 * time.Hour,
		"years ahead": 100_000 * time.Hour} {
		t.Run(name, func(t *testing.T) { slowClientsAreLeft(t, shift) })
	}
}

func slowClientsAreLeft(t *testing.T, shift time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		r := serve(t, httpapi.DrainOptions{}, func(cfg *httpapi.Config) {
			cfg.Authenticator = tokens{noLocalUser: true}
			cfg.Now = func() time.Time { return time.Now().Add(shift) }
		})
		head := "POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 500\r\n"
		if status, took := r.send(t, head); status != 0 || took != httpapi.HeaderTimeout {
			t.Errorf("half the headers: %d after %v", status, took)
		}
		if status, took := r.send(t, head+"Authorization: Bearer ruth\r\n\r\n{"); status != 408 ||
			took != httpapi.BodyTimeout {
			t.Errorf("half a body: %d after %v", status, took)
		}
		const query = `{"query":"{hello}"}`
		answered, body := r.sendLater(t, head+"Authorization: Bearer ruth\r\n\r\n"+query,
			strings.Repeat(" ", 500-len(query)), httpapi.BodyTimeout-time.Second)
		if answered != 200 || body != `{"data":{"hello":"hello, world"}}` {
			t.Errorf("a body that comes slowly: %d %s", answered, body)
		}
		if status, took := r.send(t, head+"\r\n{"); status != 401 || took > httpapi.BodyTimeout {
			t.Errorf("half a body without a token: %d after %v", status, took)
		}
		if status, _ := r.send(t, "GET /healthz?"+strings.Repeat("x", 2*httpapi.MaxHeaderBytes)+
			" HTTP/1.1\r\nHost: localhost\r\n\r\n"); status != 431 {
			t.Errorf("long headers: %d", status)
		}
		r.stop()
		if err := <-r.ended; err != nil {
			t.Errorf("the end: %v", err)
		}
	})
}

// sendLater sends a request whose end comes later, and returns the status and the body of the answer.
func (r running) sendLater(t *testing.T, text, end string, later time.Duration) (status int, body string) {
	t.Helper()
	connection, err := r.listener.dial()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	if _, err := io.WriteString(connection, text); err != nil {
		t.Fatal(err)
	}
	time.Sleep(later)
	if _, err := io.WriteString(connection, end); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(answer)
}

// A stream outlives the time that its request's body was given.
func TestBodyDeadlineDoesNotCutStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &patient{waited: make(chan error, 1)}
		r := serve(t, httpapi.DrainOptions{}, func(cfg *httpapi.Config) { cfg.Streams = s })
		request, _ := http.NewRequestWithContext(t.Context(), "POST", "http://localhost:8080/graphql",
			strings.NewReader(`{"query":"{hello}"}`))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "text/event-stream")
		response, err := r.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		_ = response.Body.Close()
		if waited := <-s.waited; err != nil || waited != nil || string(body) != "begin end" {
			t.Errorf("%q, %v, %v", body, err, waited)
		}
		r.stop()
		if err := <-r.ended; err != nil {
			t.Errorf("the end: %v", err)
		}
		r.client.CloseIdleConnections()
	})
}
