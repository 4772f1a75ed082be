package google

import (
	"strconv"
	"testing"
)

func TestRecordIsBounded(t *testing.T) {
	t.Parallel()
	q := &requests{}
	for i := range maxRequests + 10 {
		q.add(Request{Method: strconv.Itoa(i)})
	}
	if len(q.kept) != maxRequests || q.kept[0].Method != "10" ||
		q.kept[len(q.kept)-1].Method != strconv.Itoa(maxRequests+9) {
		t.Errorf("%d requests are kept, from %s to %s", len(q.kept), q.kept[0].Method, q.kept[len(q.kept)-1].Method)
	}
	body := make([]byte, maxKeptBody)
	for range 2*maxKeptBodies/maxKeptBody + 1 {
		q.add(Request{Body: body})
	}
	size := 0
	for _, r := range q.kept {
		size += len(r.Body)
	}
	if size != maxKeptBodies || q.size != size {
		t.Errorf("%d bytes of bodies are kept, %d by count", size, q.size)
	}
	w := &seen{}
	w.keep(make([]byte, maxKeptBody+1))
	if len(w.body) != maxKeptBody {
		t.Errorf("%d bytes of one body are kept", len(w.body))
	}
}

func FuzzContentRange(f *testing.F) {
	for _, seed := range []string{"", "bytes 0-3/10", "bytes */10", "bytes 0-3/*", "bytes */*", "bytes -1-2/3",
		"bytes 9223372036854775807-9223372036854775807/1"} {
		f.Add(seed, 4)
	}
	f.Fuzz(func(t *testing.T, header string, length int) {
		start, total, ok := contentRange(header, max(length, 0))
		if ok && (start < 0 || total < -1 || (total >= 0 && header != "" && start > total)) {
			t.Errorf("%q of %d is read as %d of %d", header, length, start, total)
		}
	})
}
