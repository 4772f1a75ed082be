//go:build bench

package main

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"time"

	"almanac/bench/load"
)

// floodAddress is where the flood comes from: places before a token has been looked at are divided by address.
const floodAddress = "127.0.0.2"

// floodConnection sends the request again and again, on a new connection where one was closed.
func floodConnection(ctx context.Context, address string, request []byte) (answered, refused int) {
	from := &net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(floodAddress)}}
	for ctx.Err() == nil {
		network, err := from.DialContext(ctx, "tcp", address)
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		conn := load.NewConn(network)
		ended := context.AfterFunc(ctx, func() { _ = conn.Close() })
		for ctx.Err() == nil {
			status, body, err := conn.Do(request)
			if err != nil {
				break
			}
			if status == http.StatusOK && !bytes.Contains(body, []byte(`"errors":[`)) {
				answered++
			} else {
				refused++
			}
		}
		ended()
		_ = conn.Close()
	}
	return answered, refused
}
