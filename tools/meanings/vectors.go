package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// vectors are word vectors, the most frequent words first.
type vectors struct {
	words []string
	rank  map[string]int
	of    map[string][]float64
}

// length is that of a vector of the source.
const length = 100

func readVectors(path string) (*vectors, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var file struct {
		Words   []string             `json:"words"`
		Vectors map[string][]float64 `json:"vectors"`
	}
	if err := json.NewDecoder(bufio.NewReaderSize(f, 1<<20)).Decode(&file); err != nil {
		return nil, err
	}
	v := &vectors{words: file.Words, rank: make(map[string]int, len(file.Words)), of: file.Vectors}
	for i, word := range file.Words {
		v.rank[word] = i + 1
	}
	for word, vector := range v.of {
		if len(vector) < length {
			return nil, fmt.Errorf("%q has a vector of %d numbers", word, len(vector))
		}
		v.of[word] = vector[:length]
	}
	if len(v.of) == 0 {
		return nil, fmt.Errorf("%s has no vectors", path)
	}
	return v, nil
}
