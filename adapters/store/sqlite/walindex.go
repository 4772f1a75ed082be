package sqlite

import (
	"bytes"
	"encoding/binary"
	"io"
)

// walIndex is what the index of the write-ahead log (the file that ends with -shm) says of the log and of how far it
// was written back. All processes share it and keep it in their byte order (https://www.sqlite.org/walformat.html, 2).
type walIndex struct {
	pageSize int64
	// frames is how many frames of the log are committed; sum is the sum over all of them, which the last one carries too.
	frames int64
	sum    [8]byte
	// checkpoints is what a checkpoint moves.
	checkpoints
}

// checkpoints are the part of the index that no checkpoint leaves as it was.
type checkpoints struct {
	// salt is another one each time the log begins anew.
	salt [8]byte
	// begun is up to which frame the log is being written back, done up to which it has been. begun is set before the
	// database's file is touched, and done when it has been flushed.
	begun, done uint32
}

// resting reports whether no checkpoint is under way, and none was broken off.
func (c checkpoints) resting() bool { return c.begun == c.done }

// Places in the index, which begins with its header twice.
const (
	indexHeader     = 48
	indexPageSize   = 14
	indexFrames     = 16
	indexSum        = 24
	indexSalt       = 32
	indexDone       = 2 * indexHeader
	indexLocks      = 120 // eight bytes that are locked and never read
	indexBegun      = 128
	indexPagesOf64K = 1
)

// readIndex reads the index; false while it is being written, and when there is none that could be read.
func readIndex(file io.ReaderAt) (index walIndex, ok bool) {
	var content [indexBegun + 4]byte
	// Windows does not let locked bytes be read.
	if _, err := file.ReadAt(content[:indexLocks], 0); err != nil {
		return index, false
	}
	if _, err := file.ReadAt(content[indexBegun:], indexBegun); err != nil {
		return index, false
	}
	if !bytes.Equal(content[:indexHeader], content[indexHeader:2*indexHeader]) {
		return index, false
	}
	if index.pageSize = int64(binary.NativeEndian.Uint16(content[indexPageSize:])); index.pageSize == indexPagesOf64K {
		index.pageSize = 1 << 16
	}
	index.frames = int64(binary.NativeEndian.Uint32(content[indexFrames:]))
	// A frame has the sum in big-endian.
	binary.BigEndian.PutUint32(index.sum[:4], binary.NativeEndian.Uint32(content[indexSum:]))
	binary.BigEndian.PutUint32(index.sum[4:], binary.NativeEndian.Uint32(content[indexSum+4:]))
	copy(index.salt[:], content[indexSalt:])
	index.begun = binary.NativeEndian.Uint32(content[indexBegun:])
	index.done = binary.NativeEndian.Uint32(content[indexDone:])
	if index.frames == 0 { // the log begins anew, and these are set back after the header
		index.begun, index.done = 0, 0
	}
	return index, true
}

// Places in the log: after its header each frame has one of its own, and a page (walformat.html, 1).
const (
	logHeader     = 32
	logSalt       = 16 // within the log's header
	frameHeader   = 24
	frameSalt     = 8 // within a frame's header; the sum follows
	frameSaltSize = 16
)

func (x *walIndex) frameAt(n int64) int64 { return logHeader + (n-1)*(frameHeader+x.pageSize) }

// describes reports whether the log is the one that the index describes: its last committed frame has the salt, and the
// sum over all of them.
func (x *walIndex) describes(log io.ReaderAt) bool {
	if x.frames == 0 {
		return true
	}
	var header [frameSaltSize]byte
	if _, err := log.ReadAt(header[:], x.frameAt(x.frames)+frameSalt); err != nil {
		return false
	}
	return bytes.Equal(header[:8], x.salt[:]) && bytes.Equal(header[8:], x.sum[:])
}

// firstPage returns the header of the database that a frame of the log has, if it is one of the first page.
func (x *walIndex) firstPage(log io.ReaderAt, n int64) (header databaseHeader, is bool, err error) {
	var frame [4]byte
	if _, err := log.ReadAt(frame[:], x.frameAt(n)); err != nil || binary.BigEndian.Uint32(frame[:]) != 1 {
		return header, false, err
	}
	_, err = log.ReadAt(header[:], x.frameAt(n)+frameHeader)
	return header, err == nil, err
}

// has reports whether some frame that is still in the log, committed or of before it began anew, is the database's
// first page with this header.
func (x *walIndex) has(log io.ReaderAt, header databaseHeader) bool {
	for n := int64(1); ; n++ {
		found, is, err := x.firstPage(log, n)
		if err != nil {
			return false
		}
		if is && found == header {
			return true
		}
	}
}

// last returns the header that the last first page has among the committed frames behind one, and its frame; 0 when
// there is none.
func (x *walIndex) last(log io.ReaderAt, behind int64) (databaseHeader, int64) {
	for n := x.frames; n > behind; n-- {
		if header, is, err := x.firstPage(log, n); err == nil && is {
			return header, n
		}
	}
	return databaseHeader{}, 0
}
