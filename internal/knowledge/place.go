package knowledge

import (
	"encoding/binary"
	"math"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
)

// Places are a letter for their kind and what the store needs to go on from there. Callers seal them; what does not
// read well all the same is refused.
const (
	placeByName = 'n'
	placeByTime = 't'
	placeByRank = 'r'
)

func writeNamePlace(p store.EntityPlace) []byte {
	return append(append([]byte{placeByName}, p.ID[:]...), p.Name...)
}

func readNamePlace(b []byte) (*store.EntityPlace, error) {
	if b == nil {
		return nil, nil //nolint:nilnil // the start
	}
	var p store.EntityPlace
	if len(b) < 1+len(p.ID) || b[0] != placeByName {
		return nil, errPlace()
	}
	p.Name = string(b[1+copy(p.ID[:], b[1:]):])
	return &p, nil
}

func writeTimePlace(p store.TimePlace) []byte {
	return append(binary.BigEndian.AppendUint64([]byte{placeByTime}, uint64(p.At.UnixMicro())), p.ID[:]...)
}

func readTimePlace(b []byte) (*store.TimePlace, error) {
	if b == nil {
		return nil, nil //nolint:nilnil // the start
	}
	var p store.TimePlace
	const head = 1 + 8
	if len(b) != head+len(p.ID) || b[0] != placeByTime {
		return nil, errPlace()
	}
	p.At = time.UnixMicro(int64(binary.BigEndian.Uint64(b[1:]))).UTC()
	copy(p.ID[:], b[head:])
	return &p, nil
}

// writeRank writes after how many hits to go on.
func writeRank(rank int) []byte {
	return binary.BigEndian.AppendUint32([]byte{placeByRank}, uint32(rank))
}

// readRank reads what writeRank wrote, at most model.MaxSearchDepth; 0 for the start.
func readRank(b []byte) (int, error) {
	if b == nil {
		return 0, nil
	}
	if len(b) != 1+4 || b[0] != placeByRank {
		return 0, errPlace()
	}
	return int(min(binary.BigEndian.Uint32(b[1:]), math.MaxInt32, model.MaxSearchDepth)), nil
}

func errPlace() error {
	return model.BadInput("after", "this cursor does not belong here; use one that this very query has given")
}
