package main

import (
	"fmt"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
)

// plans generates the accessors of compiled plans, which package graph/plan runs: for each object of the schema a
// function that appends its fields, for each type of a field one that appends a value, and the table by which documents
// are compiled. It follows gqlgen's own templates (object.gotpl, field.gotpl, type.gotpl, interface.gotpl) in what is
// null and what is an error.
type plans struct{}

// planPackage is where the runtime is.
const planPackage = "almanac/graph/plan"

// plansFile is what is generated.
const plansFile = "plans" + generatedFiles

// Name implements plugin.Plugin.
func (plans) Name() string { return "plans" }

// GenerateCode implements plugin.CodeGenerator.
func (plans) GenerateCode(data *codegen.Data) error {
	g := &planWriter{data: data, values: map[string]*config.TypeReference{}}
	return templates.Render(templates.Options{
		PackageName: data.Config.Exec.Package, Filename: filepath.Join(data.Config.Exec.Dir(), plansFile),
		Data: data, GeneratedHeader: true, Packages: data.Config.Packages, PruneOptions: data.Config.GetPruneOptions(),
		Template: "{{ plans }}", Funcs: map[string]any{"plans": g.write},
	})
}

type planWriter struct {
	data *codegen.Data
	out  strings.Builder
	// values are the types whose function is called and not yet written, by the name of the function.
	values map[string]*config.TypeReference
}

func (g *planWriter) line(format string, args ...any) { fmt.Fprintf(&g.out, format+"\n", args...) }

