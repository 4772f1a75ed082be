//go:build bench

package main

import (
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"almanac/graph/model"
)

// secret signs the tokens of the run. It guards nothing but made-up tasks on loopback.
const secret = "bench: a secret that guards nothing at all"

// zone is the zone of all users.
const zone = "Asia/Jerusalem"

// person is a user with what the cases need to know of their data.
type person struct {
	subject string
	user    model.UserID
	// token is their JWT.
	token string
	// open are the public ids of their open tasks, newest first.
	open []string
}

// world is everybody there is.
type world struct {
	// readers have tasks that never change, writers are those to whom tasks are added, deep has very many tasks.
	readers, writers []*person
	deep             *person
	// place is where the late page of deep begins.
	place place
}

// place is the end of the page before a late page, as the two kinds of servers name it.
type place struct {
	cursor, id string
}

// everybody returns all people.
func (w *world) everybody() []*person {
	all := append([]*person{w.deep}, w.readers...)
	return append(all, w.writers...)
}

func newPerson(now time.Time, subject string) (*person, error) {
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Subject: subject, IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(now.Add(24 * time.Hour)),
	}).SignedString([]byte(secret))
	if err != nil {
		return nil, fmt.Errorf("sign a token: %w", err)
	}
	return &person{subject: subject, user: model.UserIDOf(subject), token: token}, nil
}

// newWorld names the people; they have no tasks yet.
func newWorld(now time.Time, readers, writers int) (*world, error) {
	w := &world{}
	var err error
	if w.deep, err = newPerson(now, "deep"); err != nil {
		return nil, err
	}
	for i := range readers {
		p, err := newPerson(now, fmt.Sprintf("reader-%d", i))
		if err != nil {
			return nil, err
		}
		w.readers = append(w.readers, p)
	}
	for i := range writers {
		p, err := newPerson(now, fmt.Sprintf("writer-%d", i))
		if err != nil {
			return nil, err
		}
		w.writers = append(w.writers, p)
	}
	return w, nil
}
