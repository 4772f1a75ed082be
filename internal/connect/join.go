package connect

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"almanac/graph/model"
	"almanac/internal/auth"
	"almanac/internal/httpapi/edge"
	"almanac/internal/markup"
	"almanac/projections/when"
)

// PathJoin is what addresses of invitations begin with; their secret follows.
const PathJoin = "/join/"

// maxJoinForm bounds the form, in bytes.
const maxJoinForm = 4 << 10

// Inviting exchanges secrets for tokens; the contract is that of auth.Invitations.
type Inviting interface {
	Open(ctx context.Context, secret string) (model.UserID, error)
	Accept(ctx context.Context, secret, name string) (token string, err error)
}

// Join is the page of an invitation: it asks what the token shall be called, and shows the token once. Opening the page
// uses nothing up, so that programs that look into links in messages do no harm. Its fields are set before the first
// use.
type Join struct {
	Invitations Inviting
	// Home is the address of the page for people.
	Home *url.URL
	// Spend counts a visit for a user, and refuses it when there are too many.
	Spend  func(user model.UserID) *model.Error
	Logger *slog.Logger
}

// joinTexts are the words of the page in one language.
type joinTexts struct {
	lang, dir                                              string
	title, ask, name, example, button                      string
	done, keep, use, home                                  string
	failTitle, gone, badName, method, crossSite, busy, bad string
}

func joinTextsOf(locale string) joinTexts {
	if locale == "he" {
		return joinTexts{lang: "he", dir: "rtl", title: "הזמנה ל־Almanac",
			ask:  "ההזמנה נותנת אסימון אחד, שפותח את ה־Almanac שלך מן המכשיר הזה. היא טובה לפעם אחת.",
			name: "איך לקרוא למכשיר?", example: "הטלפון שלי", button: "קבלת האסימון", done: "זה האסימון שלך",
			keep:      "הוא מוצג פעם אחת בלבד. כדאי להעתיק אותו עכשיו ולשמור אותו כמו סיסמה.",
			use:       "מדביקים אותו בעמוד הבית כשהוא מתבקש, או שולחים אותו ככותרת Authorization: Bearer.",
			home:      "אל עמוד הבית",
			failTitle: "זה לא הצליח",
			gone:      "ההזמנה אינה תקפה: ייתכן שכבר נוצלה, שתוקפה פג או שחלק מן הקישור אבד. יש לבקש הזמנה חדשה.",
			badName:   "לשם יש בין 1 ל־100 תווים, בלי מעברי שורה.",
			method:    "אי אפשר להשתמש בכתובת הזאת בדרך הזאת.", crossSite: "הטופס נשלח מאתר אחר.",
			busy: "היו יותר מדי ניסיונות. יש לנסות שוב בעוד דקה.", bad: "אירעה תקלה בשרת. ההזמנה לא נוצלה."}
	}
	return joinTexts{lang: "en", dir: "ltr", title: "An invitation to Almanac",
		ask:  "This invitation gives you one token, which opens your Almanac from this device. It is good once.",
		name: "What shall the device be called?", example: "my phone", button: "Get the token", done: "This is your token",
		keep:      "It is shown only now. Copy it, and keep it as you would a password.",
		use:       "Paste it into the home page when that asks for it, or send it as the header Authorization: Bearer.",
		home:      "To the home page",
		failTitle: "This did not work",
		gone: "The invitation is not valid: it was used, it has ended, or a part of the link was lost. Ask for a new " +
			"one.",
		badName: "A name has 1 to 100 characters and no line ends.",
		method:  "This address cannot be used in this way.", crossSite: "The form was sent by another site.",
		busy: "There were too many attempts. Try again in a minute.",
		bad:  "Something went wrong on this server. The invitation was not used."}
}

// ServeHTTP shows the form of an invitation, and answers it with a token.
func (j *Join) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	locale, _ := when.ParseLocale(strings.Join(r.Header.Values("Accept-Language"), ", "))
	v := joinVisit{Join: j, w: w, r: r, texts: joinTextsOf(locale)}
	secret := strings.TrimPrefix(r.URL.Path, PathJoin)
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost:
		w.Header().Set("Allow", "GET, HEAD, POST")
		v.fail(http.StatusMethodNotAllowed, v.texts.method)
		return
	case r.Method == http.MethodPost && ofOtherPage(r):
		v.fail(http.StatusForbidden, v.texts.crossSite)
		return
	}
	user, err := j.Invitations.Open(r.Context(), secret)
	if err != nil {
		v.failWith(err)
		return
	}
	if busy := j.Spend(user); busy != nil {
		w.Header().Set("Retry-After", strconv.Itoa(int(busy.RetryAfter/time.Second)+1))
		v.fail(http.StatusTooManyRequests, v.texts.busy)
		return
	}
	if r.Method != http.MethodPost {
		v.form("")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxJoinForm)
	if err := r.ParseForm(); err != nil {
		v.fail(http.StatusBadRequest, v.texts.badName)
		return
	}
	token, err := j.Invitations.Accept(r.Context(), secret, r.PostForm.Get("name"))
	if model.CodeOf(err) == model.CodeBadUserInput {
		v.form(v.texts.badName)
		return
	}
	if err != nil {
		v.failWith(err)
		return
	}
	v.show(http.StatusOK, v.texts.done, false, func(m *markup.Page) {
		m.Add(`<p><code dir="ltr">%s</code></p>
<p class="warning">%s</p>
<p>%s</p>
<p><a class="button" href="%s">%s</a></p>
`, token, v.texts.keep, v.texts.use, j.Home.String(), v.texts.home)
	})
}

// joinVisit is one request with the words for its answer.
type joinVisit struct {
	*Join
	w     http.ResponseWriter
	r     *http.Request
	texts joinTexts
}

// form asks for the name, and says what was wrong with the last one.
func (v joinVisit) form(wrong string) {
	status := http.StatusOK
	if wrong != "" {
		status = http.StatusBadRequest
	}
	v.show(status, v.texts.title, true, func(m *markup.Page) {
		m.Add("<p>%s</p>\n", v.texts.ask)
		if wrong != "" {
			m.Add("<p class=\"warning\">%s</p>\n", wrong)
		}
		// Without an action the form goes to the address of the page.
		m.Add(`<form method="post">
<p><label>%s<br><input name="name" required maxlength="100" autocomplete="off" placeholder="%s"></label></p>
<button type="submit">%s</button>
</form>
`, v.texts.name, v.texts.example, v.texts.button)
	})
}

// failWith answers an error; the cause of one that is the server's is logged.
func (v joinVisit) failWith(err error) {
	if errors.Is(err, auth.ErrNoInvitation) {
		v.fail(http.StatusNotFound, v.texts.gone)
		return
	}
	v.Logger.ErrorContext(v.r.Context(), "an invitation could not be used", "requestId", edge.RequestID(v.r.Context()),
		"cause", causeOf(err))
	v.fail(http.StatusServiceUnavailable, v.texts.bad)
}

func (v joinVisit) fail(status int, sentence string) {
	v.show(status, v.texts.failTitle, false, func(m *markup.Page) { m.Add("<p>%s</p>\n", sentence) })
}

// show writes a page that only its own form may leave.
func (v joinVisit) show(status int, title string, form bool, body func(m *markup.Page)) {
	showPage(v.w, v.r, status, heading{v.texts.lang, v.texts.dir, title},
		strings.Replace(policy(form), "'self' https:", "'self'", 1), body)
}
