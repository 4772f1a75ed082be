package delivery_test

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"almanac/adapters/store"
	"almanac/graph/model"
	"almanac/internal/delivery"
)

// browser is a browser with the push service of its maker: it decrypts what it gets by RFC 8291 and RFC 8188, and
// verifies who sent it by RFC 8292, with the standard library alone.
type browser struct {
	*httptest.Server
	t    *testing.T
	key  *ecdh.PrivateKey
	auth []byte

	mu       sync.Mutex
	shown    map[string]string // title by tag: what a person sees
	messages int
	headers  http.Header
	sender   string
	// status is answered; 0 for 201. A message that is answered with an error is not shown, unless lost.
	status int
	lost   bool
}

func newBrowser(t *testing.T) *browser {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, key: key, auth: []byte("0123456789abcdef"), shown: map[string]string{}}
	b.Server = httptest.NewServer(b)
	t.Cleanup(b.Close)
	return b
}

func (b *browser) secret() model.ChannelSecret {
	return model.ChannelSecret{Address: b.URL + "/subscription", Key: b.key.PublicKey().Bytes(), Auth: b.auth}
}

func (b *browser) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sealed, err := io.ReadAll(r.Body)
	if err != nil {
		b.t.Error(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.messages++
	b.headers = r.Header
	if err := b.verify(r); err != nil {
		b.t.Errorf("the server's signature: %v", err)
	}
	if b.status == 0 || b.lost {
		text, err := b.open(sealed)
		var n struct{ Tag, Title string }
		if err == nil {
			err = json.Unmarshal(text, &n)
		}
		if err != nil {
			b.t.Errorf("the message: %v %q", err, text)
		}
		b.shown[n.Tag] = n.Title
	}
	if b.status != 0 {
		w.WriteHeader(b.status)
		return
	}
	w.WriteHeader(http.StatusCreated)
}

// open decrypts one message.
func (b *browser) open(sealed []byte) ([]byte, error) {
	if b.headers.Get("Content-Encoding") != "aes128gcm" || len(sealed) < 86 {
		return nil, errors.New("it is not in aes128gcm")
	}
	salt, size, idLen := sealed[:16], binary.BigEndian.Uint32(sealed[16:20]), int(sealed[20])
	from, rest := sealed[21:21+idLen], sealed[21+idLen:]
	if len(rest) > int(size) {
		return nil, fmt.Errorf("%d bytes in a record of %d", len(rest), size)
	}
	public, err := ecdh.P256().NewPublicKey(from)
	if err != nil {
		return nil, err
	}
	shared, err := b.key.ECDH(public)
	if err != nil {
		return nil, err
	}
	info := append(append([]byte("WebPush: info\x00"), b.key.PublicKey().Bytes()...), from...)
	ikm, err := hkdf.Key(sha256.New, shared, b.auth, string(info), 32)
	if err != nil {
		return nil, err
	}
	key, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: aes128gcm\x00", 16)
	if err != nil {
		return nil, err
	}
	nonce, err := hkdf.Key(sha256.New, ikm, salt, "Content-Encoding: nonce\x00", 12)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	plain, err := gcm.Open(nil, nonce, rest, nil)
	if err != nil {
		return nil, err
	}
	text, found := bytes.CutSuffix(bytes.TrimRight(plain, "\x00"), []byte{2})
	if !found {
		return nil, errors.New("the last record has no delimiter")
	}
	return text, nil
}

// verify checks the token of the sender.
func (b *browser) verify(r *http.Request) error {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "vapid t=")
	token, key, both := strings.Cut(given, ", k=")
	parts := strings.Split(token, ".")
	if !ok || !both || len(parts) != 3 {
		return errors.New("there is none")
	}
	b.sender = key
	decode := base64.RawURLEncoding.DecodeString
	public, err1 := decode(key)
	signature, err2 := decode(parts[2])
	claims, err3 := decode(parts[1])
	if err := errors.Join(err1, err2, err3); err != nil || len(public) != 65 || len(signature) != 64 {
		return fmt.Errorf("it cannot be read: %w", err)
	}
	sum := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	signer, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), public)
	if err != nil {
		return err
	}
	if !ecdsa.Verify(signer, sum[:], new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])) {
		return errors.New("it is not the sender's")
	}
	var of struct {
		Aud, Sub string
		Exp      int64
	}
	if err := json.Unmarshal(claims, &of); err != nil {
		return err
	}
	if left := time.Until(time.Unix(of.Exp, 0)); of.Aud != b.URL || left < 0 || left > 24*time.Hour ||
		of.Sub != "mailto:owner@example.com" {
		return fmt.Errorf("it says %+v", of)
	}
	return nil
}

