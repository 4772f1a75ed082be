package engine

import (
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// validationRules are gqlparser's, in the order of their names, with these changes: the rules on overlapping fields and
// on nested introspection are left to ours, since theirs take time beyond any bound; so is the rule on the fields of a
// subscription, which compares the fields' names where the specification counts response names; without suggestions,
// the rules that would answer a wrong name with the right ones are exchanged for their silent twins.
func validationRules(suggestions bool) []core.Rule {
	silent := map[string]core.Rule{
		"FieldsOnCorrectType": rules.FieldsOnCorrectTypeRuleWithoutSuggestions,
		"KnownArgumentNames":  rules.KnownArgumentNamesRuleWithoutSuggestions,
		"KnownTypeNames":      rules.KnownTypeNamesRuleWithoutSuggestions,
		"ScalarLeafs":         rules.ScalarLeafsRuleWithoutSuggestions,
		"ValuesOfCorrectType": rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
	}
	kept := []core.Rule{
		rules.FieldsOnCorrectTypeRule, rules.FragmentsOnCompositeTypesRule, rules.KnownArgumentNamesRule,
		rules.KnownDirectivesRule, rules.KnownFragmentNamesRule, rules.KnownRootTypeRule, rules.KnownTypeNamesRule,
		rules.LoneAnonymousOperationRule, rules.NoFragmentCyclesRule, rules.NoUndefinedVariablesRule,
		rules.NoUnusedFragmentsRule, rules.NoUnusedVariablesRule, rules.PossibleFragmentSpreadsRule,
		rules.ProvidedRequiredArgumentsRule, rules.ScalarLeafsRule,
		rules.UniqueArgumentNamesRule, rules.UniqueDirectivesPerLocationRule, rules.UniqueFragmentNamesRule,
		rules.UniqueInputFieldNamesRule, rules.UniqueOperationNamesRule, rules.UniqueVariableNamesRule,
		rules.ValuesOfCorrectTypeRule, rules.VariablesAreInputTypesRule, rules.VariablesInAllowedPositionRule,
		{Name: "LiteralsRead", RuleFunc: literalsRead}, {Name: "NumbersFit", RuleFunc: numbersFit},
		{Name: "SingleFieldSubscriptions", RuleFunc: singleStream},
		{Name: "DeferLabels", RuleFunc: deferLabels}, {Name: "DeferPlaces", RuleFunc: deferPlaces},
	}
	if !suggestions {
		for i, rule := range kept {
			if twin, ok := silent[rule.Name]; ok {
				kept[i] = twin
			}
		}
	}
	return kept
}

// numbersFit refuses Int literals beyond 32 bits (October 2021, section 3.5.1), and numbers in a custom scalar that
// the execution could not read. The other built-in scalars have a rule of gqlparser's.
func numbersFit(observers *core.Events, addError core.AddErrFunc) {
	observers.OnValue(func(_ *core.Walker, value *ast.Value) {
		bits := 64
		if value.Definition != nil {
			switch value.Definition.Name {
			case "Int":
				bits = 32
				if _, err := strconv.ParseInt(value.Raw, 10, 64); err != nil {
					return
				}
			case "Float", "String", "ID", "Boolean":
				return
			}
		}
		var err error
		switch value.Kind {
		case ast.IntValue:
			_, err = strconv.ParseInt(value.Raw, 10, bits)
		case ast.FloatValue:
			_, err = strconv.ParseFloat(value.Raw, 64)
		}
		if err != nil {
			addError(core.Message("The number %s does not fit in %d bits.", clip(value.Raw), bits), core.At(value.Position))
		}
	})
}

// singleStream refuses a subscription of more than one response name (October 2021, section 5.2.3.1), or of the
// schema's description.
func singleStream(observers *core.Events, addError core.AddErrFunc) {
	observers.OnOperation(func(walker *core.Walker, op *ast.OperationDefinition) {
		if op.Operation != ast.Subscription {
			return
		}
		fields := overlap{fragments: fragmentsOf(walker.Document)}
		for i, group := range fields.collect([]ast.SelectionSet{op.SelectionSet}) {
			switch {
			case strings.HasPrefix(group[0].Name, "__"):
				addError(core.Message("A subscription must not select %s.", group[0].Name), core.At(group[0].Position))
			case i > 0:
				addError(core.Message("A subscription must select only one top level field."), core.At(group[0].Position))
			}
		}
	})
}

// enough ends a validation that has found as many errors as an answer can hold.
type enough struct{}

// validate holds the document against every rule and returns at most the limit of errors. It writes the definitions it
// finds into the document, so it runs before the document is shared.
func (e *Engine) validate(doc *ast.QueryDocument) (errs gqlerror.List) {
	defer func() {
		switch r := recover(); r.(type) {
		case nil, enough:
		default:
			panic(r)
		}
	}()
	var events core.Events
	for _, rule := range e.rules {
		rule.RuleFunc(&events, func(options ...core.ErrorOption) {
			err := &gqlerror.Error{}
			for _, option := range options {
				option(err)
			}
			for _, known := range errs { // what is wrong in many places is told once
				if known.Message == err.Message {
					if len(known.Locations) < e.limits.Errors {
						known.Locations = append(known.Locations, err.Locations...)
					}
					return
				}
			}
			errs = append(errs, err)
			if len(errs) >= e.limits.Errors {
				panic(enough{})
			}
		})
	}
	core.Walk(e.schema, doc, &events)
	if len(errs) > 0 {
		return errs
	}
	if err := overlaps(e.schema, doc); err != nil {
		return gqlerror.List{err}
	}
	return nil
}
