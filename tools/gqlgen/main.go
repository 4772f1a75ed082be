// Command gqlgen generates the executor, payloads and stubs as gqlgen.yml says, after one rule of our own: a nullable
// field of an input whose name ends in Patch is omittable, so that a resolver can tell a field that is null from one
// that was left out, and a new field needs no line in gqlgen.yml. A field that gqlgen.yml says something else of stays
// as it says.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/ast"
)

func main() {
	if err := generate(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate() error {
	cfg, err := config.LoadConfig("gqlgen.yml")
	if err != nil {
		return fmt.Errorf("gqlgen.yml: %w", err)
	}
	if err := cfg.LoadSchema(); err != nil {
		return fmt.Errorf("the schema: %w", err)
	}
	for _, definition := range cfg.Schema.Types {
		if definition.Kind == ast.InputObject && strings.HasSuffix(definition.Name, "Patch") {
			makeOmittable(cfg.Models, definition)
		}
	}
	return api.Generate(cfg)
}

func makeOmittable(models config.TypeMap, patch *ast.Definition) {
	entry := models[patch.Name]
	if entry.Fields == nil {
		entry.Fields = map[string]config.TypeMapField{}
	}
	for _, field := range patch.Fields {
		configured := entry.Fields[field.Name]
		if configured.Omittable == nil && !field.Type.NonNull {
			omittable := true
			configured.Omittable = &omittable
			entry.Fields[field.Name] = configured
		}
	}
	models[patch.Name] = entry
}
