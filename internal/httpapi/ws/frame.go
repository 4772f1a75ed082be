package ws

import (
	"encoding/binary"
	"math"
)

// write sends one message, unless the socket has ended or wanted, asked when it is the message's turn, says no. A peer
// that does not take it in time is cut off.
func (s *socket) write(message []byte, wanted func() bool) {
	_ = s.send(wanted, func(buf []byte) ([]byte, error) { return append(buf, message...), nil }) // there is no error
}

// send is write for a message that is made when its turn has come, so that those who wait hold nothing. The error is
// that of appendTo alone.
//
// A message is one frame in one write, past the library, which would write head and content of a longer one apart: so
// a control frame, which the library sends in one write too, cannot fall into its midst.
func (s *socket) send(wanted func() bool, appendTo func(buf []byte) ([]byte, error)) (failed error) {
	s.inTurn(wanted, func() error {
		buffer, kept := s.handler.frames.Get().(*[]byte)
		if !kept {
			buffer = new([]byte)
		}
		frame, err := appendTo(append((*buffer)[:0], emptyHead...))
		if err != nil {
			failed = err
			return nil //nolint:nilerr // nothing was written, so the connection is as good as before
		}
		_, err = s.raw.Write(withHead(frame))
		if *buffer = frame; cap(frame) <= maxKeptFrame {
			s.handler.frames.Put(buffer)
		}
		return err
	})
	return failed
}

// maxKeptFrame is the largest buffer that is used again, in bytes.
const maxKeptFrame = 64 << 10

// emptyHead is room for the longest head of a frame.
const emptyHead = "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"

// withHead returns a message behind an emptyHead as a frame of text (RFC 6455, section 5.2).
func withHead(frame []byte) []byte {
	const finalText, twoBytes, eightBytes = 0x81, 126, 127
	switch length := len(frame) - len(emptyHead); {
	case length < twoBytes:
		frame = frame[len(emptyHead)-2:]
		frame[1] = byte(length)
	case length <= math.MaxUint16:
		frame = frame[len(emptyHead)-4:]
		frame[1] = twoBytes
		binary.BigEndian.PutUint16(frame[2:], uint16(length))
	default:
		frame[1] = eightBytes
		binary.BigEndian.PutUint64(frame[2:], uint64(length))
	}
	frame[0] = finalText
	return frame
}
