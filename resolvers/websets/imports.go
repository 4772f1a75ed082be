package websets

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"almanac/adapters/exa"
	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections"
	"almanac/resolvers/core"
)

// newImport reads an import to be made.
func newImport(in graph.CreateWebsetImportInput) (out exa.Import, err error) {
	columns := 0
	if in.CSV != nil {
		if in.Size != nil || in.Count != nil {
			return out, model.BadInput("input.size", "csv tells its size and its rows itself; leave out size and count, or csv")
		}
		out.Size = len(*in.CSV)
		out.Count, columns, err = csvRows("input.csv", *in.CSV)
	} else {
		out.Size, out.Count, err = uploadSize(in.Size, in.Count)
	}
	if err != nil {
		return out, err
	}
	entity, err := entityOf("input.entity", in.Entity)
	if err != nil {
		return out, err
	}
	out.Entity = *entity
	if in.Title != nil {
		if out.Title, err = core.CleanText("input.title", *in.Title, maxWebsetTitle); err != nil {
			return out, err
		}
	}
	if in.IdentifierColumn != nil {
		n := int(*in.IdentifierColumn)
		if n < 0 || columns > 0 && n >= columns {
			return out, model.BadInput("input.identifierColumn", "there is no column %d; columns are counted from 0", n)
		}
		out.Identifier = &n
	}
	out.Metadata, err = exaMetadata("input.metadata", in.Metadata)
	return out, err
}

// uploadSize checks what is said of a file that comes later.
func uploadSize(size, count *int32) (bytes, rows int, err error) {
	switch {
	case size == nil:
		return 0, 0, model.BadInput("input.size", "say how large the file is, in bytes, or give it as csv")
	case *size < 1 || *size > model.MaxWebsetImportSize:
		return 0, 0, model.BadInput("input.size", "size is %d; it must be from 1 to %d bytes", *size,
			model.MaxWebsetImportSize)
	case count == nil:
		return 0, 0, model.BadInput("input.count", "say how many rows the file has, without the first line")
	case *count < 1:
		return 0, 0, model.BadInput("input.count", "count is %d; it must be at least 1", *count)
	}
	return int(*size), int(*count), nil
}

// csvRows counts the rows of a list below its first line, and its columns (RFC 4180).
func csvRows(field, text string) (rows, columns int, err error) {
	if len(text) > model.MaxWebsetImportSize || !utf8.ValidString(text) {
		return 0, 0, model.BadInput(field, "csv is text in UTF-8 of at most %d bytes", model.MaxWebsetImportSize)
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.ReuseRecord = true
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
			return 0, 0, model.BadInput(field, "line %d of csv cannot be read: %s", parse.Line, parse.Err.Error())
		}
		if err != nil {
			return 0, 0, model.BadInput(field, "csv cannot be read")
		}
		rows, columns = rows+1, len(row)
	}
	if rows < 2 {
		return 0, 0, model.BadInput(field, "csv needs a first line with names, and at least one row below it")
	}
	return rows - 1, columns, nil
}

// CreateWebsetImport brings in a list. When the list itself was given and cannot be uploaded, the import is there all
// the same, and where to upload it is told.
func (r *Resolver) CreateWebsetImport(ctx context.Context,
	in graph.CreateWebsetImportInput) (*projections.CreateWebsetImportPayload, error) {
	out := &projections.CreateWebsetImportPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	wanted, err := newImport(in)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	v, account, err := r.exaAccount(ctx)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	record, err := newImportOf(fieldSeed(ctx), account, wanted)
	if err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	r.logExa(ctx, v, model.OperationCreated, record.Ref, madeOf(&record))
	uploaded := false
	if in.CSV != nil && record.UploadURL != "" {
		if err := account.Upload(ctx, exa.Upload{URL: record.UploadURL, Body: strings.NewReader(*in.CSV),
			Size: len(*in.CSV)}); err != nil {
			core.AddError(ctx, err)
		} else {
			uploaded = true
			if now, err := account.Import(ctx, record.Ref.ID); err == nil {
				now.UploadURL, now.UploadValidUntil = record.UploadURL, record.UploadValidUntil
				record = now
			}
		}
	}
	if !uploaded && record.UploadURL != "" {
		out.UploadURL, out.UploadValidUntil = &record.UploadURL, v.OptionalDateTime(record.UploadValidUntil)
	}
	view := projections.WebsetImportAt(record, v.Moment)
	out.Import, out.Context = &view, aboutOne(true)
	return out, nil
}

// newImportOf makes an import. One that an earlier try of the same request has made, and that still waits for its file,
// is made anew: where to upload it is told once.
func newImportOf(ctx context.Context, account ExaAccount, wanted exa.Import) (model.WebsetImport, error) {
	record, err := account.CreateImport(ctx, wanted)
	const waits = "pending"
	if err != nil || record.UploadURL != "" || record.Status != waits {
		return record, err
	}
	if _, err := account.DeleteImport(ctx, record.Ref.ID); err != nil && model.CodeOf(err) != model.CodeNotFound {
		return record, err
	}
	return account.CreateImport(ctx, wanted)
}

// UpdateWebsetImport changes what an import is called.
func (r *Resolver) UpdateWebsetImport(ctx context.Context,
	in graph.UpdateWebsetImportInput) (*graph.UpdateWebsetImportPayload, error) {
	out := &graph.UpdateWebsetImportPayload{UserErrors: []model.UserError{}}
	var patch exa.ImportPatch
	var err error
	if in.Title == nil && !in.Metadata.IsSet() {
		err = model.BadInput("input", "say what to change: title or metadata")
	}
	if in.Title != nil {
		var title string
		title, err = core.CleanText("input.title", *in.Title, maxWebsetTitle)
		patch.Title = &title
	}
	if err == nil {
		patch.Metadata, err = metadataPatch(in.Metadata)
	}
	if err == nil {
		out.Import, err = change(ctx, r, named{"input.id", in.ID, model.KindWebsetImport}, projections.WebsetImportAt,
			func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetImport, error) {
				return a.UpdateImport(ctx, ref.ID, patch)
			})
	}
	core.AddUserError(ctx, &out.UserErrors, err)
	out.Context = aboutOne(out.Import != nil)
	return out, nil
}

// DeleteWebsetImport deletes an import.
func (r *Resolver) DeleteWebsetImport(ctx context.Context,
	in graph.DeleteWebsetImportInput) (*graph.DeleteWebsetImportPayload, error) {
	out := &graph.DeleteWebsetImportPayload{Context: aboutOne(false), UserErrors: []model.UserError{}}
	var err error
	if out.Import, err = remove(ctx, r, named{"input.id", in.ID, model.KindWebsetImport}, projections.WebsetImportAt,
		func(ctx context.Context, a ExaAccount, ref model.WebsetRef) (model.WebsetImport, error) {
			return a.DeleteImport(ctx, ref.ID)
		}); err != nil {
		core.AddUserError(ctx, &out.UserErrors, err)
		return out, nil
	}
	out.Deleted, out.DeletedID, out.Context = 1, &in.ID, aboutOne(true)
	return out, nil
}
