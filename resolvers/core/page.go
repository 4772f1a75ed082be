package core

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"time"

	"almanac/adapters/store"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
)

// RightWeights refuses weights outside of 0–1, and two zeros.
func RightWeights(weights graph.SearchWeights) error {
	for _, one := range []struct {
		field string
		value float64
	}{{"weights.similarity", weights.Similarity}, {"weights.keyword", weights.Keyword}} {
		if math.IsNaN(one.value) || one.value < 0 || one.value > 1 {
			return model.BadInput(one.field, "a weight is from 0 to 1")
		}
	}
	if weights.Similarity == 0 && weights.Keyword == 0 {
		return model.BadInput("weights", "at least one weight must be above 0")
	}
	return nil
}

// PageArgs are Relay's four arguments.
type PageArgs struct {
	First  *int32
	After  *string
	Last   *int32
	Before *string
}

// Window reads the four arguments. purpose names the list and its order, so that a cursor fits only where it comes
// from. BAD_USER_INPUT when first and last are both given, a size is out of bounds, or a cursor does not belong here.
func Window[P any](r *Base, v *Viewer, args PageArgs, purpose string,
	decode func([]byte) (P, bool)) (*store.Window[P], error) {
	if args.First != nil && args.Last != nil {
		return nil, model.BadInput("last", "give first or last, not both")
	}
	out := &store.Window[P]{Backward: args.Last != nil}
	name, size := "first", args.First
	if out.Backward {
		name, size = "last", args.Last
	}
	var err error
	if out.Limit, err = projections.PageSize(name, size, model.DefaultPageSize); err != nil {
		return nil, err
	}
	if out.After, err = OpenCursor(r, v, "after", purpose, args.After, decode); err != nil {
		return nil, err
	}
	if out.Before, err = OpenCursor(r, v, "before", purpose, args.Before, decode); err != nil {
		return nil, err
	}
	return out, nil
}

// OpenCursor opens a cursor given as an argument; nil for none. BAD_USER_INPUT at the argument for a cursor of another
// list or user, or of an older version of the program.
func OpenCursor[P any](r *Base, v *Viewer, argument, purpose string, text *string,
	decode func([]byte) (P, bool)) (*P, error) {
	if text == nil {
		return nil, nil
	}
	payload, err := r.Sealer.Open(purpose, v.User, *text)
	if err != nil {
		return nil, model.BadInput(argument, "%s is not a cursor of this list in this order", argument)
	}
	place, ok := decode(payload)
	if !ok {
		return nil, model.BadInput(argument, "%s is a cursor of an older version; start from the beginning", argument)
	}
	return &place, nil
}

// noTime stands for no time in a place: no time that can be asked for is that old, whereas microsecond 0 is midnight in
// 1970.
const noTime = math.MinInt64

// EncodePlace packs a place as its id, its time in microseconds, and its text.
func EncodePlace(id model.UUID, at time.Time, text string) []byte {
	payload := make([]byte, 0, 24+len(text))
	payload = append(payload, id[:]...)
	micros := int64(noTime)
	if !at.IsZero() {
		micros = at.UnixMicro()
	}
	payload = binary.BigEndian.AppendUint64(payload, uint64(micros))
	return append(payload, text...)
}

var errShortPlace = errors.New("place is too short")

// DecodePlace unpacks what EncodePlace packed.
func DecodePlace(payload []byte) (id model.UUID, at time.Time, text string, err error) {
	if len(payload) < 24 {
		return id, at, "", errShortPlace
	}
	copy(id[:], payload)
	if micros := int64(binary.BigEndian.Uint64(payload[16:24])); micros != noTime {
		at = time.UnixMicro(micros).UTC()
	}
	return id, at, string(bytes.Clone(payload[24:])), nil
}

// DecodeSeq unpacks the sequence number that ChangeCursor packed; false when it is none.
func DecodeSeq(payload []byte) (int64, bool) {
	if len(payload) != 8 {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(payload)), true
}

// PurposeChanges binds cursors to the change log.
const PurposeChanges = "changes"

// ChangeCursor names a place in the user's change log; taskChanged, listChanged and changes share it.
func (r *Base) ChangeCursor(user model.UserID, seq int64) string {
	return r.Sealer.Seal(PurposeChanges, user, binary.BigEndian.AppendUint64(nil, uint64(seq)))
}
