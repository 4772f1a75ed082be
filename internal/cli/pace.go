package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// gcPercent trades about 10 MiB for a seventh to a quarter of the CPU time under load: answers are short-lived
	// garbage, and the heap that lives on is small. See bench/README.md.
	gcPercent = 300
	// leastPercent is the pace of large heaps, and smallHeap how large a heap becomes, garbage and all, before that pace
	// is reached: what one user makes live on for a while would otherwise cost the process four times as much.
	leastPercent = 50
	smallHeap    = 64 << 20
	// leastLimit is what the process may take at least, and limitRoom how much more than seven quarters of what lives on,
	// before the collector works more often than by its pace. That is reached where much more lives on than at the last
	// collection, or what is free lies in pieces.
	leastLimit = 80 << 20
	limitRoom  = 16 << 20
	// idleLook is how often it is looked whether the process has become idle: nothing was collected in between. The first
	// look is soon after the start, which leaves garbage.
	firstLook, idleLook = time.Second, 10 * time.Second
	// idleHeap is the heap with which an idle process is left alone. Of a larger one Go would collect after two minutes,
	// and give back the rest little by little.
	idleHeap = 16 << 20
)

// percentFor returns the collector's pace for a heap of which so many bytes live on: gcPercent for small ones, less for
// larger ones, so that the heap stays within smallHeap until the pace is leastPercent.
func percentFor(live uint64) int {
	if live == 0 {
		return gcPercent
	}
	return int(min(gcPercent, max(leastPercent, 100*smallHeap/live-min(100, 100*smallHeap/live))))
}

// limitFor returns how much memory the process may take with a heap of which so many bytes live on.
func limitFor(live uint64) int64 {
	return int64(max(leastLimit, live/4*7+limitRoom))
}

// pace keeps the collector at percentFor of the heap that lives on, and gives memory back when the process becomes
// idle.
type pace struct {
	// samples are of the heap that lived on at the last collection, of the objects and the free memory that it has now,
	// and of how many collections there were, in that order.
	samples []metrics.Sample
	percent int
	// limit is the memory that the process may take now, and most what it may ever take.
	limit, most int64
	// looked is how many collections there were at the last look, and freed when memory was given back.
	looked, freed uint64
}

// keepPace sets the pace now and after each collection, for as long as the process runs.
func keepPace() {
	p := &pace{samples: []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/free:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}}
	p.most = debug.SetMemoryLimit(-1)
	p.adjust()
	go p.watch()
}

// read returns one of the samples as it is now.
func (p *pace) read(i int) uint64 {
	metrics.Read(p.samples)
	return p.samples[i].Value.Uint64()
}

// adjust sets the pace for what lives on. A change costs a stop of all goroutines, so small ones are not made.
func (p *pace) adjust() {
	live := p.read(0)
	percent := percentFor(live)
	if changed := percent - p.percent; changed*10 > p.percent || -changed*10 > p.percent {
		p.percent = percent
		debug.SetGCPercent(percent)
	}
	limit := min(p.most, limitFor(live))
	if changed := limit - p.limit; changed*10 > p.limit || -changed*10 > p.limit {
		p.limit = limit
		debug.SetMemoryLimit(limit)
	}
}

// watch adjusts the pace after each collection, of which a cleanup of an object that nobody holds tells.
func (p *pace) watch() {
	collected := make(chan struct{}, 1)
	var arm func()
	arm = func() {
		runtime.AddCleanup(new([16]byte), func(struct{}) {
			select {
			case collected <- struct{}{}:
			default:
			}
			arm()
		}, struct{}{})
	}
	arm()
	p.looked = p.read(3)
	idle := time.NewTimer(firstLook)
	defer idle.Stop()
	for {
		select {
		case <-collected:
			p.adjust()
		case <-idle.C:
			p.giveBack()
			idle.Reset(idleLook)
		}
	}
}

// giveBack returns memory to the system, once after each time that something was done.
func (p *pace) giveBack() {
	now := p.read(3)
	idle := now == p.looked
	p.looked = now
	if !idle || now == p.freed || p.read(1)+p.read(2) < idleHeap {
		return
	}
	debug.FreeOSMemory()
	p.looked = p.read(3)
	p.freed = p.looked
}
