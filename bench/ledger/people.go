//go:build bench

package main

import (
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"almanac/graph/model"
)

// secret signs the tokens of the run. It guards nothing but made-up tasks on loopback.
const secret = "ledger: a secret that guards nothing at all"

// person is a user of the run.
type person struct {
	number  int
	subject string
	id      model.UserID
	token   string
}

// newPerson makes a user with a token that is good for days before and after, since servers' clocks are moved.
func newPerson(now time.Time, number int) (*person, error) {
	subject := fmt.Sprintf("ledger-%d", number)
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Subject:  subject,
		IssuedAt: jwt.NewNumericDate(now.Add(-24 * time.Hour)), ExpiresAt: jwt.NewNumericDate(now.Add(48 * time.Hour)),
	}).SignedString([]byte(secret))
	if err != nil {
		return nil, fmt.Errorf("sign a token: %w", err)
	}
	return &person{number: number, subject: subject, id: model.UserIDOf(subject), token: token}, nil
}

func newPeople(now time.Time, count int) ([]*person, error) {
	people := make([]*person, count)
	for i := range people {
		var err error
		if people[i], err = newPerson(now, i); err != nil {
			return nil, err
		}
	}
	return people, nil
}
