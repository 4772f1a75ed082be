package google

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"almanac/internal/standin/wire"
)

// snapshotVersion is the form of snapshots; one of another version is not read.
const snapshotVersion = 1

// maxSnapshot bounds what Restore reads.
const maxSnapshot = 256 << 20

// snapshot is everything that outlives a restart. Codes and uploads under way do not; tokens are kept as digests, so a
// snapshot lets nobody in.
type snapshot struct {
	Version  int                        `json:"version"`
	Accounts []savedAccount             `json:"accounts"`
	Access   []savedAccess              `json:"access,omitempty"`
	Services map[string]json.RawMessage `json:"services,omitempty"`
}

type savedAccount struct {
	Account
	Granted []string       `json:"granted,omitempty"`
	Refresh []refreshToken `json:"refresh,omitempty"`
}

type savedAccess struct {
	Digest  digest    `json:"digest"`
	Email   string    `json:"email"`
	Scopes  []string  `json:"scopes"`
	Expires time.Time `json:"expires"`
}

// Snapshot writes accounts, grants and what the services keep, as one JSON value. Each service is asked in turn, so
// writes that happen at the same time may be in one and not in another.
func (s *Server) Snapshot(w io.Writer) error {
	saved := s.own()
	saved.Services = map[string]json.RawMessage{}
	for _, service := range s.services {
		var out bytes.Buffer
		name := service.Document().Name
		if err := service.Snapshot(&out); err != nil {
			return fmt.Errorf("google: snapshot of %s: %w", name, err)
		}
		if !json.Valid(out.Bytes()) {
			return fmt.Errorf("google: the snapshot of %s is not one value of JSON", name)
		}
		saved.Services[name] = out.Bytes()
	}
	if err := json.NewEncoder(w).Encode(saved); err != nil {
		return fmt.Errorf("google: write a snapshot: %w", err)
	}
	return nil
}

// own is the front's part of a snapshot, in a fixed order.
func (s *Server) own() snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	saved := snapshot{Version: snapshotVersion}
	for _, email := range slices.Sorted(maps.Keys(s.accounts)) {
		a := s.accounts[email]
		saved.Accounts = append(saved.Accounts, savedAccount{Account: a.Account, Granted: slices.Clone(a.granted),
			Refresh: slices.Clone(a.refresh)})
	}
	now := s.now()
	for d, t := range s.access {
		if now.Before(t.expires) {
			saved.Access = append(saved.Access, savedAccess{Digest: d, Email: t.email, Scopes: t.scopes, Expires: t.expires})
		}
	}
	slices.SortFunc(saved.Access, func(a, b savedAccess) int { return bytes.Compare(a.Digest[:], b.Digest[:]) })
	return saved
}

// Restore replaces everything by what a snapshot holds. After an error everything is as it was. A service that the
// snapshot does not know keeps what it has.
func (s *Server) Restore(r io.Reader) error {
	raw, err := io.ReadAll(io.LimitReader(r, maxSnapshot+1))
	if err != nil {
		return fmt.Errorf("google: read a snapshot: %w", err)
	}
	if len(raw) > maxSnapshot {
		return errors.New("google: the snapshot is too long")
	}
	var saved snapshot
	if err := json.Unmarshal(raw, &saved); err != nil {
		return fmt.Errorf("google: read a snapshot: %w", err)
	}
	if saved.Version != snapshotVersion {
		return fmt.Errorf("google: the snapshot has version %d, not %d", saved.Version, snapshotVersion)
	}
	accounts, access, err := saved.read()
	if err != nil {
		return err
	}
	if err := s.restoreServices(saved.Services); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accounts, s.access, s.codes = accounts, access, map[digest]*code{}
	return nil
}

// read checks the front's part.
func (saved snapshot) read() (map[string]*account, map[digest]*accessToken, error) {
	accounts := map[string]*account{}
	for _, a := range saved.Accounts {
		if a.Email == "" || a.Email != strings.ToLower(a.Email) || accounts[a.Email] != nil {
			return nil, nil, errors.New("google: the snapshot has an account without an address of its own")
		}
		if len(a.Refresh) > maxRefreshTokens {
			return nil, nil, errors.New("google: the snapshot has an account with too many tokens")
		}
		accounts[a.Email] = &account{Account: a.Account, granted: a.Granted, refresh: a.Refresh}
	}
	access := map[digest]*accessToken{}
	for _, t := range saved.Access {
		if accounts[t.Email] == nil {
			return nil, nil, errors.New("google: the snapshot has a token of no account")
		}
		access[t.Digest] = &accessToken{email: t.Email, scopes: t.Scopes, expires: t.Expires}
	}
	return accounts, access, nil
}

// restoreServices restores all or none: where one refuses, those before it get back what they had.
func (s *Server) restoreServices(saved map[string]json.RawMessage) error {
	var undo []func() error
	for _, service := range s.services {
		name := service.Document().Name
		part, ok := saved[name]
		if !ok {
			continue
		}
		var before bytes.Buffer
		err := service.Snapshot(&before)
		if err == nil {
			undo = append(undo, restore(service, before.Bytes()))
			err = restore(service, part)()
		}
		if err != nil {
			for _, back := range undo {
				err = errors.Join(err, back())
			}
			return fmt.Errorf("google: restore %s: %w", name, err)
		}
	}
	return nil
}

func restore(service wire.Service, from []byte) func() error {
	return func() error { return service.Restore(bytes.NewReader(from)) }
}
