package app_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"almanac/internal/cli"
	"almanac/internal/pgtest"
	"almanac/internal/standin/disk"
)

// asServer makes the test binary behave as the almanac command, so that tests start real processes and can kill them.
const asServer = "E2E_RUN_AS_ALMANAC"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		if os.Getenv(asServer) == "attached" {
			go func() {
				_, _ = io.Copy(io.Discard, os.Stdin) // ends when the tests do, however they end
				os.Exit(3)
			}()
		}
		var kept any
		if state := os.Getenv(diskState); state != "" {
			kept = disk.Intercept(state)
		}
		program := cli.Program{Version: cli.Version(""), Environ: os.Environ(), Out: os.Stdout, ErrOut: os.Stderr}
		status := program.Main(os.Args[1:])
		runtime.KeepAlive(kept)
		os.Exit(status)
	}
	os.Exit(m.Run())
}

// process is a running almanac.
type process struct {
	t       testing.TB
	command *exec.Cmd
	// address is where it listens, "http://127.0.0.1:1234".
	address string
	// greeting is what it told the person who started it.
	greeting string
	log      *output
	// exited receives how it ended, once, and is then closed.
	exited chan error
	// listening is closed when it greets, or when it is clear that it never will.
	listening chan struct{}
}

// output keeps what a process writes while tests look at it.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

var endpoint = regexp.MustCompile(`endpoint\s+(http://\S+)/graphql`)

// start runs "almanac serve" with the flags and waits until it listens.
func start(t testing.TB, flags ...string) *process {
	t.Helper()
	return spawn(t, nil, flags...).await()
}

// spawn runs "almanac serve" with the variables and flags, and does not wait for it.
func spawn(t testing.TB, variables []string, flags ...string) *process {
	t.Helper()
	p := &process{t: t, log: &output{}, exited: make(chan error, 1), listening: make(chan struct{})}
	p.command = exec.Command(os.Args[0], append([]string{"serve", "--addr=127.0.0.1:0", "--log-level=warn"},
		flags...)...) //nolint:gosec // our own binary
	p.command.Env = append(environment(variables), asServer+"=attached")
	p.command.Stderr = p.log
	if _, err := p.command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	go func() {
		p.readGreeting(bufio.NewReader(out))
		close(p.listening)
		_, _ = io.Copy(io.Discard, out)
		p.exited <- p.command.Wait()
		close(p.exited)
	}()
	return p
}

// readGreeting reads until the program has said everything, or has ended.
func (p *process) readGreeting(from *bufio.Reader) {
	for {
		text, err := from.ReadString('\n')
		p.greeting += text
		if found := endpoint.FindStringSubmatch(text); found != nil {
			p.address = found[1]
		}
		if err != nil || strings.Contains(text, "  calendars ") {
			return
		}
	}
}

// await waits until the process listens, and fails the test when it ends before.
func (p *process) await() *process {
	p.t.Helper()
	<-p.listening
	if p.address == "" {
		p.t.Fatalf("the server did not start: %v\n%s", p.ended(), p.log)
	}
	return p
}

// environment is the test's own without the settings of whoever runs it, and with the variables.
func environment(variables []string) []string {
	own := func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return strings.HasPrefix(name, "ALMANAC_") || strings.HasPrefix(name, "OTEL_") || name == "GORACE" || name == "GOGC"
	}
	out := slices.DeleteFunc(os.Environ(), own)
	// A process under the race detector would otherwise sleep for a second at its end.
	return append(append(out, asServer+"=1", "GORACE=atexit_sleep_ms=0"), variables...)
}

// in is the same process for a part of a test, which fails by itself.
func (p *process) in(t *testing.T) *process {
	same := *p
	same.t = t
	return &same
}

// kill ends the process without a warning and waits until it is gone.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.exited
}

// term asks the process to stop and returns how it ended.
func (p *process) term() error {
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.ended()
}

// ended waits until the process is gone and returns how it ended.
func (p *process) ended() error {
	select {
	case err := <-p.exited:
		return err
	case <-time.After(patience):
		return errors.New("it has not ended")
	}
}

// patience bounds every wait for something that is to happen. It is met only when a test fails.
const patience = time.Minute

// answer is a GraphQL answer.
type answer struct {
	Data   json.RawMessage `json:"data"`
	Errors []struct {
		Message    string         `json:"message"`
		Extensions map[string]any `json:"extensions"`
	} `json:"errors"`
}

// ask sends one request; the error says that no whole answer came back.
func (p *process) ask(ctx context.Context, query string, variables any, header map[string]string) (answer, error) {
	var out answer
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return out, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.address+"/graphql", bytes.NewReader(body))
	if err != nil {
		return out, err
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		r.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return out, err
	}
	defer response.Body.Close() //nolint:errcheck // read to its end
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return out, err
	}
	if err := json.Unmarshal(text, &out); err != nil {
		return out, fmt.Errorf("%w: %s", err, text)
	}
	if response.StatusCode >= 500 {
		return out, fmt.Errorf("status %d: %s", response.StatusCode, text)
	}
	return out, nil
}

// mustAsk fails the test on any error and reads the data.
func (p *process) mustAsk(query string, variables, into any) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	got, err := p.ask(ctx, query, variables, nil)
	if err != nil || len(got.Errors) > 0 {
		p.t.Fatalf("%s\n%v %v\n%s", query, err, got.Errors, p.log)
	}
	if err := json.Unmarshal(got.Data, into); err != nil {
		p.t.Fatal(err)
	}
}

// databases are the flags that choose either store, on fresh data.
func databases(t *testing.T) map[string][]string {
	t.Helper()
	return map[string][]string{
		"sqlite":   {"--data-dir=" + t.TempDir()},
		"postgres": {"--database-url=" + pgtest.URL(t)},
	}
}
