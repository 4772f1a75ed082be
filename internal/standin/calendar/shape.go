package calendar

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// A shape says what a JSON value may be. What it does not know is left out, as Google leaves out unknown properties;
// what has another type is refused. A null stands for "erase this" and passes everywhere.
type shape interface {
	fit(path string, value any) (any, error)
}

type (
	textShape    struct{ enum []string }
	flagShape    struct{}
	numberShape  struct{}
	anyShape     struct{}
	listShape    struct{ of shape }
	mapShape     struct{}
	objectShape  map[string]shape
	ignoredShape struct{}
)

func mistyped(path, wanted string) error {
	return invalid("Invalid value for: Expected " + wanted + " at " + path)
}

func (s textShape) fit(path string, value any) (any, error) {
	text, ok := value.(string)
	if !ok {
		return nil, mistyped(path, "a string")
	}
	if len(s.enum) == 0 {
		return text, nil
	}
	for _, allowed := range s.enum {
		if text == allowed {
			return text, nil
		}
	}
	return nil, invalid(fmt.Sprintf("Invalid value for: %s is not a valid value at %s", strconv.Quote(text), path))
}

func (flagShape) fit(path string, value any) (any, error) {
	if _, ok := value.(bool); !ok {
		return nil, mistyped(path, "a boolean")
	}
	return value, nil
}

func (numberShape) fit(path string, value any) (any, error) {
	n, ok := wholeNumber(value)
	if !ok || n < math.MinInt32 || n > math.MaxInt32 {
		return nil, mistyped(path, "an integer")
	}
	return json.Number(strconv.FormatInt(n, 10)), nil
}

// wholeNumber reads a number as a decoded body holds it, or as a caller in Go writes it.
func wholeNumber(value any) (int64, bool) {
	switch n := value.(type) {
	case json.Number:
		whole, err := n.Int64()
		return whole, err == nil
	case int:
		return int64(n), true
	case int64:
		return n, true
	case float64:
		return int64(n), n == math.Trunc(n) && math.Abs(n) < 1<<53
	}
	return 0, false
}

func (anyShape) fit(path string, value any) (any, error) {
	if _, ok := value.(object); !ok {
		return nil, mistyped(path, "an object")
	}
	return object{}, nil
}

func (s listShape) fit(path string, value any) (any, error) {
	list, ok := asList(value)
	if !ok {
		return nil, mistyped(path, "a list")
	}
	fitted := make([]any, 0, len(list))
	for i, item := range list {
		if item == nil {
			return nil, mistyped(path+"["+strconv.Itoa(i)+"]", "a value")
		}
		one, err := s.of.fit(path+"["+strconv.Itoa(i)+"]", item)
		if err != nil {
			return nil, err
		}
		fitted = append(fitted, dropNulls(one))
	}
	return fitted, nil
}

// asList reads a list as a decoded body holds it, or as a caller in Go may write it.
func asList(value any) ([]any, bool) {
	switch list := value.(type) {
	case []any:
		return list, true
	case []string:
		wide := make([]any, len(list))
		for i, item := range list {
			wide[i] = item
		}
		return wide, true
	case []object:
		wide := make([]any, len(list))
		for i, item := range list {
			wide[i] = item
		}
		return wide, true
	}
	return nil, false
}

func (mapShape) fit(path string, value any) (any, error) {
	given, ok := value.(object)
	if !ok {
		return nil, mistyped(path, "an object")
	}
	fitted := make(object, len(given))
	for name, item := range given {
		if _, isText := item.(string); !isText && item != nil {
			return nil, mistyped(path+"."+name, "a string")
		}
		fitted[name] = item
	}
	return fitted, nil
}

func (s objectShape) fit(path string, value any) (any, error) {
	given, ok := value.(object)
	if !ok {
		return nil, mistyped(path, "an object")
	}
	fitted := make(object, len(given))
	for name, item := range given {
		inner, known := s[name]
		if !known {
			continue
		}
		if item == nil {
			fitted[name] = nil
			continue
		}
		if _, ignored := inner.(ignoredShape); ignored {
			continue
		}
		within := name
		if path != "" {
			within = path + "." + name
		}
		one, err := inner.fit(within, item)
		if err != nil {
			return nil, err
		}
		fitted[name] = one
	}
	return fitted, nil
}

func (ignoredShape) fit(string, any) (any, error) { return nil, nil }

// text, flag, number and the like keep the tables below readable.
var (
	text    = textShape{}
	flag    = flagShape{}
	number  = numberShape{}
	ignored = ignoredShape{}
)

func oneOf(values ...string) textShape { return textShape{enum: values} }

func listOf(s shape) listShape { return listShape{of: s} }

// timeShape is a date or a date with time, of start and end.
func timeShape() objectShape {
	return objectShape{"date": text, "dateTime": text, "timeZone": text}
}

// personShape is an organizer, where one may be written.
func personShape() objectShape {
	return objectShape{"email": text, "displayName": text}
}

