//go:build bench

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of times in /proc/PID/stat: USER_HZ, which is 100 on every architecture that Go runs on
// (proc_pid_stat(5)).
const tick = 10 * time.Millisecond

// stat is what is of interest of /proc/PID/stat.
type stat struct {
	parent int
	// cpu is the processor time of all threads, in user and kernel mode; ended is that of children that have ended.
	cpu, ended time.Duration
}

func readStat(pid int) (stat, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)) //nolint:gosec // G703: a number leads nowhere else
	if err != nil {
		return stat{}, err
	}
	return parseStat(data)
}

// parseStat reads the line. The second field, the name, may hold spaces and brackets, so what follows its last bracket
// is read: the third field is the first of those.
func parseStat(data []byte) (stat, error) {
	_, rest, found := bytes.Cut(data[max(bytes.LastIndexByte(data, ')'), 0):], []byte(") "))
	fields := strings.Fields(string(rest))
	if !found || len(fields) < 15 {
		return stat{}, errors.New("a line of /proc/PID/stat that cannot be read")
	}
	number := func(field int) int64 { // numbered as in the manual
		n, err := strconv.ParseInt(fields[field-3], 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	return stat{
		parent: int(number(4)),
		cpu:    time.Duration(number(14)+number(15)) * tick,
		ended:  time.Duration(number(16)+number(17)) * tick,
	}, nil
}

// processCPU is the processor time that a process has used; zero when it cannot be told.
func processCPU(pid int) time.Duration {
	s, err := readStat(pid)
	if err != nil {
		return 0
	}
	return s.cpu
}

// familyCPU is the processor time of a process and all its children, those that have ended included.
func familyCPU(parent int) time.Duration {
	if parent == 0 {
		return 0
	}
	own, err := readStat(parent)
	if err != nil {
		return 0
	}
	total := own.cpu + own.ended
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if s, err := readStat(pid); err == nil && s.parent == parent {
			total += s.cpu
		}
	}
	return total
}

// usage is the memory of a process, in bytes.
type usage struct {
	// resident is what of it is in memory, peak the most that ever was, and private the part that no file stands behind:
	// the rest is the program itself, which the system maps as it sees fit and takes back when it needs room.
	resident, peak, private int64
}

func memory(pid int) usage {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) //nolint:gosec // G703: a number leads nowhere else
	if err != nil {
		return usage{}
	}
	status := string(data)
	return usage{resident: sizeIn(status, "VmRSS:"), peak: sizeIn(status, "VmHWM:"), private: sizeIn(status, "RssAnon:")}
}

// sizeIn reads a line "VmRSS:   1234 kB".
func sizeIn(status, name string) int64 {
	_, rest, found := strings.Cut(status, name)
	fields := strings.Fields(rest)
	if !found || len(fields) == 0 {
		return 0
	}
	kib, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}

// loadAverage is how many processes have wanted to run in the last minute, on average, as the system says it.
func loadAverage() string {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(data), " ")
	return first
}

// processor is the name of the machine's processor.
func processor() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	for line := range strings.Lines(string(data)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
