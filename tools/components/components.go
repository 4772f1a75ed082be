// Package components lists what the almanac program is built from: Go modules, the standard library, and the packages
// and fonts of its pages, each with its licence.
//
// It promises that what has no licence, or one that is not on the list of those that may be embedded, is an error.
package components

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Tags are the build tags of a release.
const Tags = "grpcnotrace"

// Target is what a program is built for.
type Target struct{ OS, Arch string }

// String returns "linux/amd64".
func (t Target) String() string { return t.OS + "/" + t.Arch }

// Targets are those of a release.
func Targets() []Target {
	var all []Target
	for _, system := range []string{"darwin", "linux", "windows"} {
		for _, arch := range []string{"amd64", "arm64"} {
			all = append(all, Target{system, arch})
		}
	}
	return all
}

// Ecosystem is where a component is published, as in a package URL.
type Ecosystem string

// The ecosystems.
const (
	GoModule Ecosystem = "golang"
	NPM      Ecosystem = "npm"
)

// Standard is the name of Go's standard library, which has the version of the toolchain.
const Standard = "stdlib"

// Component is one thing that the program is built from.
type Component struct {
	Ecosystem     Ecosystem
	Name, Version string
	// Licences are SPDX identifiers, sorted; all of them apply.
	Licences []string
	// Texts are the licences and notices that it is published with; a few packages of npm have none and only name theirs.
	Texts []string
}

// PURL returns its package URL (github.com/package-url/purl-spec).
func (c Component) PURL() string {
	name := c.Name
	if rest, scoped := strings.CutPrefix(name, "@"); scoped && c.Ecosystem == NPM {
		name = "%40" + rest
	}
	return "pkg:" + string(c.Ecosystem) + "/" + name + "@" + c.Version
}

// embeddable are the licences of what may be embedded in a program under Apache-2.0, and distributed with it:
// permissive ones, and MPL-2.0, which asks for the source of its own files alone.
var embeddable = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC",
	"MIT",
	"MPL-2.0", "OFL-1.1", "Unlicense", "Zlib"}

// All returns every component of the program in this folder, sorted by ecosystem and name.
func All(ctx context.Context, root string) ([]Component, error) {
	modules, err := goModules(ctx, root)
	if err != nil {
		return nil, err
	}
	standard, err := standardLibrary(ctx, root)
	if err != nil {
		return nil, err
	}
	all := slices.Concat(modules, []Component{standard})
	for _, page := range []string{"home", "explorer"} {
		bundled, err := Bundled(filepath.Join(root, "web", page, "dist", "licences.txt"))
		if err != nil {
			return nil, err
		}
		all = append(all, bundled...)
	}
	slices.SortFunc(all, func(a, b Component) int {
		return cmp.Or(cmp.Compare(a.Ecosystem, b.Ecosystem), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Version, b.Version))
	})
	// Both pages may have a package.
	all = slices.CompactFunc(all, func(a, b Component) bool { return a.PURL() == b.PURL() })
	var failed []error
	for _, c := range all {
		failed = append(failed, c.check())
	}
	return all, errors.Join(failed...)
}

// check refuses a component that may not be embedded.
func (c Component) check() error {
	if len(c.Licences) == 0 {
		return fmt.Errorf("%s %s has no licence that is known", c.Name, c.Version)
	}
	for _, licence := range c.Licences {
		if !slices.Contains(embeddable, licence) {
			return fmt.Errorf("%s %s has the licence %s, which is not among those that may be embedded", c.Name, c.Version,
				licence)
		}
	}
	return nil
}
