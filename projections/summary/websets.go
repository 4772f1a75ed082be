package summary

import (
	"cmp"
	"encoding/json"
	"strings"

	"almanac/graph/model"
)

// ofExa is which kind a record of Exa's is, as verbs begin with it, and what it is called; no kind for any other
// record.
func ofExa(record any) (kind, name string) {
	switch of := record.(type) {
	case *model.Webset:
		query := ""
		if len(of.Searches) > 0 {
			query = of.Searches[0].Query
		}
		return "webset ", cmp.Or(of.Title, of.ExternalID, query, of.Ref.PublicID().String())
	case *model.WebsetSearch:
		return "search ", cmp.Or(of.Query, of.Ref.PublicID().String())
	case *model.WebsetEnrichment:
		return "enrichment ", cmp.Or(of.Description, of.Ref.PublicID().String())
	case *model.WebsetItem:
		return "found item ", cmp.Or(of.Name, of.Ref.PublicID().String())
	case *model.WebsetMonitor:
		var told struct{ Cadence struct{ Cron string } }
		_ = json.Unmarshal([]byte(of.Raw), &told) // without it the id is said
		return "monitor ", cmp.Or(told.Cadence.Cron, of.Ref.PublicID().String())
	case *model.WebsetWebhook:
		return "webhook ", cmp.Or(strings.Join(of.Events, ", "), of.Ref.PublicID().String())
	case *model.WebsetImport:
		return "import ", cmp.Or(of.Title, of.Ref.PublicID().String())
	case *model.Research:
		return "research ", of.Model
	}
	return "", ""
}

func exaVerb(change model.Difference) string {
	switch {
	case change.Stopped:
		return "stopped"
	case change.Before == nil:
		return "added"
	case change.After == nil:
		return "deleted"
	}
	return "changed"
}
