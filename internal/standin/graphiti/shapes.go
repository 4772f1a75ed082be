package graphiti

import "time"

// The shapes of answers, as the server writes them.

type (
	messageResult struct {
		Message string `json:"message"`
	}
	errorResult struct {
		Error string `json:"error"`
	}
	statusResult struct {
		Status  string `json:"status"`
		Message string `json:"message"`
	}
	nodesResult struct {
		Message string       `json:"message"`
		Nodes   []nodeResult `json:"nodes"`
	}
	factsResult struct {
		Message string       `json:"message"`
		Facts   []factResult `json:"facts"`
	}
	episodesResult struct {
		Message  string          `json:"message"`
		Episodes []episodeResult `json:"episodes"`
	}
	// partsResult answers add_triplet and get_episode_entities; its facts are cut short.
	partsResult struct {
		Message string       `json:"message"`
		Nodes   []nodeResult `json:"nodes"`
		Edges   []edgeResult `json:"edges"`
	}
	nodeResult struct {
		UUID       string            `json:"uuid"`
		Name       string            `json:"name"`
		Labels     []string          `json:"labels"`
		CreatedAt  string            `json:"created_at"`
		Summary    string            `json:"summary"`
		GroupID    string            `json:"group_id"`
		Attributes map[string]string `json:"attributes"`
	}
	// edgeResult is a fact as add_triplet and get_episode_entities tell it: without its episodes and without expired_at.
	edgeResult struct {
		UUID      string  `json:"uuid"`
		Name      string  `json:"name"`
		Fact      string  `json:"fact"`
		Source    string  `json:"source_node_uuid"`
		Target    string  `json:"target_node_uuid"`
		GroupID   string  `json:"group_id"`
		CreatedAt string  `json:"created_at"`
		ValidAt   *string `json:"valid_at"`
		InvalidAt *string `json:"invalid_at"`
	}
	factResult struct {
		edgeResult
		Episodes   []string          `json:"episodes"`
		ExpiredAt  *string           `json:"expired_at"`
		Reference  *string           `json:"reference_time"`
		Attributes map[string]string `json:"attributes"`
	}
	episodeResult struct {
		UUID        string `json:"uuid"`
		Name        string `json:"name"`
		Content     string `json:"content"`
		CreatedAt   string `json:"created_at"`
		Source      string `json:"source"`
		Description string `json:"source_description"`
		GroupID     string `json:"group_id"`
		// ValidAt and Edges are told by the older server only, which writes the whole row.
		ValidAt *string  `json:"valid_at,omitempty"`
		Edges   []string `json:"entity_edges,omitempty"`
	}
)

// stampLayout is how Python writes a time with its zone.
const stampLayout = "2006-01-02T15:04:05.999999-07:00"

func stamp(at time.Time) string { return at.UTC().Format(stampLayout) }

func optionalStamp(at time.Time) *string {
	if at.IsZero() {
		return nil
	}
	text := stamp(at)
	return &text
}

func nodeShape(n *node) nodeResult {
	labels := []string{"Entity"}
	if n.label != "" {
		labels = append(labels, n.label)
	}
	return nodeResult{
		UUID: n.uuid, Name: n.name, Labels: labels, CreatedAt: stamp(n.created), Summary: n.summary, GroupID: n.group,
		Attributes: map[string]string{},
	}
}

func edgeShape(e *edge) edgeResult {
	return edgeResult{
		UUID: e.uuid, Name: e.name, Fact: e.fact, Source: e.source, Target: e.target, GroupID: e.group,
		CreatedAt: stamp(e.created), ValidAt: optionalStamp(e.valid), InvalidAt: optionalStamp(e.invalid),
	}
}

func factShape(e *edge) factResult {
	episodes := e.episodes
	if episodes == nil {
		episodes = []string{}
	}
	return factResult{edgeResult: edgeShape(e), Episodes: episodes, ExpiredAt: optionalStamp(e.expired),
		Reference: optionalStamp(e.reference), Attributes: map[string]string{}}
}

func episodeShape(ep *episode) episodeResult {
	return episodeResult{
		UUID: ep.uuid, Name: ep.name, Content: ep.content, CreatedAt: stamp(ep.created), Source: ep.source,
		Description: ep.description, GroupID: ep.group,
	}
}

// shapes returns the shape of each; never nil, since the server writes an empty list.
func shapes[T, S any](all []T, shape func(T) S) []S {
	out := make([]S, len(all))
	for i, one := range all {
		out[i] = shape(one)
	}
	return out
}
