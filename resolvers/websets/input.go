package websets

import (
	"encoding/json"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"almanac/adapters/exa"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/resolvers/core"
)

// Bounds that Exa does not document, and that keep one request within reason.
const (
	maxWebsetSources     = 100
	maxWebsetEnrichments = 50
	maxWebsetCount       = 1_000_000
	maxWebsetMetadata    = 100
	maxWebsetTitle       = 500
	maxExaKey            = 512
	minMonitorText       = 2
)

// oneOfWords checks a word of Exa's that stands in a list. BAD_USER_INPUT with the nearest one and all of them.
func oneOfWords(field, text, what string, allowed []string) error {
	if slices.Contains(allowed, text) {
		return nil
	}
	meant := nearestWord(model.Clip(text), allowed)
	if meant != "" {
		meant = "did you mean " + strconv.Quote(meant) + "? "
	}
	return model.BadInput(field, "%q is no %s; %sallowed are: %s", model.Clip(text), what, meant,
		strings.Join(allowed, ", "))
}

// nearestWord returns the word that takes the fewest changes of letters, if that are at most a third of them; empty for
// none. (What matching takes for like is a text that holds another; these words hold each other.)
func nearestWord(text string, allowed []string) string {
	nearest, fewest := "", len(text)/3+1
	for _, word := range allowed {
		if n := changesBetween(text, word); n < fewest {
			nearest, fewest = word, n
		}
	}
	return nearest
}

// changesBetween counts the bytes to put in, take out or replace so that one text becomes the other (Levenshtein's
// distance).
func changesBetween(from, to string) int {
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(from) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(to) {
			change := corner
			if from[i] != to[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, corner+1)
		}
	}
	return row[len(to)]
}

