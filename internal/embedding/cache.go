package embedding

import "crypto/sha256"

// cacheKey names what was looked for without keeping its text.
type cacheKey struct {
	model string
	text  [sha256.Size]byte
}

func keyOf(model, text string) cacheKey { return cacheKey{model, sha256.Sum256([]byte(text))} }
