package engine

import (
	"encoding/json"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// maxCounted is where counting stops: far beyond any limit, far from overflow.
const maxCounted = 1 << 40

// Costs are added up in tenths, so that a value of a record that was read anyway counts for less than the record.
const (
	// wholeCost is one.
	wholeCost = 10
	// leafCost is what a value counts for whose field says nothing else: a tenth.
	leafCost = 1
)

// whole rounds a cost up to whole numbers.
func whole(tenths int64) int64 {
	if tenths >= maxCounted {
		return maxCounted
	}
	return (tenths + wholeCost - 1) / wholeCost
}

// amount is the cost of a selection set as a function of the page size around it: fixed + perItem × size. perItem is
// what its lists without a page size of their own select, such as edges and nodes of a connection.
type amount struct{ fixed, perItem int64 }

func (a amount) at(size int64) int64 { return add(a.fixed, times(a.perItem, size)) }

func add(a, b int64) int64 { return min(a+b, maxCounted) }

func times(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	if a > maxCounted/b {
		return maxCounted
	}
	return a * b
}

// costNode is a selection set, of which the parts that no variable changes are added up already.
type costNode struct {
	known amount
	// fields and spreads are what depends on variables; both empty when the cost is known.
	fields  []costField
	spreads []*costNode
	// slot is where an evaluation remembers the node's amount.
	slot int
}

func (n *costNode) isKnown() bool { return len(n.fields) == 0 && len(n.spreads) == 0 }

// costField is a field whose children or whose size depend on variables.
type costField struct {
	weight   int64
	size     pageSize
	children *costNode
}

// pageSize is how often a field's children count.
type pageSize struct {
	kind sizeKind
	// written is the largest size that stands in the document, -1 when none does.
	written int64
	// names are the variables that hold the size: first and last, or the list of ids.
	names []string
	// fallback counts when neither is given.
	fallback int64
}

type sizeKind int

const (
	// once: an object.
	once sizeKind = iota
	// inherited: a list that is as long as the page around it.
	inherited
	// ownList: a list with a size of its own.
	ownList
	// ownPage: an object whose lists have the size.
	ownPage
)

// apply returns the field's amount from its children's.
func (s pageSize) apply(weight int64, children amount, size int64) amount {
	switch s.kind {
	case inherited:
		return amount{perItem: children.at(UnpagedListSize), fixed: weight}
	case ownList:
		return amount{fixed: add(weight, times(size, children.at(UnpagedListSize)))}
	case ownPage:
		return amount{fixed: add(weight, children.at(size))}
	default:
		return amount{fixed: add(weight, children.at(UnpagedListSize))}
	}
}

// costPlan computes what each operation of a document costs. Making it takes time linear to the document, since a
// fragment is looked at once however often it is spread; so does asking it.
type costPlan struct {
	schema     *ast.Schema
	fragments  map[string]*ast.FragmentDefinition
	done       map[string]*costNode
	operations map[*ast.OperationDefinition]*costNode
	slots      int
}

// planCosts makes the plan of a document that is parsed, free of fragment cycles and not yet validated: what the
// schema does not know counts as one.
func planCosts(schema *ast.Schema, doc *ast.QueryDocument, fragments map[string]*ast.FragmentDefinition) *costPlan {
	p := &costPlan{
		schema: schema, fragments: fragments,
		done:       make(map[string]*costNode, len(doc.Fragments)),
		operations: make(map[*ast.OperationDefinition]*costNode, len(doc.Operations)),
	}
	for _, op := range doc.Operations {
		p.operations[op] = p.node(rootType(schema, op.Operation), op.SelectionSet)
	}
	p.schema, p.fragments, p.done = nil, nil, nil // only the planning needs them
	return p
}

func rootType(schema *ast.Schema, kind ast.Operation) *ast.Definition {
	switch kind {
	case ast.Mutation:
		return schema.Mutation
	case ast.Subscription:
		return schema.Subscription
	default:
		return schema.Query
	}
}

func (p *costPlan) node(parent *ast.Definition, set ast.SelectionSet) *costNode {
	n := &costNode{slot: p.slots}
	p.slots++
	p.addSet(n, parent, set)
	return n
}

func (p *costPlan) addSet(n *costNode, parent *ast.Definition, set ast.SelectionSet) {
	for _, selection := range set {
		switch selection := selection.(type) {
		case *ast.Field:
			p.addField(n, parent, selection)
		case *ast.InlineFragment:
			n.add(partCost(selection.Directives))
			on := parent
			if selection.TypeCondition != "" {
				on = p.schema.Types[selection.TypeCondition]
			}
			p.addSet(n, on, selection.SelectionSet)
		case *ast.FragmentSpread:
			n.add(partCost(selection.Directives))
			if spread := p.fragment(selection.Name); spread != nil {
				n.addNode(spread)
			}
		}
	}
}

// partCost is what a fragment counts for by itself: as an object when it is deferred, since it is then a part of the
// answer with a goroutine and a path.
func partCost(directives ast.DirectiveList) amount {
	if len(directives) > 0 && maybeDeferred(directives) {
		return amount{fixed: wholeCost}
	}
	return amount{}
}

func (p *costPlan) fragment(name string) *costNode {
	if n, ok := p.done[name]; ok {
		return n
	}
	definition := p.fragments[name]
	if definition == nil {
		return nil
	}
	n := p.node(p.schema.Types[definition.TypeCondition], definition.SelectionSet)
	p.done[name] = n
	return n
}

func (n *costNode) addNode(other *costNode) {
	if !other.isKnown() {
		n.spreads = append(n.spreads, other)
		return
	}
	n.add(other.known)
}

func (n *costNode) add(a amount) {
	n.known = amount{fixed: add(n.known.fixed, a.fixed), perItem: add(n.known.perItem, a.perItem)}
}

func (p *costPlan) addField(n *costNode, parent *ast.Definition, field *ast.Field) {
	result, weight, size := price(p.schema, parent, field)
	if len(field.SelectionSet) == 0 {
		n.add(amount{fixed: weight})
		return
	}
	children := p.node(result, field.SelectionSet)
	if children.isKnown() && len(size.names) == 0 {
		n.add(size.apply(weight, children.known, size.or(-1)))
		return
	}
	n.fields = append(n.fields, costField{weight: weight, size: size, children: children})
}

// price returns the type of a field, what it counts for by itself, in tenths, and how often its children count.
func price(schema *ast.Schema, parent *ast.Definition,
	field *ast.Field) (result *ast.Definition, weight int64, size pageSize) {
	definition, result := fieldOf(schema, parent, field.Name)
	size = sizeOf(definition, field)
	own, said := weightOf(definition)
	switch {
	case parent != nil && strings.HasPrefix(parent.Name, "__"):
		// The schema's description is not answered by plans, and is as long as the schema.
		return result, wholeCost, introspectionSize(parent, definition)
	case parent == schema.Query && field.Name == "__schema":
		weight = times(IntrospectionCost, wholeCost)
	case said:
		weight = times(own, wholeCost)
	case len(field.SelectionSet) == 0:
		weight = leafCost
	default:
		weight = wholeCost
	}
	return result, weight, size
}

// fieldOf looks a field up; both results are nil when the schema does not know it.
func fieldOf(schema *ast.Schema, parent *ast.Definition, name string) (*ast.FieldDefinition, *ast.Definition) {
	if parent == nil {
		return nil, nil
	}
	definition := parent.Fields.ForName(name)
	if definition == nil {
		return nil, nil
	}
	return definition, schema.Types[definition.Type.Name()]
}

// costDirective says what a field counts for by itself, and how long a list counts that has no pages;
// schema/root.graphqls describes it.
const costDirective = "cost"

// weightOf is what a field counts for by itself, where its definition says so.
func weightOf(definition *ast.FieldDefinition) (weight int64, said bool) {
	return costArgument(definition, "weight")
}

func costArgument(definition *ast.FieldDefinition, name string) (int64, bool) {
	if definition == nil {
		return 0, false
	}
	directive := definition.Directives.ForName(costDirective)
	if directive == nil {
		return 0, false
	}
	argument := directive.Arguments.ForName(name)
	if argument == nil {
		return 0, false
	}
	return literalSize(argument.Value)
}

// introspectionSize is how long a list of the schema's description counts: those of a type as a long one, others once,
// since IntrospectionCost has counted them or they are short.
func introspectionSize(parent *ast.Definition, definition *ast.FieldDefinition) pageSize {
	if parent.Name == "__Type" && definition != nil && definition.Type.Elem != nil {
		return pageSize{kind: ownList, written: IntrospectionListSize}
	}
	return pageSize{kind: once}
}

// or returns the size, where given is what the variables say and -1 when they say nothing.
func (s pageSize) or(given int64) int64 {
	if given = max(given, s.written); given >= 0 {
		return given
	}
	return s.fallback
}

// sizeOf finds out how the field is paged, from its definition and its arguments.
func sizeOf(definition *ast.FieldDefinition, field *ast.Field) pageSize {
	if definition == nil {
		return pageSize{kind: once}
	}
	isList := definition.Type.Elem != nil
	first, last := definition.Arguments.ForName("first"), definition.Arguments.ForName("last")
	switch {
	case first != nil || last != nil:
		size := pageSize{kind: ownPage, written: -1, fallback: DefaultPageSize}
		if isList {
			size.kind = ownList
		}
		for _, argument := range []*ast.ArgumentDefinition{first, last} {
			if argument == nil {
				continue
			}
			if number, ok := literalSize(argument.DefaultValue); ok {
				size.fallback = number
			}
			size.read(field.Arguments.ForName(argument.Name))
		}
		return size
	case isList && definition.Arguments.ForName("ids") != nil:
		size := pageSize{kind: ownList, written: -1}
		size.read(field.Arguments.ForName("ids"))
		return size
	case isList:
		if bound, ok := costArgument(definition, "size"); ok {
			return pageSize{kind: ownList, written: bound}
		}
		return pageSize{kind: inherited}
	default:
		return pageSize{kind: once}
	}
}

// read takes the size from an argument; nil is an argument that was left out.
func (s *pageSize) read(argument *ast.Argument) {
	if argument == nil || argument.Value == nil {
		return
	}
	switch argument.Value.Kind {
	case ast.Variable:
		s.names = append(s.names, argument.Value.Raw)
	case ast.ListValue:
		s.written = max(s.written, int64(len(argument.Value.Children)))
	case ast.StringValue:
		s.written = max(s.written, 1) // a single value stands for a list of one
	default:
		if number, ok := literalSize(argument.Value); ok {
			s.written = max(s.written, number)
		}
	}
}

func literalSize(value *ast.Value) (int64, bool) {
	if value == nil || value.Kind != ast.IntValue {
		return 0, false
	}
	return numberSize(json.Number(value.Raw))
}

// numberSize reads a number as a page size. Numbers that are no page size will be refused later; until then a
// negative one counts as nothing and an enormous one as enormous.
func numberSize(number json.Number) (int64, bool) {
	n, err := number.Int64()
	if err == nil {
		return min(max(n, 0), maxCounted), true
	}
	f, err := number.Float64()
	if err != nil && !strings.HasPrefix(string(number), "-") {
		return maxCounted, true
	}
	return int64(min(max(f, 0), maxCounted)), true
}

// cost computes what the operation costs with these variables, which are as the request has them, not yet coerced.
func (p *costPlan) cost(op *ast.OperationDefinition, variables map[string]any) int64 {
	return whole(p.tenths(op, variables))
}

func (p *costPlan) tenths(op *ast.OperationDefinition, variables map[string]any) int64 {
	root := p.operations[op]
	if root.isKnown() {
		return root.known.at(UnpagedListSize)
	}
	e := costEvaluation{op: op, variables: variables, done: make([]bool, p.slots), amounts: make([]amount, p.slots)}
	return e.amount(root).at(UnpagedListSize)
}

// costEvaluation remembers what it has computed, so that chains of fragments cost linear time.
type costEvaluation struct {
	op        *ast.OperationDefinition
	variables map[string]any
	done      []bool
	amounts   []amount
}

func (e *costEvaluation) amount(n *costNode) amount {
	if n.isKnown() {
		return n.known
	}
	if e.done[n.slot] {
		return e.amounts[n.slot]
	}
	total := costNode{known: n.known}
	for _, field := range n.fields {
		total.add(field.size.apply(field.weight, e.amount(field.children), e.size(field.size)))
	}
	for _, spread := range n.spreads {
		total.add(e.amount(spread))
	}
	e.done[n.slot], e.amounts[n.slot] = true, total.known
	return total.known
}

func (e *costEvaluation) size(s pageSize) int64 {
	given := int64(-1)
	for _, name := range s.names {
		if number, ok := e.variableSize(name); ok {
			given = max(given, number)
		}
	}
	return s.or(given)
}

// variableSize reads a variable as a page size or as the length of a list.
func (e *costEvaluation) variableSize(name string) (int64, bool) {
	value, given := e.variables[name]
	if !given {
		definition := e.op.VariableDefinitions.ForName(name)
		if definition == nil || definition.DefaultValue == nil {
			return 0, false
		}
		if definition.DefaultValue.Kind == ast.ListValue {
			return int64(len(definition.DefaultValue.Children)), true
		}
		return literalSize(definition.DefaultValue)
	}
	switch value := value.(type) {
	case json.Number:
		return numberSize(value)
	case []any:
		return int64(len(value)), true
	case string:
		return 1, true
	default:
		return 0, false
	}
}