func (g *planWriter) write() (string, error) {
	for path, name := range map[string]string{
		"context": "context", "github.com/99designs/gqlgen/graphql": "graphql", planPackage: "plan",
		"github.com/vektah/gqlparser/v2/ast": "ast",
	} {
		if _, err := templates.CurrentImports.Reserve(path, name); err != nil {
			return "", err
		}
	}
	g.entry()
	if g.data.SubscriptionRoot == nil {
		g.line("// StartPlan implements plan.Schema.")
		g.line(
			"func (e *executableSchema) StartPlan(context.Context, *plan.Writer, *plan.Field) plan.Stream { return nil }\n")
	}
	g.table()
	for _, object := range g.data.Objects {
		write := g.object
		if object.Stream {
			write = g.streams
		}
		if err := write(object); err != nil {
			return "", err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(g.data.Interfaces)) {
		g.abstract(g.data.Interfaces[name])
	}
	err := g.valueFunctions()
	return g.out.String(), err
}

// entry writes what makes the executable schema a plan.Schema.
func (g *planWriter) entry() {
	g.line(`// NewPlannedSchema makes a schema whose operations run by plans alone, so that the linker leaves gqlgen's
// executor out of a program that makes no other.
func NewPlannedSchema(cfg Config) graphql.ExecutableSchema {
	return &plannedSchema{SchemaData: cfg.Schema, Resolvers: cfg.Resolvers, Directives: cfg.Directives}
}

// plannedSchema has none of the methods of executableSchema, and no part of that type, whose Exec the linker
// would keep.
type plannedSchema executableSchema

func (p *plannedSchema) of() *executableSchema { return (*executableSchema)(p) }

var _ plan.Schema = (*plannedSchema)(nil)

// Schema implements graphql.ExecutableSchema.
func (p *plannedSchema) Schema() *ast.Schema { return p.of().Schema() }

// Complexity implements graphql.ExecutableSchema.
func (*plannedSchema) Complexity(context.Context, string, string, int, map[string]any) (int, bool) { return 0, false }

// Exec implements graphql.ExecutableSchema; it refuses.
func (*plannedSchema) Exec(ctx context.Context) graphql.ResponseHandler {
	return graphql.OneShot(graphql.ErrorResponse(ctx, "operations of this schema run by plans"))
}

// PlanTypes implements plan.Schema.
func (p *plannedSchema) PlanTypes() plan.Types { return p.of().PlanTypes() }

// AppendPlan implements plan.Schema.
func (p *plannedSchema) AppendPlan(ctx context.Context, w *plan.Writer, s *plan.Selection) bool {
	return p.of().AppendPlan(ctx, w, s)
}

// StartPlan implements plan.Schema.
func (p *plannedSchema) StartPlan(ctx context.Context, w *plan.Writer, f *plan.Field) plan.Stream {
	return p.of().StartPlan(ctx, w, f)
}

// AppendPlan implements plan.Schema.
func (e *executableSchema) AppendPlan(ctx context.Context, w *plan.Writer, s *plan.Selection) bool {
	ec := newExecutionContext(graphql.GetOperationContext(ctx), e, nil)`)
	if g.data.MutationRoot != nil {
		g.line(`	if ec.Operation.Operation == ast.Mutation {
		return plan%s(ctx, ec, w, s)
	}`, g.data.MutationRoot.Name)
	}
	g.line("	return plan%s(ctx, ec, w, s)\n}\n", g.data.QueryRoot.Name)
}

// table writes the description of the types.
func (g *planWriter) table() {
	g.line(`// PlanTypes implements plan.Schema.
func (e *executableSchema) PlanTypes() plan.Types {
	return plan.Types{Objects: map[string]plan.Type{`)
	for _, object := range g.data.Objects {
		g.line("%q: {Implements: %sImplementors, Fields: map[string]plan.Info{", object.Name, templates.LcFirst(object.Name))
		for i, field := range object.Fields {
			g.line("%q: {ID: %d, Waits: %t, Resolver: %t},", field.Name, i+1, field.IsConcurrent(), field.IsResolver)
		}
		g.line("}},")
	}
	g.line("}, Abstract: map[string][]string{")
	for _, name := range slices.Sorted(maps.Keys(g.data.Interfaces)) {
		g.line("%q: %#v,", name, possible(g.data.Interfaces[name]))
	}
	g.line("}}\n}\n")
}

// possible returns the names of the object types of an abstract type, in the order of a field's children.
func possible(abstract *codegen.Interface) []string {
	var names []string
	for _, implementor := range abstract.Implementors {
		if !slices.Contains(names, implementor.Name) {
			names = append(names, implementor.Name)
		}
	}
	return names
}

func ref(t types.Type) string {
	return strings.ReplaceAll(templates.CurrentImports.LookupType(t), "interface{}", "any")
}

// object writes the accessor of an object type.
func (g *planWriter) object(o *codegen.Object) error {
	parameter, argument := "", ""
	if !o.Root {
		parameter, argument = ", obj "+ref(o.Reference()), ", obj"
	}
	g.line("func plan%s(ctx context.Context, ec *executionContext, w *plan.Writer, s *plan.Selection%s) bool {", o.Name,
		parameter)
	g.line("o := w.Begin(s)")
	g.line("if s.Defers() {")
	held := argument
	if _, pointed := o.Reference().(*types.Pointer); pointed && !o.Root && !o.IsConcurrent() {
		// A copy, so that objects of which nothing is deferred need not be on the heap.
		g.line("held := *obj")
		held = ", &held"
	}
	g.line(`o.Defer(ctx, w, s, func(ctx context.Context, w *plan.Writer, s *plan.Selection) bool {
			return plan%s(ctx, ec, w, s%s)
		})
	}`, o.Name, held)
	if o.IsConcurrent() {
		g.line(`if s.Parallel() {
			o.Fork(w, func(w *plan.Writer, o *plan.Object) { plan%sFields(ctx, ec, w, o%s) })
		}`, o.Name, argument)
	}
	g.line("for !o.Done() {\nplan%sFields(ctx, ec, w, &o%s)\n}", o.Name, argument)
	g.line("return w.End(&o)\n}\n")

	g.line("func plan%sFields(ctx context.Context, ec *executionContext, w *plan.Writer, o *plan.Object%s) {", o.Name,
		parameter)
	g.line("defer o.Recover(ctx, w)")
	g.line("for f := o.Next(w); f != nil; f = o.Next(w) {")
	g.line("ok := true")
	g.line("switch f.ID {")
	g.line("case 0:\nw.Name(%q)", o.Name)
	for i, field := range o.Fields {
		g.line("case %d: // %s", i+1, field.Name)
		if err := g.field(field); err != nil {
			return fmt.Errorf("%s.%s: %w", o.Name, field.Name, err)
		}
	}
	g.line("}\nif !ok {\no.Null(w)\n}\n}\n}\n")
	return nil
}

// field writes what appends the value of a field.
func (g *planWriter) field(f *codegen.Field) error {
	switch {
	case f.IsMap(), f.VOkFunc, f.HasHaser, f.IsBatch(), f.TypeReference.IsRoot, len(f.ImplDirectives()) > 0:
		return fmt.Errorf("plans do not know how to read such a field")
	case f.IsResolver, f.IsMethod() && (!f.NoErr || f.MethodHasContext || len(f.Args) > 0):
		g.resolver(f)
		return nil
	}
	value := f.GoReceiverName + "." + f.GoFieldName
	if f.IsMethod() {
		value += "()"
	}
	if element := elementOf(f.TypeReference); f.Name == "nodes" && isStruct(element) &&
		hasMethod(f.Object.Reference(), "Streams") {
		g.line("if obj.Streams() {")
		g.line("ok = plan.Nodes(ctx, w, obj.Reader, %t, func(v *%s) bool {\nreturn %s\n})\n} else {",
			f.TypeReference.GQL.Elem.NonNull, ref(element.GO), g.call(element, "v"))
		defer g.line("}")
	}
	g.value(f.TypeReference, value, f.IsVariable())
	return nil
}

// elementOf returns the type of a list's elements, that of another type itself.
func elementOf(t *config.TypeReference) *config.TypeReference {
	if t.IsSlice() {
		return t.Elem()
	}
	return t
}

// value writes what appends a value that is read as it is; variable says that it has an address.
func (g *planWriter) value(t *config.TypeReference, value string, variable bool) {
	if t.Definition.Name == "ID" && !t.IsSlice() && !t.IsNilable() {
		g.line("if !w.ReplacesIDs() || !w.ID(ctx, %s) {", value)
		defer g.line("}")
	}
	switch {
	case types.IsInterface(t.GO):
		g.line("if v := %s; v != nil {\nok = %s\n} else {\nok = w.Missing(ctx, f)\n}", value, g.call(t, "v"))
	case isStruct(t) && variable:
		g.line("ok = %s", g.call(t, "&"+value))
	case isStruct(t):
		g.line("v := %s\nok = %s", value, g.call(t, "&v"))
	case directly(t, value) != "":
		g.line("%s", directly(t, value))
	default:
		g.line("ok = %s", g.call(t, value))
	}
}

// streams writes what starts a subscription.
func (g *planWriter) streams(o *codegen.Object) error {
	g.line(`// StartPlan implements plan.Schema.
func (e *executableSchema) StartPlan(ctx context.Context, w *plan.Writer, f *plan.Field) plan.Stream {
	ec := newExecutionContext(graphql.GetOperationContext(ctx), e, nil)
	switch f.ID {`)
	for i, field := range o.Fields {
		if !field.IsResolver {
			return fmt.Errorf("%s.%s: plans do not know how to start such a field", o.Name, field.Name)
		}
		g.line("case %d: // %s", i+1, field.Name)
		g.resolve(field, "return plan.Subscribe", "<-chan ")
	}
	g.line("}\nreturn nil\n}\n")
	return nil
}

// resolver writes what resolves a field and appends its value.
func (g *planWriter) resolver(f *codegen.Field) { g.resolve(f, "ok = plan.Resolve", "") }

func (g *planWriter) resolve(f *codegen.Field, by, channel string) {
	arguments := "nil"
	if len(f.Args) > 0 {
		arguments = fmt.Sprintf(`func(ctx context.Context, raw map[string]any) (map[string]any, error) {
			return %s%s(ctx, %sraw)
		}`, g.data.ECDot(), f.ArgsFunc(), g.data.ECArg())
	}
	call := f.GoReceiverName + "." + f.GoFieldName + "(" + f.CallArgs() + ")"
	if f.IsResolver {
		call = "ec.Resolvers." + f.ShortInvocation()
	} else if f.NoErr {
		call += ", nil"
	}
	v := "v"
	if isStruct(f.TypeReference) {
		v = "&v"
	}
	typ := ref(f.TypeReference.GO)
	if !f.IsResolver && !f.MethodHasContext && f.TypeReference.Definition.Name != "ID" {
		g.line(`ok = plan.Read(ctx, w, f, %s, func(args map[string]any) (%s, error) {
			return %s
		}, func(ctx context.Context, w *plan.Writer, f *plan.Field, v %s) bool {
			return %s
		})`, arguments, typ, strings.ReplaceAll(call, "fc.Args[", "args["), typ, g.call(f.TypeReference, v))
		return
	}
	g.line(`%s(ctx, w, f, %s, func(ctx context.Context, fc *graphql.FieldContext) (%s, error) {
		return %s
	}, func(ctx context.Context, w *plan.Writer, f *plan.Field, v %s) bool {
		return %s
	})`, by, arguments, channel+typ, call, typ, g.call(f.TypeReference, v))
}

// isStruct reports whether a type is an object that is held as a value; its functions take a pointer.
func isStruct(t *config.TypeReference) bool {
	return !t.IsSlice() && !t.IsNilable() && t.Definition.Kind == ast.Object
}

// call returns a call of the function that appends a value of the type, and has it written.
func (g *planWriter) call(t *config.TypeReference, value string) string {
	name := "plan" + t.UniquenessKey()
	if _, known := g.values[name]; !known {
		g.values[name] = t
	}
	return fmt.Sprintf("%s(ctx, ec, w, f, %s)", name, value)
}

// valueFunctions writes the functions of all types that are called, and of those that they call.
func (g *planWriter) valueFunctions() error {
	written := map[string]bool{}
	for len(written) < len(g.values) {
		for _, name := range slices.Sorted(maps.Keys(g.values)) {
			if written[name] {
				continue
			}
			written[name] = true
			if err := g.valueFunction(name, g.values[name]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

func (g *planWriter) valueFunction(name string, t *config.TypeReference) error {
	typ := ref(t.GO)
	if isStruct(t) {
		typ = "*" + typ
	}
	g.line("func %s(ctx context.Context, ec *executionContext, w *plan.Writer, f *plan.Field, v %s) bool {", name, typ)
	defer g.line("}\n")
	switch {
	case t.IsPtrToSlice(), t.IsPtrToIntf():
		g.line("if v == nil {\nreturn false\n}\nreturn %s", g.call(t.Elem(), "*v"))
		return nil
	case t.IsSlice():
		g.slice(t)
		return nil
	case t.IsPtrToPtr():
		return fmt.Errorf("a pointer to a pointer")
	}
	if t.IsNilable() {
		null := "false"
		if t.GQL.NonNull {
			null = "w.Refuse(ctx)"
		}
		g.line("if v == nil {\nreturn %s\n}", null)
	}
	switch {
	case t.IsMarshaler && t.IsContext:
		g.line("return w.MarshalContext(ctx, v)")
	case t.IsMarshaler && hasMethod(t.GO, "AppendGQL"):
		g.line("w.Took(v.AppendGQL(w.Buffer()))\nreturn true")
	case t.IsMarshaler && t.Definition.Kind == ast.Enum && isString(deref(t.GO)):
		g.line("w.String(string(%s))\nreturn true", pointed(t))
	case t.IsMarshaler:
		g.line("w.Value(v)\nreturn true")
	case t.Marshaler != nil:
		g.marshaler(t)
	case t.IsRoot:
		return fmt.Errorf("a root of operations as a field")
	case t.Definition.IsAbstractType():
		g.line("return plan%s(ctx, ec, w, f, v)", t.Definition.Name)
	default:
		g.line("return plan%s(ctx, ec, w, f.Children[0], v)", t.Definition.Name)
	}
	return nil
}

func (g *planWriter) slice(t *config.TypeReference) {
	if !t.GQL.NonNull {
		g.line("if v == nil {\nreturn false\n}")
	}
	element := t.Elem()
	value := "v[i]"
	if isStruct(element) {
		value = "&v[i]"
	}
	call := g.call(element, value)
	if t.IsScalar() {
		g.line("return w.Scalars(len(v), %t, func(i int) bool { return %s })", t.GQL.Elem.NonNull, call)
		return
	}
	if t.Definition.Kind != ast.Enum {
		g.line("if f.Waits() {")
		g.line("return w.Parallel(ctx, len(v), %t, func(w *plan.Writer, i int) bool { return %s })\n}", t.GQL.Elem.NonNull,
			call)
	}
	g.line("return w.List(ctx, len(v), %t, func(i int) bool { return %s })", t.GQL.Elem.NonNull, call)
}

func (g *planWriter) marshaler(t *config.TypeReference) {
	if direct := directly(t, pointed(t)); direct != "" {
		g.line("%s\nreturn true", direct)
		return
	}
	value := pointed(t)
	if t.IsTargetNilable() && !t.IsNilable() {
		value = "&v"
	}
	if t.CastType != nil {
		value = ref(t.CastType) + "(" + value + ")"
	}
	call := templates.Call(t.Marshaler) + "(" + value + ")"
	switch {
	case t.Marshaler.Name() == "MarshalFloatContext":
		g.line("return w.Float(ctx, float64(%s))", pointed(t))
	case t.IsContext:
		g.line("return w.MarshalContext(ctx, %s)", call)
	default:
		g.line("return w.Marshal(ctx, %s, %t)", call, t.GQL.NonNull)
	}
}

// directly returns the statement that appends a leaf which is never null and never fails, "" for others.
func directly(t *config.TypeReference, value string) string {
	if t.Marshaler == nil || t.HasEnumValues() || t.IsSlice() ||
		t.Marshaler.Pkg().Path() != "github.com/99designs/gqlgen/graphql" ||
		(t.IsNilable() && strings.HasPrefix(value, "obj.")) {
		return ""
	}
	switch t.Marshaler.Name() {
	case "MarshalString", "MarshalID":
		return "w.String(string(" + value + "))"
	case "MarshalInt", "MarshalInt8", "MarshalInt16", "MarshalInt32", "MarshalInt64":
		return "w.Int(int64(" + value + "))"
	case "MarshalBoolean":
		return "w.Bool(bool(" + value + "))"
	}
	return ""
}

// pointed returns the value v itself where a pointer is held of a type that is marshalled as a value.
func pointed(t *config.TypeReference) string {
	if t.IsNilable() && !t.IsTargetNilable() {
		return "*v"
	}
	return "v"
}

func deref(t types.Type) types.Type {
	if pointer, ok := t.(*types.Pointer); ok {
		return pointer.Elem()
	}
	return t
}

func isString(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0
}

func hasMethod(t types.Type, name string) bool {
	object, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, ok := object.(*types.Func)
	return ok
}

// abstract writes the function that finds the object of an interface or a union.
func (g *planWriter) abstract(abstract *codegen.Interface) {
	names := possible(abstract)
	g.line("func plan%s(ctx context.Context, ec *executionContext, w *plan.Writer, f *plan.Field, obj %s) bool {",
		abstract.Name, ref(abstract.Type))
	g.line("switch obj := (obj).(type) {\ncase nil:\nreturn false")
	for _, implementor := range abstract.Implementors {
		g.line("case %s:", ref(implementor.Type))
		if implementor.CanBeNil() {
			g.line("if obj == nil {\nreturn false\n}")
		}
		value := "obj"
		if implementor.TakeRef {
			value = "&obj"
		}
		g.line("return plan%s(ctx, ec, w, f.Children[%d], %s)", implementor.Name, slices.Index(names, implementor.Name),
			value)
	}
	g.line("default:\nreturn w.Unexpected(obj, %s)\n}\n}\n", strconv.Quote(abstract.Name))
}
