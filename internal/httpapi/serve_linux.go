package httpapi

import (
	"net"

	"golang.org/x/sys/unix"
)

// holdBack has the system ignore those who begin to connect, while connections that have begun go on. Their systems
// try again after a second: by then the listener is closed, which refuses them, or another process listens there. It
// reports whether that could be done.
func holdBack(listener net.Listener) bool {
	tcp, is := listener.(*net.TCPListener)
	if !is {
		return false
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return false
	}
	// A program for the kernel (socket(7), SO_ATTACH_FILTER) that sees the TCP header, whose flags stand in byte 13: a
	// segment with SYN and without ACK is dropped.
	const flags, syn, synAck, all = 13, 0x02, 0x12, 1 << 18
	filters := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: synAck},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: syn, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
		{Code: unix.BPF_RET | unix.BPF_K, K: all},
	}
	program := unix.SockFprog{Len: uint16(len(filters)), Filter: &filters[0]}
	var attached error
	err = raw.Control(func(fd uintptr) {
		attached = unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &program)
	})
	return err == nil && attached == nil
}
