package model

import (
	"crypto/rand"
	"testing"
)

func TestIDTextIsTheTypeIDForm(t *testing.T) {
	// The first two vectors of the TypeID specification's valid.yml, with a kind of ours.
	for uuid, want := range map[UUID]string{
		{}: "00000000000000000000000000",
		{0x01, 0x89, 0x0a, 0x5d, 0xac, 0x96, 0x77, 0x4b, 0xbc, 0xce, 0xb3, 0x02, 0x09, 0x9a, 0x80,
			0x57}: "01h455vb4pex5vsknk084sn02q",
	} {
		if got := (ID{Kind: KindTask, UUID: uuid}).String(); got != "task_"+want {
			t.Errorf("got %s, want task_%s", got, want)
		}
	}
}

func TestIDRoundTrip(t *testing.T) {
	for range 1000 {
		var u UUID
		_, _ = rand.Read(u[:])
		id := ID{Kind: KindList, UUID: u}
		back, err := ParseID(id.String())
		if err != nil || back != id {
			t.Fatalf("%v became %v (%v)", id, back, err)
		}
	}
}

func FuzzParseID(f *testing.F) {
	f.Add("task_01h455vb4pex5vsknk084sn02q")
	f.Add("task_")
	f.Add("item_8zzzzzzzzzzzzzzzzzzzzzzzzz")
	f.Add("task_01h455vb4pex5vsknk084s\n02q") // encoding/base32 passes over line breaks
	f.Fuzz(func(t *testing.T, text string) {
		id, err := ParseID(text)
		if err == nil && id.String() != text {
			t.Errorf("%q was accepted but prints as %q", text, id.String())
		}
	})
}
