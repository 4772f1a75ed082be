//go:build bench

package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// childrenOf returns the processes that a process has started and that have not ended.
func childrenOf(parent int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []int
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if fields := statOf(pid); len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			found = append(found, pid)
		}
	}
	return found
}

// statOf returns the fields of /proc/PID/stat from the state on; the name before it may hold spaces and brackets.
func statOf(pid int) []string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	return strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
}

// anyAlive reports whether any of the processes still runs; one that only waits to be read off does not.
func anyAlive(pids []int) bool {
	for _, pid := range pids {
		if fields := statOf(pid); len(fields) > 0 && fields[0] != "Z" {
			return true
		}
	}
	return false
}

// openFiles counts a process's file descriptors.
func openFiles(pid int) int {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		return -1
	}
	return len(entries)
}

// residentOf returns the memory of a process that no file stands behind, in bytes.
func residentOf(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return -1
	}
	_, rest, _ := strings.Cut(string(data), "RssAnon:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return -1
	}
	kib, err := strconv.ParseInt(fields[0], 10, 64)
	if err != nil {
		return -1
	}
	return kib << 10
}
