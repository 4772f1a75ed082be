package compact

import (
	"bytes"
	"encoding/json"
)

// websetWords are the words of rows of websets in one language.
type websetWords struct {
	found, left, next, last, here                  string
	searches, enrichments, monitors, imports, rows counted
}

func websetWordsOf(w *writing) websetWords {
	if w.say == &hebrew {
		return websetWords{
			found: "נמצאו %", left: "נותרו % שניות", next: "הבא:", last: "אחרון:", here: "השרת הזה",
			searches: counted{"", "חיפוש אחד", "% חיפושים"}, enrichments: counted{"", "העשרה אחת", "% העשרות"},
			monitors: counted{"", "מעקב אחד", "% מעקבים"},
			imports:  counted{"", "ייבוא אחד", "% ייבואים"}, rows: counted{"", "שורה אחת", "% שורות"},
		}
	}
	return websetWords{
		found: "% found", left: "% s left", next: "next", last: "last", here: "this server",
		searches: counted{"", "1 search", "% searches"}, enrichments: counted{"", "1 enrichment", "% enrichments"},
		monitors: counted{"", "1 monitor", "% monitors"},
		imports:  counted{"", "1 import", "% imports"}, rows: counted{"", "1 row", "% rows"},
	}
}

// websetBuiltIns are the formatters of websets: by the names of this API's fields, by those of the original's
// operations ("items.list"), and by those of Exa's own tools ("list_webset_items"). They take our shapes and Exa's.
func websetBuiltIns() map[string]builtIn {
	return map[string]builtIn{
		"websets webset websets.list websets.getAll websets.get websets.create websets.update websets.cancel " +
			"websets.waitUntilIdle list_websets get_webset create_webset update_webset": exaRows[Webset](KindWebsets),
		"websetItems websetItem allWebsetItems items.list items.getAll items.get list_items " +
			"list_webset_items get_item": exaRows[WebsetItem](KindWebsetItems),
		"websetMonitors websetMonitor monitors.list monitors.getAll monitors.get " +
			"monitors.create create_monitor": exaRows[WebsetMonitor](KindWebsetMonitors),
		"websetMonitorRuns websetMonitorRun monitors.runs.list monitors.runs.get": exaRows[WebsetRun](KindWebsetRuns),
		"websetWebhooks websetWebhook webhooks.list webhooks.getAll webhooks.get": exaRows[WebsetWebhook](KindWebsetWebhooks),
		"websetWebhookAttempts webhooks.list_attempts webhooks.getAllAttempts":    exaRows[WebsetAttempt](KindWebsetAttempts),
		"websetImports websetImport imports.list imports.getAll imports.get imports.create " +
			"imports.waitUntilCompleted": exaRows[WebsetImport](KindWebsetImports),
		"websetEvents websetEvent events.list events.get events.getAll": exaRows[WebsetEvent](KindWebsetEvents),
		"researches research research.list research.get research.create " +
			"research.pollUntilFinished": exaRows[Research](KindResearches),
	}
}

// exaRows reads a page of this API or of Exa, a list, or one thing alone.
func exaRows[N Row](kind Kind) builtIn {
	return func(data json.RawMessage, o Options) (writer, error) {
		if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
			return rowsOf[N](kind)(data, o)
		}
		all, err := read[struct {
			Data      []N             `json:"data"`
			HasMore   bool            `json:"hasMore"`
			Truncated bool            `json:"truncated"`
			Nodes     json.RawMessage `json:"nodes"`
			Edges     json.RawMessage `json:"edges"`
			ID        *string         `json:"id"`
			Research  *string         `json:"researchId"`
		}](data)
		switch {
		case err != nil:
			return nil, err
		case all.Data != nil:
			page := Page{Kind: kind, More: all.HasMore || all.Truncated}
			for _, one := range all.Data {
				page.Rows = append(page.Rows, one)
			}
			return page, nil
		case all.Nodes != nil || all.Edges != nil:
			return rowsOf[N](kind)(data, o)
		case all.ID == nil && all.Research == nil:
			return nil, ErrInvalidData
		}
		one, err := read[N](data)
		return Page{Kind: kind, Rows: []Row{one}}, err
	}
}
