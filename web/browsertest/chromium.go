package browsertest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// chromium is one running browser and the pipe to it.
type chromium struct {
	toBrowser io.WriteCloser
	// exited is closed when the pipe from the browser has ended.
	exited chan struct{}

	mu       sync.Mutex
	lastID   int
	waiting  map[int]chan<- reply
	onEvent  map[string]func(event)
	sendLock sync.Mutex
}

// message is one frame of the DevTools protocol, in either direction.
type message struct {
	ID        int    `json:"id,omitempty"`
	SessionID string `json:"sessionId,omitempty"`
	Method    string `json:"method,omitempty"`
	Params    any    `json:"params,omitempty"`
}

type reply struct {
	result json.RawMessage
	err    error
}

// event is something the browser tells unasked.
type event struct {
	session string
	method  string
	params  json.RawMessage
}

// findBrowser knows the names under which Debian and others install Chromium.
func findBrowser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", fmt.Errorf("no Chromium on this machine: install Debian's package chromium (apt-get install chromium)")
}

// startChromium starts a headless browser with an empty profile and ends it with the test.
func startChromium(t testing.TB) *chromium {
	t.Helper()
	binary, err := findBrowser()
	if err != nil {
		t.Fatal(err)
	}
	// The browser reads its descriptor 3 and writes its descriptor 4, zero-terminated JSON on both.
	commandsIn, commandsOut, err := os.Pipe()
	if err != nil {
		t.Fatalf("make a pipe: %v", err)
	}
	eventsIn, eventsOut, err := os.Pipe()
	if err != nil {
		t.Fatalf("make a pipe: %v", err)
	}
	cmd := exec.Command(binary,
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage",
		"--no-first-run", "--no-default-browser-check", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-default-apps", "--disable-extensions",
		"--disable-domain-reliability", "--metrics-recording-only", "--mute-audio",
		"--force-color-profile=srgb", "--font-render-hinting=none", "--lang=en-US", "--hide-scrollbars",
		"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost , EXCLUDE [::1]",
		"--user-data-dir="+t.TempDir(),
		"--remote-debugging-pipe", "about:blank",
	)
	cmd.ExtraFiles = []*os.File{commandsIn, eventsOut}
	// A group of its own, so that the renderers end with it.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", binary, err)
	}
	_ = commandsIn.Close()
	_ = eventsOut.Close()

	b := &chromium{
		toBrowser: commandsOut,
		exited:    make(chan struct{}),
		waiting:   make(map[int]chan<- reply),
		onEvent:   make(map[string]func(event)),
	}
	go b.read(eventsIn)
	t.Cleanup(func() {
		select {
		case <-b.exited:
			t.Errorf("the browser ended too early; it said:\n%s", complaints.String())
		default:
			_ = b.post("", "Browser.close", nil)
		}
		_ = commandsOut.Close()
		hung := time.AfterFunc(patience, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
		<-b.exited
		hung.Stop()
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		_ = cmd.Wait()
		_ = eventsIn.Close()
	})
	return b
}

// read hands replies to their callers and events to their sessions until the browser closes the pipe.
func (b *chromium) read(from io.Reader) {
	defer close(b.exited)
	frames := bufio.NewReaderSize(from, 1<<20)
	for {
		frame, err := frames.ReadBytes(0)
		if err != nil {
			return
		}
		var in struct {
			ID        int             `json:"id"`
			SessionID string          `json:"sessionId"`
			Method    string          `json:"method"`
			Params    json.RawMessage `json:"params"`
			Result    json.RawMessage `json:"result"`
			Error     *struct {
				Message string `json:"message"`
				Data    string `json:"data"`
			} `json:"error"`
		}
		if json.Unmarshal(bytes.TrimSuffix(frame, []byte{0}), &in) != nil {
			continue
		}
		if in.ID == 0 {
			b.mu.Lock()
			handle := b.onEvent[in.SessionID]
			b.mu.Unlock()
			if handle != nil {
				handle(event{in.SessionID, in.Method, in.Params})
			}
			continue
		}
		b.mu.Lock()
		caller := b.waiting[in.ID]
		delete(b.waiting, in.ID)
		b.mu.Unlock()
		if caller == nil {
			continue
		}
		answer := reply{result: in.Result}
		if in.Error != nil {
			answer.err = fmt.Errorf("%s %s", in.Error.Message, in.Error.Data)
		}
		caller <- answer
	}
}

// listen sends the events of one session to handle, which must not block: it runs where replies are read.
func (b *chromium) listen(session string, handle func(event)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.onEvent[session] = handle
}

// post sends a command and does not wait for what comes of it.
func (b *chromium) post(session, method string, params any) error {
	_, err := b.send(session, method, params, nil)
	return err
}

// call sends a command and decodes its result, unless into is nil.
func (b *chromium) call(ctx context.Context, session, method string, params, into any) error {
	answered := make(chan reply, 1)
	id, err := b.send(session, method, params, answered)
	if err != nil {
		return err
	}
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.waiting, id)
	}()
	select {
	case answer := <-answered:
		if answer.err != nil {
			return fmt.Errorf("%s: %w", method, answer.err)
		}
		if into == nil {
			return nil
		}
		if err := json.Unmarshal(answer.result, into); err != nil {
			return fmt.Errorf("%s: decode the result: %w", method, err)
		}
		return nil
	case <-b.exited:
		return fmt.Errorf("%s: the browser has ended", method)
	case <-ctx.Done():
		return fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

func (b *chromium) send(session, method string, params any, answered chan<- reply) (int, error) {
	b.mu.Lock()
	b.lastID++
	id := b.lastID
	if answered != nil {
		b.waiting[id] = answered
	}
	b.mu.Unlock()
	frame, err := json.Marshal(message{ID: id, SessionID: session, Method: method, Params: params})
	if err != nil {
		return id, fmt.Errorf("%s: encode: %w", method, err)
	}
	b.sendLock.Lock()
	defer b.sendLock.Unlock()
	if _, err := b.toBrowser.Write(append(frame, 0)); err != nil {
		return id, fmt.Errorf("%s: write to the browser: %w", method, err)
	}
	return id, nil
}