func (b *browser) sees() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	titles := []string{}
	for _, title := range b.shown {
		titles = append(titles, title)
	}
	return titles
}

// memoryKeeper keeps secrets of the server in memory.
type memoryKeeper struct{ kept map[string][]byte }

func (m *memoryKeeper) Secret(_ context.Context, name string, fresh []byte) ([]byte, error) {
	if m.kept[name] == nil {
		m.kept[name] = fresh
	}
	return m.kept[name], nil
}

// pushing is what delivers to browsers in one process.
func (w *world) pushing(s delivery.Store, keeper delivery.Keeper) *delivery.Worker {
	worker := w.process(s)
	worker.Push = &delivery.Push{Transport: delivery.NewTransport(true), Now: w.clock.Now, Contact: "owner@example.com",
		Timeout: 5 * time.Second, Key: func(ctx context.Context) (*ecdh.PrivateKey, error) {
			return delivery.ServerKey(ctx, keeper, w.box)
		}}
	worker.Titles = func(_ context.Context, _ model.UserID, changes []model.Change) (map[model.UUID]string, error) {
		titles := map[model.UUID]string{}
		for _, c := range changes {
			titles[c.ID] = "call mom at " + strconv.FormatInt(c.Seq, 10)
		}
		return titles, nil
	}
	return worker
}

// remind makes a change REMINDED of a new task.
func (w *world) remind() {
	w.Helper()
	task := model.Task{ID: w.ids.New(), Text: "call mom", CreatedAt: w.clock.Now(), UpdatedAt: w.clock.Now()}
	if err := w.stores[0].Write(w.Context(), w.user, func(ctx context.Context, tx store.Tx) error {
		return errors.Join(tx.InsertTasks(ctx, []model.Task{task}),
			tx.UpdateTasks(ctx, model.OperationReminded, []model.Task{task}))
	}); err != nil {
		w.Fatal(err)
	}
}

// A browser is told of reminders alone, encrypted, by a server whose key stays the same, with what RFC 8030 asks for.
func TestPush(t *testing.T) {
	eachDriver(t, func(t *testing.T, open stores) {
		w := newWorld(t, open, 1)
		w.clock.at = time.Now().UTC() // titles say when a change was logged, by the store's own clock
		b, keeper := newBrowser(t), &memoryKeeper{kept: map[string][]byte{}}
		channel := w.channel(w.user, model.ChannelPush, b.secret(), model.ChannelState{Texts: true})
		w.tasks(w.user, 2)
		w.remind()
		w.once(w.pushing(w.stores[0], keeper), w.stores[0])
		if got := b.sees(); len(got) != 1 || !strings.HasPrefix(got[0], "call mom at ") {
			t.Fatalf("the browser shows %q", got)
		}
		ttl, err := strconv.Atoi(b.headers.Get("TTL"))
		if err != nil || ttl > 24*3600 || ttl < 23*3600 || b.headers.Get("Urgency") != "high" ||
			len(b.headers.Get("Topic")) != 26 {
			t.Errorf("headers %v", b.headers)
		}
		sealed := string(keeper.kept["vapid"])
		first := b.sender
		w.remind()
		w.once(w.pushing(w.stores[0], keeper), w.stores[0])
		if b.sender != first || string(keeper.kept["vapid"]) != sealed || len(b.sees()) != 2 {
			t.Errorf("the key was %s and is %s; the browser shows %q", first, b.sender, b.sees())
		}
		if key, err := base64.RawURLEncoding.DecodeString(first); err != nil || strings.Contains(sealed, string(key)) {
			t.Errorf("the key is not sealed, %v", err)
		}
		// A day later nobody wants to hear of it.
		w.remind()
		w.clock.move(25 * time.Hour)
		w.once(w.pushing(w.stores[0], keeper), w.stores[0])
		if len(b.sees()) != 2 {
			t.Errorf("an old reminder is shown: %q", b.sees())
		}
		if now, _ := w.state(channel); now.Place == channel.Place {
			t.Error("the old reminder is still to be sent")
		}
	})
}

