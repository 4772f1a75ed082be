package app_test

import (
	"context"
	"io"
	"net/url"
	"os"
	"regexp"
	"testing"
	"time"

	"almanac/adapters/graphiti"
	"almanac/internal/app"
	"almanac/internal/cli"
)

// The command serves what the adapter asks, until it is told to stop; other machines are kept out.
func TestGraphitiStandInCommand(t *testing.T) {
	t.Parallel()
	out, told, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		err := cli.Program{Out: told, ErrOut: told}.Run(ctx, []string{"graphiti-standin", "--addr=127.0.0.1:0"})
		_ = told.Close()
		done <- err
	}()
	defer func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	line := make([]byte, 1000)
	n, err := out.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(regexp.MustCompile(`http://\S+`).FindString(string(line[:n])))
	if err != nil {
		t.Fatal(err)
	}
	base := &graphiti.Base{Target: graphiti.Target{URL: address}}
	app.TellAndFind(t, base)
	if err := base.Close(); err != nil {
		t.Error(err)
	}
	for _, args := range [][]string{{"--addr=0.0.0.0:0"}, {"serve"}, {"--nonsense"}, {"--addr=nowhere"}} {
		within, cancel := context.WithTimeout(t.Context(), time.Minute)
		nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		program := cli.Program{Out: nowhere, ErrOut: nowhere}
		if err := program.Run(within, append([]string{"graphiti-standin"}, args...)); err == nil {
			t.Errorf("%q is taken", args)
		}
		cancel()
		_ = nowhere.Close()
	}
	stop()
	_, _ = io.Copy(io.Discard, out)
	_ = out.Close()
}
