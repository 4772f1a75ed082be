package emails

import (
	"almanac/adapters/gmail"
	"almanac/adapters/store"
	"almanac/resolvers/core"
)

// emailDepth says how much of a message a field needs; 0 is its ids alone.
func emailDepth(field string) gmail.Depth {
	switch field {
	case "snippet", "date", "dateFormatted", "labels", "unread", "starred", "sizeEstimate", "lastDate":
		return store.MailMinimal
	case "from", "to", "cc", "bcc", "replyTo", "subject", "messageId", "participants":
		return store.MailHeaders
	case "attachments":
		return store.MailStructure
	case "body":
		return store.MailFull
	default:
		return 0
	}
}

// EmailDepth is how much of messages the fields asked of them need.
func EmailDepth(s core.Selection) gmail.Depth {
	var depth gmail.Depth
	for _, field := range s.Fields {
		if field.Name == "headers" {
			depth = max(depth, gmail.DepthOfHeaders(headerNames(field.ArgumentMap(s.Op.Variables)["names"])))
			continue
		}
		depth = max(depth, emailDepth(field.Name))
	}
	if s.Compact {
		depth = max(depth, store.MailHeaders)
	}
	return depth
}

// headerNames reads a list of texts as an argument holds it; what is none is refused by the field itself.
func headerNames(given any) []string {
	list, ok := given.([]any)
	if !ok {
		list = []any{given} // a single value stands for a list of one
	}
	names := make([]string, 0, len(list))
	for _, one := range list {
		if name, ok := one.(string); ok {
			names = append(names, name)
		}
	}
	return names
}
