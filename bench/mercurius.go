//go:build bench

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

// startMercurius starts the peer in bench/mercurius, whose packages it installs the first time.
func startMercurius(ctx context.Context, d database) (*process, error) {
	folder := filepath.Join("bench", "mercurius")
	switch _, err := os.Stat(filepath.Join(folder, "node_modules")); {
	case errors.Is(err, fs.ErrNotExist):
		install := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts")
		install.Dir = folder
		if out, err := install.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("npm ci in %s: %w\n%s", folder, err, out)
		}
	case err != nil:
		return nil, err
	}
	environment := append(plainEnvironment(), "NODE_ENV=production", urlVariable+"="+d.url,
		"ALMANAC_BENCH_SECRET="+secret, "ALMANAC_BENCH_ZONE="+zone, "ALMANAC_BENCH_POOL="+strconv.Itoa(int(poolSize())))
	return start(ctx, "node", []string{filepath.Join(folder, "server.mjs")}, environment)
}