// eventShape holds what of an event may be written; the rest is Google's own and left out.
func eventShape() objectShape {
	return objectShape{
		"id": text, "iCalUID": text, "eventType": text, "organizer": personShape(), "sequence": number,
		"status":  oneOf(statusConfirmed, statusTentative, statusCancelled),
		"summary": text, "description": text, "location": text, "colorId": text, "eventLabelId": text,
		"start": timeShape(), "end": timeShape(), "endTimeUnspecified": flag,
		"recurrence":       listOf(text),
		"transparency":     oneOf("opaque", "transparent"),
		"visibility":       oneOf("default", "public", "private", "confidential"),
		"anyoneCanAddSelf": flag, "guestsCanInviteOthers": flag, "guestsCanModify": flag, "guestsCanSeeOtherGuests": flag,
		"privateCopy": flag, "attendeesOmitted": flag,
		"attendees": listOf(objectShape{
			"email": text, "displayName": text, "comment": text, "optional": flag, "resource": flag, "additionalGuests": number,
			"responseStatus": oneOf("needsAction", "declined", "tentative", "accepted"), "id": ignored,
		}),
		"reminders": objectShape{
			"useDefault": flag,
			"overrides":  listOf(objectShape{"method": text, "minutes": number}),
		},
		"extendedProperties": objectShape{"private": mapShape{}, "shared": mapShape{}},
		"conferenceData":     conferenceShape(),
		"attachments": listOf(objectShape{
			"fileUrl": text, "title": text, "mimeType": text, "iconLink": text, "fileId": text,
		}),
		"source": objectShape{"title": text, "url": text},
		"gadget": objectShape{
			"display": text, "height": number, "iconLink": text, "link": text, "preferences": mapShape{}, "title": text,
			"type": text, "width": number,
		},
		"birthdayProperties":    objectShape{"type": text, "contact": ignored, "customTypeName": ignored},
		"focusTimeProperties":   objectShape{"autoDeclineMode": text, "chatStatus": text, "declineMessage": text},
		"outOfOfficeProperties": objectShape{"autoDeclineMode": text, "declineMessage": text},
		"workingLocationProperties": objectShape{
			"type": text, "homeOffice": anyShape{}, "customLocation": objectShape{"label": text},
			"officeLocation": objectShape{"buildingId": text, "deskId": text, "floorId": text, "floorSectionId": text,
				"label": text},
		},
	}
}

func conferenceShape() objectShape {
	return objectShape{
		"createRequest": objectShape{
			"requestId":             text,
			"conferenceSolutionKey": objectShape{"type": text},
			"status":                objectShape{"statusCode": text},
		},
		"conferenceId": text, "notes": text, "signature": text,
		"conferenceSolution": objectShape{"iconUri": text, "name": text, "key": objectShape{"type": text}},
		"entryPoints": listOf(objectShape{
			"entryPointType": text, "uri": text, "label": text, "pin": text, "accessCode": text, "meetingCode": text,
			"passcode": text, "password": text, "regionCode": text, "entryPointFeatures": listOf(text),
		}),
		"parameters": objectShape{"addOnParameters": objectShape{"parameters": mapShape{}}},
	}
}

// merge lays a patch over a value: objects merge, everything else replaces, null erases. Neither argument is changed.
func merge(old, patch object) object {
	merged := make(object, len(old)+len(patch))
	for name, value := range old {
		merged[name] = value
	}
	for name, value := range patch {
		if value == nil {
			delete(merged, name)
			continue
		}
		inner, isObject := value.(object)
		if !isObject {
			merged[name] = value
			continue
		}
		before, _ := merged[name].(object) // What was no object is replaced.
		merged[name] = merge(before, inner)
	}
	return merged
}

// dropNulls returns a value without the nulls in its objects.
func dropNulls(value any) any {
	switch v := value.(type) {
	case object:
		return merge(nil, v)
	case []any:
		for i := range v {
			v[i] = dropNulls(v[i])
		}
	}
	return value
}

// deepCopy returns a value that shares nothing with what is stored.
func deepCopy(value any) any {
	switch v := value.(type) {
	case object:
		return copyObject(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = deepCopy(v[i])
		}
		return list
	}
	return value
}

func copyObject(o object) object {
	fresh := make(object, len(o))
	for name, value := range o {
		fresh[name] = deepCopy(value)
	}
	return fresh
}

// textOf returns a property that is a string, or "".
func textOf(o object, name string) string {
	value, _ := o[name].(string) // Absent is empty.
	return value
}

// flagOf returns a property that is a boolean, or false.
func flagOf(o object, name string) bool {
	value, _ := o[name].(bool) // Absent is false.
	return value
}

// denied says whether a property is there and false.
func denied(o object, name string) bool {
	value, is := o[name].(bool)
	return is && !value
}

// objectOf returns a property that is an object, or nil.
func objectOf(o object, name string) object {
	value, _ := o[name].(object) // Absent is nil.
	return value
}

// objectsOf returns the objects of a property that is a list of them.
func objectsOf(o object, name string) []object {
	list, _ := o[name].([]any) // Absent is empty.
	objects := make([]object, 0, len(list))
	for _, item := range list {
		if one, ok := item.(object); ok {
			objects = append(objects, one)
		}
	}
	return objects
}

// textsOf returns the strings of a property that is a list of them.
func textsOf(o object, name string) []string {
	list, _ := o[name].([]any) // Absent is empty.
	texts := make([]string, 0, len(list))
	for _, item := range list {
		if one, ok := item.(string); ok {
			texts = append(texts, one)
		}
	}
	return texts
}
