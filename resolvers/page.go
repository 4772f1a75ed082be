package resolvers

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/projections"
)

// pageArgs are Relay's four arguments.
type pageArgs struct {
	first  *int32
	after  *string
	last   *int32
	before *string
}

// window reads the four arguments. purpose names the list and its order, so that a cursor fits only where it comes
// from. BAD_USER_INPUT when first and last are both given, a size is out of bounds, or a cursor does not belong here.
func window[P any](r *Resolver, v *viewer, args pageArgs, purpose string,
	decode func([]byte) (P, bool)) (*store.Window[P], error) {
	if args.first != nil && args.last != nil {
		return nil, model.BadInput("last", "give first or last, not both")
	}
	out := &store.Window[P]{Backward: args.last != nil}
	name, size := "first", args.first
	if out.Backward {
		name, size = "last", args.last
	}
	var err error
	if out.Limit, err = projections.PageSize(name, size, model.DefaultPageSize); err != nil {
		return nil, err
	}
	if out.After, err = openCursor(r, v, "after", purpose, args.after, decode); err != nil {
		return nil, err
	}
	if out.Before, err = openCursor(r, v, "before", purpose, args.before, decode); err != nil {
		return nil, err
	}
	return out, nil
}

func openCursor[P any](r *Resolver, v *viewer, argument, purpose string, text *string,
	decode func([]byte) (P, bool)) (*P, error) {
	if text == nil {
		return nil, nil
	}
	payload, err := r.Sealer.Open(purpose, v.user, *text)
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

// encodePlace packs a place as its id, its time in microseconds, and its text.
func encodePlace(id model.UUID, at time.Time, text string) []byte {
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

// decodePlace unpacks what encodePlace packed.
func decodePlace(payload []byte) (id model.UUID, at time.Time, text string, err error) {
	if len(payload) < 24 {
		return id, at, "", errShortPlace
	}
	copy(id[:], payload)
	if micros := int64(binary.BigEndian.Uint64(payload[16:24])); micros != noTime {
		at = time.UnixMicro(micros).UTC()
	}
	return id, at, string(bytes.Clone(payload[24:])), nil
}

func decodeTaskPlace(payload []byte) (store.TaskPlace, bool) {
	id, at, text, err := decodePlace(payload)
	return store.TaskPlace{ID: id, At: at, Text: text}, err == nil
}

func decodeListPlace(payload []byte) (store.ListPlace, bool) {
	id, at, text, err := decodePlace(payload)
	return store.ListPlace{ID: id, At: at, Name: text}, err == nil
}

func decodeSeq(payload []byte) (int64, bool) {
	if len(payload) != 8 {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(payload)), true
}

const purposeChanges = "changes"

// changeCursor names a place in the user's change log; taskChanged, listChanged and changes share it.
func (r *Resolver) changeCursor(user model.UserID, seq int64) string {
	return r.Sealer.Seal(purposeChanges, user, binary.BigEndian.AppendUint64(nil, uint64(seq)))
}
