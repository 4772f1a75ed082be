package compact

import (
	"bytes"
	"encoding/json"
)

// connection is a page of this API as JSON: {nodes, edges: [{node}], emails, pageInfo}, or a list of nodes alone.
type connection[N, E any] struct {
	Nodes    []N `json:"nodes"`
	Edges    []E `json:"edges"`
	Emails   []N `json:"emails"`
	PageInfo struct {
		HasNextPage bool `json:"hasNextPage"`
	} `json:"pageInfo"`
}

// edge is a row within a page whose edges say nothing of their own.
type edge[N any] struct {
	Node N `json:"node"`
}

func readConnection[N, E any](data json.RawMessage) (connection[N, E], error) {
	var out connection[N, E]
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		nodes, err := read[[]N](data)
		out.Nodes = nodes
		return out, err
	}
	out, err := read[connection[N, E]](data)
	if err != nil || out.Nodes == nil && out.Edges == nil && out.Emails == nil {
		return out, ErrInvalidData
	}
	return out, nil
}

// rowsOf reads a page whose rows are told alike whether they come as nodes or through edges.
func rowsOf[N Row](kind Kind) builtIn {
	return func(data json.RawMessage, _ Options) (writer, error) {
		read, err := readConnection[N, edge[N]](data)
		if err != nil {
			return nil, err
		}
		page := Page{Kind: kind, More: read.PageInfo.HasNextPage}
		for _, nodes := range [...][]N{read.Nodes, read.Emails} {
			for _, node := range nodes {
				page.Rows = append(page.Rows, node)
			}
		}
		if len(page.Rows) == 0 {
			for _, one := range read.Edges {
				page.Rows = append(page.Rows, one.Node)
			}
		}
		return page, nil
	}
}

// edgesOf reads a page whose edges say how well each row was found; nodes are told without that.
func edgesOf[E, N Row](kind Kind) builtIn {
	return func(data json.RawMessage, _ Options) (writer, error) {
		read, err := readConnection[N, E](data)
		if err != nil {
			return nil, err
		}
		page := Page{Kind: kind, More: read.PageInfo.HasNextPage}
		for _, one := range read.Edges {
			page.Rows = append(page.Rows, one)
		}
		if len(page.Rows) == 0 {
			for _, node := range read.Nodes {
				page.Rows = append(page.Rows, node)
			}
		}
		return page, nil
	}
}

// boardOf reads a board.
func boardOf(data json.RawMessage, _ Options) (writer, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, ErrInvalidData
	}
	return read[Board](data)
}