// eventTypes reads types of events, each once.
func eventTypes(field string, texts []string) ([]string, error) {
	all := model.WebsetEventTypes()
	if len(texts) == 0 || len(texts) > len(all) {
		return nil, model.BadInput(field, "give 1 to %d types of events, not %d", len(all), len(texts))
	}
	var out []string
	for i, text := range texts {
		if err := oneOfWords(field+"."+strconv.Itoa(i), text, "type of event", all); err != nil {
			return nil, err
		}
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out, nil
}

// criteriaOf reads what items are judged by; nil when it was left out.
func criteriaOf(field string, texts []string) ([]string, error) {
	if texts == nil {
		return nil, nil
	}
	if len(texts) == 0 || len(texts) > model.MaxWebsetCriteria {
		return nil, model.BadInput(field, "give 1 to %d criteria, not %d; leave them out to let Exa find them",
			model.MaxWebsetCriteria, len(texts))
	}
	out := make([]string, len(texts))
	for i, text := range texts {
		var err error
		if out[i], err = core.CleanText(field+"."+strconv.Itoa(i), text, model.MaxWebsetCriterion); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// entityOf reads what is looked for; nil when it was left out.
func entityOf(field string, in *graph.WebsetEntityInput) (*exa.Entity, error) {
	if in == nil {
		return nil, nil //nolint:nilnil // nothing was said
	}
	if err := oneOfWords(field+".type", in.Type, "type of entity", model.WebsetEntityTypes()); err != nil {
		return nil, err
	}
	out := &exa.Entity{Type: in.Type}
	const custom = "custom"
	switch {
	case in.Type == custom && in.Description == nil:
		return nil, model.BadInput(field+".description", "the type custom needs a description of %d–%d characters",
			model.MinWebsetCustomEntity, model.MaxWebsetCustomEntity)
	case in.Type != custom && in.Description != nil:
		return nil, model.BadInput(field+".description",
			"only the type custom has a description; leave it out, or set type to custom")
	case in.Type == custom:
		var err error
		if out.Description, err = core.CleanText(field+".description", *in.Description,
			model.MaxWebsetCustomEntity); err != nil {
			return nil, err
		}
		if utf8.RuneCountInString(out.Description) < model.MinWebsetCustomEntity {
			return nil, model.BadInput(field+".description", "the description is too short; it has %d–%d characters",
				model.MinWebsetCustomEntity, model.MaxWebsetCustomEntity)
		}
	}
	return out, nil
}

// sourcesOf reads imports and websets.
func sourcesOf(field string, all []graph.WebsetSourceInput) ([]exa.Source, error) {
	if len(all) > maxWebsetSources {
		return nil, model.BadInput(field, "give at most %d imports and websets, not %d", maxWebsetSources, len(all))
	}
	var out []exa.Source
	for i, one := range all {
		source, err := oneSource(field+"."+strconv.Itoa(i), &one)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(out, source) {
			out = append(out, source)
		}
	}
	return out, nil
}

func oneSource(field string, in *graph.WebsetSourceInput) (exa.Source, error) {
	if in == nil || (in.ImportID == nil) == (in.WebsetID == nil) {
		return exa.Source{}, model.BadInput(field, "give importId or websetId, and not both")
	}
	if in.ImportID != nil {
		ref, err := WebsetRef(field+".importId", *in.ImportID, model.KindWebsetImport)
		return exa.Source{Source: "import", ID: ref.ID}, err
	}
	ref, err := WebsetRef(field+".websetId", *in.WebsetID, model.KindWebset)
	return exa.Source{Source: "webset", ID: ref.ID}, err
}

// exaScope reads where to look.
func exaScope(field string, all []graph.WebsetScopeInput) ([]exa.Source, error) {
	if len(all) > maxWebsetSources {
		return nil, model.BadInput(field, "give at most %d imports and websets, not %d", maxWebsetSources, len(all))
	}
	var out []exa.Source
	for i, one := range all {
		at := field + "." + strconv.Itoa(i)
		source, err := oneSource(at+".source", one.Source)
		if err != nil {
			return nil, err
		}
		switch {
		case one.Relationship == nil && one.Limit != nil:
			return nil, model.BadInput(at+".limit", "limit belongs to a relationship; give one, or leave limit out")
		case one.Relationship != nil && one.Limit == nil:
			return nil, model.BadInput(at+".limit", "say how many to look for with each item, from 1 to %d",
				model.MaxWebsetRelationship)
		case one.Relationship != nil:
			if *one.Limit < 1 || *one.Limit > model.MaxWebsetRelationship {
				return nil, model.BadInput(at+".limit", "limit is %d; it must be from 1 to %d", *one.Limit,
					model.MaxWebsetRelationship)
			}
			if source.Relationship, err = core.CleanText(at+".relationship", *one.Relationship,
				model.MaxWebsetCriterion); err != nil {
				return nil, err
			}
			source.Limit = int(*one.Limit)
		}
		out = append(out, source)
	}
	return out, nil
}

// countOf reads how many items are to be found.
func countOf(field string, n int32) (int, error) {
	if n < 1 || n > maxWebsetCount {
		return 0, model.BadInput(field, "count is %d; it must be from 1 to %d", n, maxWebsetCount)
	}
	return int(n), nil
}

// searchOf reads what to search for; nil when it was left out.
func searchOf(field string, in *graph.WebsetSearchInput, mostQuery int) (*exa.Search, error) {
	if in == nil {
		return nil, nil //nolint:nilnil // nothing was said
	}
	out := &exa.Search{Recall: in.Recall}
	var err error
	if out.Query, err = core.CleanText(field+".query", in.Query, mostQuery); err != nil {
		return nil, err
	}
	if out.Count, err = countOf(field+".count", in.Count); err != nil {
		return nil, err
	}
	if out.Entity, err = entityOf(field+".entity", in.Entity); err != nil {
		return nil, err
	}
	if out.Criteria, err = criteriaOf(field+".criteria", in.Criteria); err != nil {
		return nil, err
	}
	if out.Exclude, err = sourcesOf(field+".exclude", in.Exclude); err != nil {
		return nil, err
	}
	out.Scope, err = exaScope(field+".scope", in.Scope)
	return out, err
}

// formatOptions is the format whose results are chosen from a list.
const formatOptions = "options"

// formatOf checks a format with its options. Options alone mean the format that has them.
func formatOf(field string, format *string, options []string) (string, []string, error) {
	name := ""
	if format != nil {
		name = *format
		if err := oneOfWords(field+".format", name, "format", model.WebsetFormats()); err != nil {
			return "", nil, err
		}
	}
	switch {
	case options == nil && name == formatOptions:
		return "", nil, model.BadInput(field+".options", "the format options needs 1–%d options to choose from",
			model.MaxWebsetOptions)
	case options == nil:
		return name, nil, nil
	case name == "":
		name = formatOptions
	case name != formatOptions:
		return "", nil, model.BadInput(field+".options",
			"only the format options has any; leave them out, or set format to options")
	}
	if len(options) == 0 || len(options) > model.MaxWebsetOptions {
		return "", nil, model.BadInput(field+".options", "give 1 to %d options, not %d", model.MaxWebsetOptions, len(options))
	}
	var out []string
	for i, text := range options {
		label, err := core.CleanText(field+".options."+strconv.Itoa(i), text, model.MaxWebsetCriterion)
		if err != nil {
			return "", nil, err
		}
		if slices.Contains(out, label) {
			return "", nil, model.BadInput(field+".options."+strconv.Itoa(i), "%q is there twice", model.Clip(label))
		}
		out = append(out, label)
	}
	return name, out, nil
}

// enrichmentOf reads what to find out.
func enrichmentOf(field string, in *graph.WebsetEnrichmentInput) (out exa.Enrichment, err error) {
	if out.Description, err = core.CleanText(field+".description", in.Description,
		model.MaxWebsetDescription); err != nil {
		return out, err
	}
	if out.Format, out.Options, err = formatOf(field, in.Format, in.Options); err != nil {
		return out, err
	}
	out.Metadata, err = exaMetadata(field+".metadata", in.Metadata)
	return out, err
}

// reservedMetadata begins the entries that this server keeps for itself.
const reservedMetadata = "almanac"

// exaMetadata reads what is noted with something: an object of texts. Empty for nothing.
func exaMetadata(field string, value *model.JSON) (model.JSON, error) {
	if value == nil || *value == "null" {
		return "", nil
	}
	var entries map[string]json.RawMessage
	if json.Unmarshal([]byte(*value), &entries) != nil {
		return "", model.BadInput(field, "metadata must be an object of texts, such as {\"project\": \"atlas\"}")
	}
	if len(entries) > maxWebsetMetadata {
		return "", model.BadInput(field, "metadata has at most %d entries, not %d", maxWebsetMetadata, len(entries))
	}
	for name, raw := range entries {
		var text string
		switch at := field + "." + model.Clip(name); {
		case name == "" || utf8.RuneCountInString(name) > model.MaxWebsetMetadataValue:
			return "", model.BadInput(field, "names of metadata have 1–%d characters", model.MaxWebsetMetadataValue)
		case strings.HasPrefix(name, reservedMetadata):
			return "", model.BadInput(at, "names that begin with %q are this server's own", reservedMetadata)
		case len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &text) != nil:
			return "", model.BadInput(at, "metadata holds texts alone; write %q as a text", model.Clip(string(raw)))
		case utf8.RuneCountInString(text) > model.MaxWebsetMetadataValue:
			return "", model.BadInput(at, "the text has %d characters; at most %d are allowed", utf8.RuneCountInString(text),
				model.MaxWebsetMetadataValue)
		}
	}
	return *value, nil
}

// metadataPatch reads metadata to replace; nil when they were left out, and empty ones for null.
func metadataPatch(said graphql.Omittable[*model.JSON]) (*model.JSON, error) {
	if !said.IsSet() {
		return nil, nil //nolint:nilnil // nothing was said
	}
	metadata, err := exaMetadata("input.metadata", said.Value())
	if metadata == "" {
		metadata = "{}"
	}
	return &metadata, err
}

// externalIDOf reads a caller's own name of a webset; empty when it was left out.
func externalIDOf(field string, text *string) (string, error) {
	if text == nil {
		return "", nil
	}
	n := utf8.RuneCountInString(*text)
	if n < 1 || n > model.MaxWebsetExternalID || !model.SoundWebsetID(*text) {
		return "",
			model.BadInput(field,
				"an externalId has 1–%d characters that can be printed, of at most 400 bytes, and does not begin with a dot",
				model.MaxWebsetExternalID)
	}
	return *text, nil
}

// hookAddress reads where a webhook of the caller's own is. Exa calls it, from elsewhere: what only this machine or
// network can reach would never be told.
func hookAddress(field, text string) (string, error) {
	address, err := webAddress(field, text, "https")
	if err != nil {
		return "", err
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", model.BadInput(field, "%q is not an address", model.Clip(text))
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	ip, err := netip.ParseAddr(host)
	ip = ip.Unmap()
	private := err == nil && (ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified() ||
		ip.IsMulticast())
	if private || host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".local") ||
		strings.HasSuffix(host, ".internal") {
		return "", model.BadInput(field, "Exa cannot reach %q; give an address on the internet", model.Clip(u.Hostname()))
	}
	return address, nil
}
