package postgres

import (
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"almanac/adapters/store/rows"
	"almanac/graph/model"
)

// uuidArg returns an id as a parameter.
func uuidArg(id model.UUID) pgtype.UUID { return pgtype.UUID{Bytes: id, Valid: true} }

func userArg(user model.UserID) pgtype.UUID { return pgtype.UUID{Bytes: user, Valid: true} }

// arrayOf is an array as a parameter, of a type that pgx encodes by a method. pgx takes a slice of such apart by
// reflection, and allocates each element anew.
type arrayOf[T any] []T

// Dimensions implements pgtype.ArrayGetter.
func (a arrayOf[T]) Dimensions() []pgtype.ArrayDimension { return pgtype.FlatArray[T](a).Dimensions() }

// Index implements pgtype.ArrayGetter.
func (a arrayOf[T]) Index(i int) any { return &a[i] }

// IndexType implements pgtype.ArrayGetter.
func (a arrayOf[T]) IndexType() any { return new(T) }

// plainText is a text that pgx encodes by a method.
type plainText string

// TextValue implements pgtype.TextValuer.
func (t plainText) TextValue() (pgtype.Text, error) {
	return pgtype.Text{String: string(t), Valid: true}, nil
}

// textArgs returns texts as a parameter.
func textArgs(texts []string) arrayOf[plainText] {
	args := make(arrayOf[plainText], len(texts))
	for i, text := range texts {
		args[i] = plainText(text)
	}
	return args
}

func uuidArgs(ids []model.UUID) arrayOf[pgtype.UUID] {
	args := make(arrayOf[pgtype.UUID], len(ids))
	for i, id := range ids {
		args[i] = uuidArg(id)
	}
	return args
}

// timeArg returns a time as a parameter, cut to the microsecond; the zero time is NULL.
func timeArg(t time.Time) pgtype.Timestamptz {
	return pgtype.Timestamptz{Time: rows.Time(t), Valid: !t.IsZero()}
}

// dueArg returns a due date as it is kept: a task without one is due at infinity.
func dueArg(t time.Time) pgtype.Timestamptz {
	if t.IsZero() {
		return pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}
	}
	return timeArg(t)
}

// textArg returns a text as a parameter; the empty text is NULL.
func textArg(text string) pgtype.Text { return pgtype.Text{String: text, Valid: text != ""} }

// bytesArg returns bytes as a parameter; none are NULL.
func bytesArg(b []byte) []byte {
	if len(b) == 0 {
		return nil
	}
	return b
}

// instantArg returns a time that is always there; the zero time is the first instant of year 1 like any other.
func instantArg(t time.Time) pgtype.Timestamptz {
	return pgtype.Timestamptz{Time: rows.Time(t), Valid: true}
}
