package config

// trusting are the settings of documents that clients name instead of sending them.
func trusting() []Setting {
	return []Setting{{
		Name: "documents",
		Meaning: "A manifest of trusted documents, which clients run by their `documentId`: a JSON file as Relay's " +
			"compiler, Apollo's generate-persisted-query-manifest or GraphQL Code Generator's client preset write it. " +
			"Every document is parsed, validated, priced and compiled at the start; one that could not be served stops " +
			"the start.",
		Allowed: "the path of a file of at most 16 MiB",
		Default: "not set: none",
		Example: "/etc/almanac/documents.json",
		set:     func(d *draft, v string) (err error) { d.Documents, err = d.machine.absolute(v); return err },
	}, switchOf("documents-only",
		"Serves only the documents of the manifest, over every transport. `/mcp` and `/agent/chat`, whose documents are "+
			"the server's own, still work; the home page and the explorer, in which nothing would run, are switched off.",
		func(d *draft) *bool { return &d.DocumentsOnly })}
}
