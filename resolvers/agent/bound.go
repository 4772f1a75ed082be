package agent

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"almanac/graph"
	"almanac/graph/model"
	"almanac/projections/compact"
)

// How many tokens an answer may have, by the estimate of compact.Tokens.
const (
	leastTokens = 500
	mostTokens  = 100_000
	// framing is for what stands around summary and result: the keys, the tool, and after a change the action.
	framing       = 40
	framingAction = 160
)

const purposeNext = "agentnext"

// bounds are how much an answer may have, and where it goes on.
type bounds struct {
	tokens int
	// after is the cursor of the answer that this one goes on behind; empty for the first.
	after string
}

func boundsOf(in graph.AgentChatInput) (bounds, error) {
	b := bounds{tokens: int(in.MaxTokens)}
	if b.tokens < leastTokens || b.tokens > mostTokens {
		return b, model.BadInput("input.maxTokens", "maxTokens is from %d to %d, not %d", leastTokens, mostTokens, b.tokens)
	}
	if in.After != nil {
		if b.after = *in.After; b.after == "" || in.Confirm != nil {
			return b, model.BadInput("input.after", "give the `next` of an earlier answer, and no confirmation beside it")
		}
	}
	return b, nil
}

// fit holds the answer to its bounds: of a list it shows as many entries as fit, and says how many are left out and how
// to go on; where that is not enough, texts are cut.
func (t *turn) fit(b bounds) error {
	whole := outlineOf(t.out.Result)
	cut := excerpt{list: whole.list()}
	if cut.list != nil {
		cut.n = len(cut.list.items)
	}
	lines := strings.Split(t.out.Summary, "\n")
	if b.after != "" {
		from, err := t.goesOn(b.after, cut.list)
		if err != nil {
			return err
		}
		cut.from, cut.n = from, cut.n-from
	}
	if cut.from == 0 && t.tokens(t.out.Summary, t.out.Result) <= b.tokens {
		return nil
	}
	all, fits := cut.n, false
	for _, cut.clip = range []int{0, 400, 200, 100, 40} {
		cut.n = all
		for fits = t.shows(b, cut, lines, whole); !fits && cut.n > 1; fits = t.shows(b, cut, lines, whole) {
			cut.n = min(cut.n-1, cut.n*7/8)
		}
		if fits {
			break
		}
	}
	switch {
	case !fits && t.out.Success && !isReading(t.out.Tool): // it is done, whatever is left of telling it
		cut.n, cut.from = 0, 0
		t.out.Summary, t.out.Result = clipTo(lines[0], 100), jsonOf(agentError{Status: agentDone})
	case !fits:
		sentence := t.say("The answer is longer than %d tokens. Name a shorter time, or allow more.",
			"התשובה ארוכה מ-%d טוקנים. אפשר לומר זמן קצר יותר, או להרשות יותר.", b.tokens)
		cut.n, cut.from, t.out.Confirmation = 0, 0, nil
		t.failed(sentence, sentence)
		t.out.UserErrors = append(t.out.UserErrors, model.BadInput("input.maxTokens", "%s", sentence).UserError())
	default:
		for more := cut; more.n < all; { // the steps above are coarse
			more.n++
			if !t.shows(b, more, lines, whole) {
				break
			}
			cut = more
		}
		t.out.Summary, t.out.Result = t.cutSummary(cut, lines), t.cutResult(cut, whole)
		if next := t.next(cut); next != "" {
			t.out.Next = &next
		}
	}
	if cut.list != nil && len(t.out.Events) == len(cut.list.items) {
		t.out.Events = t.out.Events[cut.from : cut.from+cut.n]
	}
	if cut.list != nil && len(t.nodes) == len(cut.list.items) {
		t.nodes = t.nodes[cut.from : cut.from+cut.n]
	}
	return nil
}

// excerpt is the part of an answer that is shown: of its list the entries from one on, and of texts so many characters,
// all when clip is 0.
type excerpt struct {
	list          *outline
	from, n, clip int
}

// left is how many entries stand behind the excerpt.
func (e excerpt) left() int {
	if e.list == nil {
		return 0
	}
	return len(e.list.items) - e.from - e.n
}

func (t *turn) shows(b bounds, cut excerpt, lines []string, whole *outline) bool {
	return t.tokens(t.cutSummary(cut, lines), t.cutResult(cut, whole)) <= b.tokens
}

// tokens is how many the answer of /agent/chat has.
func (t *turn) tokens(summary string, result *model.JSON) int {
	n := framing + compact.Tokens(string(*jsonOf(summary)))
	if result != nil {
		n += compact.Tokens(string(*result))
	}
	if t.out.Answer != nil {
		n += compact.Tokens(*t.out.Answer)
	}
	if !isReading(t.out.Tool) && t.out.Success {
		n += framingAction
	}
	return n
}

// next is the cursor behind an excerpt of what was read; empty when nothing is left.
func (t *turn) next(cut excerpt) string {
	if cut.left() == 0 || cut.n == 0 || !isReading(t.out.Tool) {
		return ""
	}
	at := cut.from + cut.n
	return t.Sealer.Seal(purposeNext, t.v.User, []byte(strconv.Itoa(at)+"."+cut.list.items[at-1].key()+"."+keyOf(t.text)))
}

