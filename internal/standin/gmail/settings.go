package gmail

import (
	"regexp"
	"strconv"

	"almanac/internal/standin/wire"
)

func (r *request) getProfile() (wire.Reply, error) {
	return reply(object{
		"emailAddress": r.box.Email, "messagesTotal": len(r.box.Messages), "threadsTotal": len(r.box.threads),
		"historyId": strconv.FormatUint(r.box.HistoryID, 10),
	})
}

// watch refuses as Gmail does where the project has no topic that Gmail may publish to.
func (r *request) watch() (wire.Reply, error) {
	topic := textOf(r.call.Body, "topicName")
	if topic == "" {
		return wire.Reply{}, invalid("Invalid topicName: it is missing")
	}
	if !regexp.MustCompile(`^projects/[^/]+/topics/[^/]+$`).MatchString(topic) {
		return wire.Reply{}, invalid("Invalid topicName does not match projects/*/topics/*")
	}
	return wire.Reply{}, forbidden("Error sending test message to Cloud PubSub " + clip(topic) +
		" : User not authorized to perform this action.")
}

// stop ends a watch; there is none, which is no error.
func (*request) stop() (wire.Reply, error) { return noContent() }

// sendAs are the addresses that the account may write from, its own first.
func (r *request) sendAs() []object {
	all := []object{{
		"sendAsEmail": r.box.Email, "displayName": r.box.Name, "replyToAddress": "", "signature": r.box.Signature,
		"isPrimary": true, "isDefault": true,
	}}
	for _, a := range r.box.Aliases {
		all = append(all, object{
			"sendAsEmail": a.Email, "displayName": a.Name, "replyToAddress": a.ReplyTo, "signature": a.Signature,
			"treatAsAlias": true, "verificationStatus": "accepted",
		})
	}
	return all
}

func (r *request) listSendAs() (wire.Reply, error) {
	var all []any
	for _, one := range r.sendAs() {
		all = append(all, one)
	}
	return reply(object{"sendAs": all})
}

func (r *request) getSendAs() (wire.Reply, error) {
	email := canonical(r.call.Path["sendAsEmail"])
	for _, one := range r.sendAs() {
		if one["sendAsEmail"] == email {
			return reply(one)
		}
	}
	return wire.Reply{}, notFound()
}
