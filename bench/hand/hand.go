//go:build bench

// Package hand is the yardstick: the handlers that a good engineer would write by hand for the questions that are
// measured, with net/http, pgx and encoding/json on the tables of Almanac itself.
//
// It promises the answers of Almanac to the same questions, to the letter of the JSON values, and the same durable
// effects: a write takes the user's lock, refuses duplicates, appends to the change log and notifies, in one
// transaction. It knows nothing of GraphQL: each endpoint has its SQL, its struct and its fields. It proves callers
// with golang-jwt as its documentation shows.
//
// Only what is no matter of style is shared with Almanac: how an id is written, how a text is folded, where a day
// begins.
package hand

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"almanac/graph/model"
	"almanac/projections/when"
)

// Handler serves the endpoints. All fields must be set, but for Secret.
type Handler struct {
	Pool *pgxpool.Pool
	// Secret verifies the callers' HS256 tokens. Without one the token's place is taken by the bare subject, unproved:
	// that shows what the proof costs.
	Secret []byte
	// Zone is the zone of all users.
	Zone  *time.Location
	Now   func() time.Time
	NewID func() model.UUID
}

// Routes returns the endpoints.
func (h *Handler) Routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tasks", h.serve(h.list))
	mux.HandleFunc("GET /tasks/slim", h.serve(h.slim))
	mux.HandleFunc("GET /tasks/full", h.serve(h.full))
	mux.HandleFunc("GET /tasks/{id}", h.serve(h.one))
	mux.HandleFunc("POST /tasks/batch", h.serve(h.batch))
	mux.HandleFunc("GET /board", h.serve(h.board))
	mux.HandleFunc("POST /tasks", h.serve(h.create))
	mux.HandleFunc("POST /tasks/bulk", h.serve(h.createMany))
	return mux
}

// problem is an error with the status that it is answered with.
type problem struct {
	status  int
	message string
}

func (p *problem) Error() string { return p.message }

func bad(format string, args ...any) error {
	return &problem{status: http.StatusBadRequest, message: fmt.Sprintf(format, args...)}
}

// serve proves the caller, runs the endpoint and writes its answer.
func (h *Handler) serve(endpoint func(r *http.Request, user model.UserID) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, err := h.caller(r)
		if err != nil {
			http.Error(w, "unauthenticated", http.StatusUnauthorized)
			return
		}
		answer, err := endpoint(r, user)
		if err != nil {
			fail(w, err)
			return
		}
		body, err := json.Marshal(answer)
		if err != nil {
			fail(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body) // the client may be gone
	}
}

func fail(w http.ResponseWriter, err error) {
	var known *problem
	switch {
	case errors.As(err, &known):
		http.Error(w, known.message, known.status)
	case errors.Is(err, pgx.ErrNoRows):
		http.Error(w, "not found", http.StatusNotFound)
	default:
		http.Error(w, "internal error", http.StatusInternalServerError)
	}
}

func (h *Handler) caller(r *http.Request) (model.UserID, error) {
	text, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !found {
		return model.UserID{}, errors.New("no token")
	}
	if len(h.Secret) == 0 {
		return model.UserIDOf(text), nil
	}
	var claims jwt.RegisteredClaims
	_, err := jwt.ParseWithClaims(text, &claims, func(*jwt.Token) (any, error) { return h.Secret, nil },
		jwt.WithValidMethods([]string{"HS256"}), jwt.WithExpirationRequired())
	if err != nil {
		return model.UserID{}, err
	}
	return model.UserIDOf(claims.Subject), nil
}

// moment is the present as the user's clock shows it.
func (h *Handler) moment() when.Moment {
	return when.Moment{Now: h.Now(), Zone: h.Zone, Locale: "en"}
}

// first reads the page size.
func first(r *http.Request) (int, error) {
	text := r.URL.Query().Get("first")
	if text == "" {
		return model.DefaultPageSize, nil
	}
	size, err := strconv.Atoi(text)
	if err != nil || size < 1 || size > model.MaxPageSize {
		return 0, bad("first must be a number from 1 to %d", model.MaxPageSize)
	}
	return size, nil
}

// after reads the id of the last task of the page before; the greatest there is when none is named, since ids descend.
func after(r *http.Request) (model.UUID, error) {
	text := r.URL.Query().Get("after")
	if text == "" {
		var last model.UUID
		for i := range last {
			last[i] = 0xff
		}
		return last, nil
	}
	return taskID(text)
}

func taskID(text string) (model.UUID, error) {
	id, err := model.ParseID(text)
	if err != nil || id.Kind != model.KindTask {
		return model.UUID{}, bad("%q is not the id of a task", text)
	}
	return id.UUID, nil
}
