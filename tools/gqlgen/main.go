// Command gqlgen generates the executor, payloads and stubs as gqlgen.yml of the working folder says, and the accessors
// of compiled plans beside the executor, after two rules of our own, so that a new type or field needs no line in it:
//
//   - A nullable field of an input whose name ends in Patch is omittable: a resolver can tell a field that is null from
//     one that was left out.
//   - A field named compact has a resolver, since compact text needs the viewer's language and clock.
//
// A field that gqlgen.yml says something else of stays as it says. Inputs are read by package plan's functions, which
// keep track of where in them something stands when there is an error alone.
//
// With -executor TAG what only gqlgen's own executor needs goes into files that are compiled with that build tag alone.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"strings"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/ast"
)

func main() {
	executor := flag.String("executor", "", "the build tag of gqlgen's executor; without one it is always compiled")
	flag.Parse()
	if err := generate(*executor); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(executor string) error {
	cfg, err := config.LoadConfig("gqlgen.yml")
	if err != nil {
		return fmt.Errorf("gqlgen.yml: %w", err)
	}
	if err := cfg.LoadSchema(); err != nil {
		return fmt.Errorf("the schema: %w", err)
	}
	for _, definition := range cfg.Schema.Types {
		configure(cfg.Models, definition)
	}
	dir := cfg.Exec.Dir()
	if executor != "" {
		if err := removeExecutorFiles(dir); err != nil {
			return err
		}
	}
	if err := api.Generate(cfg, api.AddPlugin(plans{})); err != nil {
		return err
	}
	if err := setInputPaths(dir); err != nil || executor == "" {
		return err
	}
	return setExecutorApart(dir, executor)
}

// configure applies the rules to the fields of a type.
func configure(models config.TypeMap, definition *ast.Definition) {
	isPatch := definition.Kind == ast.InputObject && strings.HasSuffix(definition.Name, "Patch")
	entry := models[definition.Name]
	fields := maps.Clone(entry.Fields)
	if fields == nil {
		fields = map[string]config.TypeMapField{}
	}
	for _, field := range definition.Fields {
		configured, known := fields[field.Name]
		switch {
		case isPatch && configured.Omittable == nil && !field.Type.NonNull:
			omittable := true
			configured.Omittable = &omittable
		case definition.Kind == ast.Object && field.Name == "compact" && !known:
			configured.Resolver = true
		default:
			continue
		}
		fields[field.Name] = configured
	}
	if len(fields) > 0 {
		entry.Fields = fields
		models[definition.Name] = entry
	}
}
