package model

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
)

// ID is the message's public id.
func (r EmailRef) ID() ID { return RemoteID(KindEmail, packMail(r.Connection, r.Message)) }

// ID is the conversation's public id.
func (r ThreadRef) ID() ID { return RemoteID(KindThread, packMail(r.Connection, r.Thread)) }

// EmailRefOf returns the reference that an e-mail's id carries. ErrMalformedID.
func EmailRefOf(id ID) (EmailRef, error) {
	connection, message, ok := unpackMail(id, KindEmail)
	if !ok {
		return EmailRef{}, ErrMalformedID
	}
	return EmailRef{Connection: connection, Message: message}, nil
}

// ThreadRefOf returns the reference that a conversation's id carries. ErrMalformedID.
func ThreadRefOf(id ID) (ThreadRef, error) {
	connection, thread, ok := unpackMail(id, KindThread)
	if !ok {
		return ThreadRef{}, ErrMalformedID
	}
	return ThreadRef{Connection: connection, Thread: thread}, nil
}

// A reference of Gmail is packed as the connection's number and the eight bytes of the id, which Gmail writes as a
// hexadecimal number without leading zeros; any other text follows a mark.
const mailAsText = 0xff

func packMail(connection int, id string) string {
	packed := binary.AppendUvarint(nil, uint64(max(connection, 0)))
	if number, err := strconv.ParseUint(id, 16, 64); err == nil && number>>56 != mailAsText &&
		strconv.FormatUint(number, 16) == id {
		return string(binary.BigEndian.AppendUint64(packed, number))
	}
	return string(append(append(packed, mailAsText), id...))
}

func unpackMail(id ID, kind Kind) (connection int, text string, ok bool) {
	if id.Kind != kind {
		return 0, "", false
	}
	raw := []byte(id.Remote)
	number, n := binary.Uvarint(raw)
	if n <= 0 || number == 0 || number > 1<<31 {
		return 0, "", false
	}
	raw = raw[n:]
	switch {
	case len(raw) > 0 && raw[0] == mailAsText:
		text = string(raw[1:])
	case len(raw) == 8:
		text = strings.TrimLeft(hex.EncodeToString(raw), "0")
	}
	// It becomes one segment of a request's path, and each thing has one id.
	ok = SoundRemoteID(text) && !strings.ContainsAny(text, "/?#") && packMail(int(number), text) == id.Remote
	return int(number), text, ok
}