// A browser that has unsubscribed is deleted, with a change.
func TestPushGone(t *testing.T) {
	for _, status := range []int{http.StatusNotFound, http.StatusGone} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			eachDriver(t, func(t *testing.T, open stores) {
				w := newWorld(t, open, 1)
				w.clock.at = time.Now().UTC()
				b := newBrowser(t)
				b.status = status
				w.channel(w.user, model.ChannelPush, b.secret(), model.ChannelState{Texts: true})
				w.remind()
				w.once(w.pushing(w.stores[0], &memoryKeeper{kept: map[string][]byte{}}), w.stores[0])
				left, err := w.stores[0].Channels(t.Context(), w.user)
				if err != nil || len(left) != 0 {
					t.Errorf("left are %+v, %v", left, err)
				}
				changes, err := w.stores[0].Changes(t.Context(), w.user, 0, []model.ChangeType{model.ChangePush}, 10)
				if err != nil || len(changes) != 2 || changes[1].Operation != model.OperationDeleted {
					t.Errorf("%+v, %v", changes, err)
				}
			})
		})
	}
}

// Processes that die between sending and keeping that they sent, and answers that are lost, show each reminder once.
func TestPushOnce(t *testing.T) {
	eachDriver(t, func(t *testing.T, open stores) {
		w := newWorld(t, open, 2)
		w.clock.at = time.Now().UTC()
		b, keeper := newBrowser(t), &memoryKeeper{kept: map[string][]byte{}}
		w.channel(w.user, model.ChannelPush, b.secret(), model.ChannelState{Texts: true})
		const rounds = 12
		for round := range rounds {
			w.remind()
			b.mu.Lock()
			b.lost, b.status = round%3 == 0, 0
			if b.lost {
				b.status = http.StatusBadGateway
			}
			b.mu.Unlock()
			var both sync.WaitGroup
			for i, s := range w.stores {
				both.Go(func() {
					mortal := &dying{Store: s, left: (round + i) % 3}
					w.once(w.pushing(mortal, keeper), mortal)
				})
			}
			both.Wait()
			w.clock.move(2 * time.Minute)
		}
		b.mu.Lock()
		b.status, b.lost = 0, false
		b.mu.Unlock()
		for range 10 {
			w.once(w.pushing(w.stores[0], keeper), w.stores[0])
			w.clock.move(2 * time.Minute)
		}
		if got := b.sees(); len(got) != rounds || b.messages <= rounds {
			t.Errorf("%d notifications of %d reminders in %d messages", len(got), rounds, b.messages)
		}
	})
}

// What a page hands over is checked; a test reaches the browser.
func TestManager(t *testing.T) {
	t.Parallel()
	w := newWorld(t, sqliteStores, 1)
	b := newBrowser(t)
	worker := w.pushing(w.stores[0], &memoryKeeper{kept: map[string][]byte{}})
	push, _ := worker.Push.(*delivery.Push)
	m := &delivery.Manager{Box: w.box, Private: true, Webhooks: worker.Webhooks, Push: push, Key: push.Key,
		NewID: w.ids.New,
		Now:   w.clock.Now}
	encode := base64.RawURLEncoding.EncodeToString
	key, auth := encode(b.key.PublicKey().Bytes()), base64.URLEncoding.EncodeToString(b.auth)
	secret, host, err := m.PushSecret(b.URL+"/subscription", key, auth)
	if err != nil || !strings.HasPrefix(host, "127.0.0.1:") {
		t.Fatalf("%s %v", host, err)
	}
	for _, wrong := range [][3]string{{"ftp://x", key, auth}, {b.URL, "x", auth}, {b.URL, encode(make([]byte, 65)), auth},
		{b.URL, key, ""}, {b.URL, key, encode(make([]byte, 15))}} {
		if _, _, err := m.PushSecret(wrong[0], wrong[1], wrong[2]); model.CodeOf(err) != model.CodeBadUserInput {
			t.Errorf("%v: %v", wrong, err)
		}
	}
	channel := w.channel(w.user, model.ChannelPush, secret, model.ChannelState{})
	if _, problem, err := m.Test(t.Context(), channel); err != nil || problem != "" || b.messages != 1 {
		t.Errorf("%s %v, %d messages", problem, err, b.messages)
	}
	b.status = http.StatusForbidden
	if status, problem, err := m.Test(t.Context(), channel); err != nil || problem == "" || status != 403 {
		t.Errorf("%d %s %v", status, problem, err)
	}
	public, err := m.PushKey(t.Context())
	if err != nil || public != b.sender {
		t.Errorf("the key is %s, the browser knows %s, %v", public, b.sender, err)
	}
	hook := w.channel(w.user, model.ChannelWebhook, model.ChannelSecret{Address: "http://127.0.0.1:1/"},
		model.ChannelState{})
	if status, problem, err := m.Test(t.Context(), hook); err != nil || status != 0 || problem == "" {
		t.Errorf("%d %s %v", status, problem, err)
	}
}
