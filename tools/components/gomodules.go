package components

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is one version of a module, and where it is on this machine.
type module struct{ path, version, folder string }

// goModules returns the modules that have packages in the program of any target.
func goModules(ctx context.Context, root string) ([]Component, error) {
	packages := map[module]map[string]bool{} // the folders of the packages of each
	for _, target := range Targets() {
		if err := listPackages(ctx, root, target, packages); err != nil {
			return nil, err
		}
	}
	var all []Component
	for m, folders := range packages {
		c := Component{Ecosystem: GoModule, Name: m.path, Version: m.version}
		if err := c.readLicences(m.folder, folders); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	return all, nil
}

// listPackages adds the packages of the program for a target.
func listPackages(ctx context.Context, root string, target Target, packages map[module]map[string]bool) error {
	out, err := goTool(ctx, root, target, "list", "-deps", "-tags", Tags, "-json=Dir,Module", ".")
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(strings.NewReader(out))
	for {
		var listed struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := decoder.Decode(&listed); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read what go list says: %w", err)
		}
		if listed.Module == nil || listed.Module.Main {
			continue
		}
		m := module{listed.Module.Path, listed.Module.Version, listed.Module.Dir}
		if packages[m] == nil {
			packages[m] = map[string]bool{}
		}
		packages[m][listed.Dir] = true
	}
}

// standardLibrary returns the standard library of the toolchain that builds the program.
func standardLibrary(ctx context.Context, root string) (Component, error) {
	out, err := goTool(ctx, root, Target{}, "env", "GOVERSION", "GOROOT")
	if err != nil {
		return Component{}, err
	}
	version, folder, _ := strings.Cut(strings.TrimSpace(out), "\n")
	c := Component{Ecosystem: GoModule, Name: Standard, Version: strings.TrimPrefix(version, "go")}
	err = c.readLicences(folder, nil)
	return c, err
}

// goTool runs the go command for a target; the zero target is this machine's.
func goTool(ctx context.Context, root string, target Target, args ...string) (string, error) {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = root
	command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-mod=readonly")
	if target != (Target{}) {
		command.Env = append(command.Env, "GOOS="+target.OS, "GOARCH="+target.Arch)
	}
	out, err := command.Output()
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		err = fmt.Errorf("%w\n%s", err, failed.Stderr)
	}
	if err != nil {
		return "", fmt.Errorf("go %s: %w", args[0], err)
	}
	return string(out), nil
}

// readLicences reads the licences and notices of a module: those in its own folder and in the folders above its
// packages.
func (c *Component) readLicences(root string, packages map[string]bool) error {
	folders := map[string]bool{root: true}
	for folder := range packages {
		for ; len(folder) > len(root) && strings.HasPrefix(folder, root); folder = filepath.Dir(folder) {
			folders[folder] = true
		}
	}
	found := map[string]bool{}
	for folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if entry.IsDir() || !isLegal(entry.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
			if err != nil {
				return err
			}
			found[plain(string(text))] = true
		}
	}
	c.addTexts(found)
	return nil
}
