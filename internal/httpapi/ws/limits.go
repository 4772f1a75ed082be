package ws

import (
	"net/http"
	"time"

	"almanac/graph/model"
	"almanac/internal/httpapi/engine"
)

// The published numbers of a socket.
const (
	// MaxMessage is the largest message, in bytes. Before connection_ack it is MaxInitMessage.
	MaxMessage = 1 << 20
	// MaxInitMessage is the largest message of a peer that has not proved who it is, in bytes.
	MaxInitMessage = 64 << 10
	// MaxOperations is how many operations may be active on one socket. One more is answered with an "error"
	// message, RATE_LIMITED; the socket and its operations go on.
	MaxOperations = 100
	// MaxID is the longest operation id, in bytes; it is repeated on every message of the operation.
	MaxID = 256
	// MaxSockets is how many sockets a process holds. One more is refused with 503.
	MaxSockets = 10_000
	// MaxUserSockets is how many sockets of one user a process holds. One more is closed with 1013.
	MaxUserSockets = 2_000
	// MaxAddressSockets is how many sockets from one address may not have said yet whose they are. One more is refused
	// with 429. Behind a proxy the address is the proxy's.
	MaxAddressSockets = 2_500
	// Patience is how long a message that would start one operation too many waits for another to end.
	Patience = 5 * time.Second
	// InitTimeout is how long a peer may take to send connection_init; proving the credentials may take as long again.
	InitTimeout = 10 * time.Second
	// MessageTimeout is how long a message may take from its first byte to its last.
	MessageTimeout = 10 * time.Second
	// WriteTimeout is how long a peer may take to accept one message.
	WriteTimeout = 10 * time.Second
	// KeepAlive is the time between two pings from here.
	KeepAlive = 15 * time.Second
	// CloseTimeout is how long the closing handshake may take.
	CloseTimeout = 5 * time.Second
)

// Limits are the numbers of one Handler. A zero field means the published number.
type Limits struct {
	MaxMessage     int64
	MaxInitMessage int64
	MaxOperations  int
	MaxSockets     int
	MaxUserSockets int
	// MaxAddressSockets is how many from one address have not been proved.
	MaxAddressSockets int
	Patience          time.Duration
	InitTimeout       time.Duration
	MessageTimeout    time.Duration
	WriteTimeout      time.Duration
	KeepAlive         time.Duration
	CloseTimeout      time.Duration
}

func (l Limits) withDefaults() Limits {
	orElse(&l.MaxMessage, MaxMessage)
	orElse(&l.MaxInitMessage, MaxInitMessage)
	orElse(&l.MaxOperations, MaxOperations)
	orElse(&l.MaxSockets, MaxSockets)
	orElse(&l.MaxUserSockets, MaxUserSockets)
	orElse(&l.MaxAddressSockets, MaxAddressSockets)
	orElse(&l.Patience, Patience)
	orElse(&l.InitTimeout, InitTimeout)
	orElse(&l.MessageTimeout, MessageTimeout)
	orElse(&l.WriteTimeout, WriteTimeout)
	orElse(&l.KeepAlive, KeepAlive)
	orElse(&l.CloseTimeout, CloseTimeout)
	return l
}

func orElse[T comparable](field *T, published T) {
	var zero T
	if *field == zero {
		*field = published
	}
}

// Table returns the limits with the numbers in force, for documentation. Status is the HTTP status of a refused
// upgrade, or the code that the socket is closed with.
func (l Limits) Table() []engine.Limit {
	l = l.withDefaults()
	seconds := func(d time.Duration) int64 { return int64(d / time.Second) }
	return []engine.Limit{
		{Name: "sockets", Max: int64(l.MaxSockets), Refused: "more sockets in one process", Code: model.CodeRateLimited,
			Status: http.StatusServiceUnavailable},
		{Name: "userSockets", Max: int64(l.MaxUserSockets), Refused: "more sockets of one user in one process", Status: 1013},
		{Name: "addressSockets", Max: int64(l.MaxAddressSockets),
			Refused: "more sockets from one address that have not said whose they are", Code: model.CodeRateLimited,
			Status: http.StatusTooManyRequests},
		{Name: "socketMessage", Max: l.MaxMessage, Refused: "a longer message on a socket, in bytes", Status: 1009},
		{Name: "socketInitMessage", Max: l.MaxInitMessage, Refused: "a longer message before connection_ack, in bytes",
			Status: 1009},
		{Name: "socketOperations", Max: int64(l.MaxOperations),
			Refused: "more operations at a time on one socket; the socket stays open", Code: model.CodeRateLimited},
		{Name: "socketOperationId", Max: MaxID, Refused: "a longer operation id, in bytes", Status: int(codeInvalidMessage)},
		{Name: "socketInit", Max: seconds(l.InitTimeout), Refused: "a socket that takes more seconds to send connection_init",
			Status: int(codeInitTimeout)},
		{Name: "socketArrival", Max: seconds(l.MessageTimeout), Refused: "a message that takes more seconds to arrive",
			Status: 1008},
		{Name: "socketWrite", Max: seconds(l.WriteTimeout),
			Refused: "a peer that takes more seconds to accept one message; it is cut off"},
	}
}
