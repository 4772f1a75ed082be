package calendar

import "fmt"

// conference makes the conference that a body asks for. A request that was made before, by its id, is not made again.
func (r *request) conference(e *event, before object) {
	wanted := objectOf(e.Body, "conferenceData")
	creation := objectOf(wanted, "createRequest")
	if creation == nil {
		return
	}
	id := textOf(creation, "requestId")
	if earlier := objectOf(before, "createRequest"); textOf(earlier, "requestId") == id {
		e.Body["conferenceData"] = deepCopy(before)
		return
	}
	kind := textOf(objectOf(creation, "conferenceSolutionKey"), "type")
	if kind == "" {
		kind = "hangoutsMeet"
	}
	made := object{"createRequest": object{
		"requestId": id, "conferenceSolutionKey": object{"type": kind}, "status": object{"statusCode": "pending"},
	}}
	switch r.switches.Conference {
	case ConferenceAtOnce:
		complete(made, r.state.mint())
	case ConferenceFails:
		objectOf(made, "createRequest")["status"] = object{"statusCode": "failure"}
	case ConferencePending:
	}
	e.Body["conferenceData"] = made
}

// complete returns a requested conference its link.
func complete(made object, mint [32]byte) {
	creation := objectOf(made, "createRequest")
	creation["status"] = object{"statusCode": "success"}
	letters := make([]byte, 10)
	for i := range letters {
		letters[i] = 'a' + mint[i]%26
	}
	code := fmt.Sprintf("%s-%s-%s", letters[:3], letters[3:7], letters[7:])
	made["conferenceId"] = code
	made["entryPoints"] = []any{object{
		"entryPointType": "video", "uri": "https://meet.google.com/" + code, "label": "meet.google.com/" + code,
	}}
	made["conferenceSolution"] = object{"key": object{"type": "hangoutsMeet"}, "name": "Google Meet"}
}

// hangoutLink returns the link of a conference, or "".
func hangoutLink(body object) string {
	for _, way := range objectsOf(objectOf(body, "conferenceData"), "entryPoints") {
		if textOf(way, "entryPointType") == "video" {
			return textOf(way, "uri")
		}
	}
	return ""
}

// ResolveConferences makes all pending conferences.
func (s *Service) ResolveConferences() {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &request{Service: s, now: s.now().UTC()}
	for _, c := range s.calendarsInOrder() {
		for _, e := range c.inOrder {
			made := objectOf(e.Body, "conferenceData")
			status := objectOf(objectOf(made, "createRequest"), "status")
			if textOf(status, "statusCode") == "pending" {
				made = copyObject(made)
				complete(made, s.state.mint())
				e.Body = merge(e.Body, object{"conferenceData": nil})
				e.Body["conferenceData"] = made
				r.touch(c, e, true)
			}
		}
	}
}
