package discovery

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// routes are the methods by the number of their path's segments, those with the longest literals first.
type routes map[int][]route

type route struct {
	method   *Method
	segments []segment
	literal  int
}

// segment is one part of a path between slashes: text, or a parameter with text around it ("{keyPairId}:disable").
type segment struct {
	before, param, after string
}

func (d *Document) addRoutes() error {
	d.routes = routes{}
	for _, id := range slices.Sorted(maps.Keys(d.Methods)) {
		m := d.Methods[id]
		if m == nil || m.ID != id || m.HTTPMethod == "" {
			return fmt.Errorf("method %s is described wrongly", id)
		}
		for _, name := range []string{m.Request, m.Response} {
			if name != "" && d.Schemas[name] == nil {
				return fmt.Errorf("method %s refers to %q, which is no schema", id, name)
			}
		}
		if err := d.addRoute(m, "/"+d.ServicePath+m.Path); err != nil {
			return err
		}
		for _, path := range m.UploadPaths {
			upload := *m
			upload.Upload = true
			if err := d.addRoute(&upload, path); err != nil {
				return err
			}
		}
	}
	for _, all := range d.routes {
		slices.SortStableFunc(all, func(a, b route) int { return b.literal - a.literal })
	}
	return nil
}

func (d *Document) addRoute(m *Method, template string) error {
	r := route{method: m}
	for _, text := range strings.Split(template, "/") {
		before, rest, isParam := strings.Cut(text, "{")
		if !isParam {
			r.segments = append(r.segments, segment{before: text})
			r.literal += len(text)
			continue
		}
		param, after, closed := strings.Cut(rest, "}")
		if p := m.Parameters[param]; !closed || strings.ContainsAny(after, "{}") || p == nil || p.Location != "path" {
			return fmt.Errorf("method %s: the path %s has a part %q that is not understood", m.ID, template, text)
		}
		r.segments = append(r.segments, segment{before: before, param: param, after: after})
		r.literal += len(before) + len(after)
	}
	for _, other := range d.routes[len(r.segments)] {
		if other.method.HTTPMethod == m.HTTPMethod && slices.EqualFunc(other.segments, r.segments, sameForm) {
			return fmt.Errorf("methods %s and %s have the same route", m.ID, other.method.ID)
		}
	}
	d.routes[len(r.segments)] = append(d.routes[len(r.segments)], r)
	return nil
}

// sameForm reports whether two segments fit the same texts.
func sameForm(a, b segment) bool {
	return a.before == b.before && a.after == b.after && (a.param == "") == (b.param == "")
}

// Match finds the method of a request by its verb and its path as it was sent (url.URL.EscapedPath), with the path's
// parameters unescaped. Where several fit, the one with the most literal text wins: events/import is the import, not
// an event of that name. A method matched by an upload's path has Upload set.
func (d *Document) Match(httpMethod, escapedPath string) (m *Method, path map[string]string, ok bool) {
	segments := strings.Split(escapedPath, "/")
	for _, r := range d.routes[len(segments)] {
		if r.method.HTTPMethod != httpMethod {
			continue
		}
		if path, ok = r.match(segments); ok {
			return r.method, path, true
		}
	}
	return nil, nil, false
}

// Verbs are the HTTP methods that a path knows, sorted; none for a path that is not of this API.
func (d *Document) Verbs(escapedPath string) []string {
	segments := strings.Split(escapedPath, "/")
	var verbs []string
	for _, r := range d.routes[len(segments)] {
		if _, ok := r.match(segments); ok {
			verbs = append(verbs, r.method.HTTPMethod)
		}
	}
	slices.Sort(verbs)
	return slices.Compact(verbs)
}

func (r route) match(segments []string) (map[string]string, bool) {
	for i, s := range r.segments { // the cheap look first; most routes end here
		if s.param == "" && s.before != segments[i] {
			return nil, false
		}
	}
	path := map[string]string{}
	for i, s := range r.segments {
		if s.param == "" {
			continue
		}
		text, okBefore := strings.CutPrefix(segments[i], s.before)
		text, okAfter := strings.CutSuffix(text, s.after)
		if !okBefore || !okAfter || text == "" {
			return nil, false
		}
		value, err := url.PathUnescape(text)
		if err != nil {
			return nil, false
		}
		path[s.param] = value
	}
	return path, true
}
