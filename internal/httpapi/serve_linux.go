package httpapi

import (
	"net"
	"syscall"
)

// holdBack has the system ignore those who begin to connect, while connections that have begun go on. Their systems try
// again after a second: by then the listener is closed, which refuses them, or another process listens there. It reports
// whether that could be done.
func holdBack(listener net.Listener) bool {
	tcp, is := listener.(*net.TCPListener)
	if !is {
		return false
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return false
	}
	// A program for the kernel (bpf(4), socket(7)) that sees the TCP header, whose flags stand in byte 13: a segment with
	// SYN and without ACK is dropped.
	const flags, syn, synAck, all = 13, 0x02, 0x12, 1 << 18
	program := []syscall.SockFilter{
		*syscall.LsfStmt(syscall.BPF_LD|syscall.BPF_B|syscall.BPF_ABS, flags),
		*syscall.LsfStmt(syscall.BPF_ALU|syscall.BPF_AND|syscall.BPF_K, synAck),
		*syscall.LsfJump(syscall.BPF_JMP|syscall.BPF_JEQ|syscall.BPF_K, syn, 0, 1),
		*syscall.LsfStmt(syscall.BPF_RET|syscall.BPF_K, 0),
		*syscall.LsfStmt(syscall.BPF_RET|syscall.BPF_K, all),
	}
	err2 := raw.Control(func(fd uintptr) { err = syscall.AttachLsf(int(fd), program) })
	return err == nil && err2 == nil
}
