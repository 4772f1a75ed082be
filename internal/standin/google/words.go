package google

import "strings"

// words are what the consent page says in one language.
type words struct {
	Language, Direction string
	Title               string
	// Notice says that this is not Google.
	Notice       string
	Choose       string
	NoAccounts   string
	Another      string
	Wants        string
	Allow        string
	Cancel       string
	RefusedTitle string
	scopes       map[string]string
}

// scope describes a scope; of one without words the scope itself is shown.
func (w words) scope(scope string) string {
	short := scope
	for _, prefix := range []string{userInfoScope, "https://www.googleapis.com/auth/"} {
		short = strings.TrimPrefix(short, prefix)
	}
	if text, ok := w.scopes[short]; ok {
		return text
	}
	return scope
}

func english() words {
	return words{
		Language: "en", Direction: "ltr", Title: "Connect an account",
		Notice: "This is a stand-in for Google. Nothing here leaves this server, and no real account is touched.",
		Choose: "Choose an account", NoAccounts: "There is no account here yet.", Another: "Use another account",
		Wants: "asks for access to this account:", Allow: "Allow", Cancel: "Cancel", RefusedTitle: "Access blocked",
		scopes: map[string]string{
			"openid":                         "Know who you are",
			"email":                          "See your e-mail address",
			"profile":                        "See your name",
			"calendar":                       "See, change, share and delete all your calendars",
			"calendar.readonly":              "See all your calendars",
			"calendar.events":                "See and change events on all your calendars",
			"calendar.events.owned":          "See and change events on the calendars you own",
			"calendar.events.readonly":       "See events on all your calendars",
			"calendar.freebusy":              "See when you are busy",
			"calendar.calendarlist":          "See, add and remove the calendars in your list",
			"calendar.calendarlist.readonly": "See the list of your calendars",
			"calendar.calendars":             "See and change the properties of your calendars",
			"calendar.settings.readonly":     "See your calendar settings",
			"gmail.readonly":                 "See your mail and settings",
			"gmail.send":                     "Send mail on your behalf",
			"gmail.compose":                  "Manage drafts and send mail",
			"gmail.modify":                   "Read, write and send mail",
			"gmail.labels":                   "See and change your mail labels",
			"gmail.metadata":                 "See headers and labels of your mail, but not its text",
		},
	}
}

func hebrew() words {
	return words{
		Language: "he", Direction: "rtl", Title: "חיבור חשבון",
		Notice: "זהו תחליף ל-Google לצורך הדגמה. שום דבר אינו יוצא מהשרת הזה, ואין נגיעה בחשבון אמיתי.",
		Choose: "בחירת חשבון", NoAccounts: "עדיין אין כאן חשבון.", Another: "שימוש בחשבון אחר",
		Wants: "מבקש גישה לחשבון הזה:", Allow: "אישור", Cancel: "ביטול", RefusedTitle: "הגישה נחסמה",
		scopes: map[string]string{
			"openid":                         "לדעת מי אתם",
			"email":                          "לראות את כתובת האימייל שלכם",
			"profile":                        "לראות את שמכם",
			"calendar":                       "לראות, לשנות, לשתף ולמחוק את כל היומנים שלכם",
			"calendar.readonly":              "לראות את כל היומנים שלכם",
			"calendar.events":                "לראות ולשנות אירועים בכל היומנים שלכם",
			"calendar.events.owned":          "לראות ולשנות אירועים ביומנים שבבעלותכם",
			"calendar.events.readonly":       "לראות אירועים בכל היומנים שלכם",
			"calendar.freebusy":              "לראות מתי אתם תפוסים",
			"calendar.calendarlist":          "לראות, להוסיף ולהסיר יומנים ברשימה שלכם",
			"calendar.calendarlist.readonly": "לראות את רשימת היומנים שלכם",
			"calendar.calendars":             "לראות ולשנות את המאפיינים של היומנים שלכם",
			"calendar.settings.readonly":     "לראות את הגדרות היומן שלכם",
			"gmail.readonly":                 "לראות את הדואר וההגדרות שלכם",
			"gmail.send":                     "לשלוח דואר בשמכם",
			"gmail.compose":                  "לנהל טיוטות ולשלוח דואר",
			"gmail.modify":                   "לקרוא, לכתוב ולשלוח דואר",
			"gmail.labels":                   "לראות ולשנות את תוויות הדואר שלכם",
			"gmail.metadata":                 "לראות כותרות ותוויות של הדואר, אך לא את תוכנו",
		},
	}
}