// goesOn returns where the entries behind a cursor begin: behind its last one, if that is still there.
func (t *turn) goesOn(after string, list *outline) (int, error) {
	wrong := model.BadInput("input.after", "this is not the `next` of an answer to this text")
	inside, err := t.Sealer.Open(purposeNext, t.v.User, after)
	parts := strings.Split(string(inside), ".")
	if err != nil || len(parts) != 3 || parts[2] != keyOf(t.text) {
		return 0, wrong
	}
	at, err := strconv.Atoi(parts[0])
	if err != nil {
		return 0, wrong
	}
	if list == nil {
		return 0, nil
	}
	last := slices.IndexFunc(list.items, func(one *outline) bool { return one.key() == parts[1] })
	if last >= 0 {
		at = last + 1
	}
	return min(at, len(list.items)), nil
}

func keyOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:4])
}

// cutSummary is a summary with the lines of the entries shown.
func (t *turn) cutSummary(cut excerpt, lines []string) string {
	first := slices.IndexFunc(lines, isEntry)
	var out []string
	clipped := func(list []string) {
		for _, line := range list {
			out = append(out, clipTo(line, cut.clip))
		}
	}
	if first < 0 || cut.list == nil {
		clipped(lines)
		return strings.Join(out, "\n")
	}
	end := first
	for end < len(lines) && isEntry(lines[end]) {
		end++
	}
	clipped(lines[:first])
	clipped(lines[min(first+cut.from, end):min(first+cut.from+cut.n, end)])
	if n := cut.left(); n > 0 {
		more := t.say("… and %d more", "… ועוד %d", n)
		if isReading(t.out.Tool) {
			more += t.say("; ask the same with `after` = `next`", "; אפשר לשאול שוב עם `after` = `next`")
		}
		out = append(out, more+".")
	}
	clipped(lines[end:])
	return strings.Join(out, "\n")
}

// isEntry reports whether a line of a summary is one of the things that it lists.
func isEntry(line string) bool {
	for _, mark := range []string{"- ", "☐ ", "☑ "} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	number, _, ok := strings.Cut(line, ". ")
	_, err := strconv.Atoi(number)
	return ok && err == nil
}

func clipTo(text string, n int) string {
	if n == 0 || utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}

// outline is a JSON value whose keys keep their order.
type outline struct {
	keys  []string
	items []*outline
	// raw is set for a value that is neither an object nor a list.
	raw    json.RawMessage
	object bool
}

func outlineOf(result *model.JSON) *outline {
	if result == nil {
		return &outline{raw: json.RawMessage("null")}
	}
	decoder := json.NewDecoder(strings.NewReader(string(*result)))
	decoder.UseNumber()
	return readOutline(decoder)
}

func readOutline(from *json.Decoder) *outline {
	token, err := from.Token()
	if err != nil {
		return &outline{raw: json.RawMessage("null")} // results are written by this package
	}
	delimiter, nested := token.(json.Delim)
	if !nested {
		return &outline{raw: json.RawMessage(*jsonOf(token))}
	}
	out := &outline{object: delimiter == '{'}
	for from.More() {
		if out.object {
			key, _ := from.Token()
			name, _ := key.(string)
			out.keys = append(out.keys, name)
		}
		out.items = append(out.items, readOutline(from))
	}
	_, _ = from.Token()
	return out
}

// key tells an entry from others of its list.
func (o *outline) key() string { return keyOf(string(o.append(nil, "", excerpt{}))) }

// field is the value of a key; nil when there is none.
func (o *outline) field(name string) *outline {
	if i := slices.Index(o.keys, name); o.object && i >= 0 {
		return o.items[i]
	}
	return nil
}

// list is the list of a result: its events, tasks, lists or the like, the items of its one list, or the candidates of
// its question.
func (o *outline) list() *outline {
	if asked := o.field("confirmation"); asked != nil {
		return asked.field("candidates")
	}
	for _, value := range o.items {
		if !o.object || value.object || value.raw != nil {
			continue
		}
		if len(value.items) == 1 {
			return cmp.Or(value.items[0].field("items"), value)
		}
		return value
	}
	return nil
}

// cutResult is the result with the entries shown, how many are left out, and the cursor behind them.
func (t *turn) cutResult(cut excerpt, whole *outline) *model.JSON {
	if t.out.Result == nil {
		return nil
	}
	text := whole.append(nil, "", cut)
	if n := cut.left(); n > 0 && whole.object {
		text = append(bytes.TrimSuffix(text, []byte("}")), `,"more":`+strconv.Itoa(n)...)
		if next := t.next(cut); next != "" {
			text = append(text, `,"next":"`+next+`"`...)
		}
		text = append(text, '}')
	}
	out := model.JSON(text)
	return &out
}

// append writes the value with what is shown of it.
func (o *outline) append(b []byte, key string, cut excerpt) []byte {
	switch {
	case o.raw != nil:
		var text string
		acts := key == "token" || key == "id" || strings.HasSuffix(key, "_id") || key == "link"
		if acts || cut.clip == 0 || json.Unmarshal(o.raw, &text) != nil {
			return append(b, o.raw...)
		}
		return append(b, *jsonOf(clipTo(text, cut.clip))...)
	case o.object:
		b = append(b, '{')
		for i, value := range o.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(append(b, *jsonOf(o.keys[i])...), ':')
			b = value.append(b, o.keys[i], cut)
		}
		return append(b, '}')
	}
	items := o.items
	if o == cut.list {
		items = items[cut.from : cut.from+cut.n]
	}
	b = append(b, '[')
	for i, value := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = value.append(b, key, cut)
	}
	return append(b, ']')
}
