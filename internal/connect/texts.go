package connect

import (
	"strings"
	"unicode"

	"almanac/adapters/google"
)

// texts are the words of the pages in one language. "%s" stands for a name or an address.
type texts struct {
	lang, dir string

	askTitle, ask, askHint, askList, askWarning, askButton, standIn, localUser string
	doneTitle, done, doneOther, missing                                        string
	nothingTitle, denied, nothingGranted                                       string
	failTitle, newLink, retry, code, home                                      string

	failures map[failure]string
	granted  map[string]string
}

// say puts a name into a sentence. The marks around it (FIRST STRONG ISOLATE and its end, Unicode Standard Annex 9)
// keep an English address from turning the Hebrew around it, and the other way round. Marks in the name itself, which
// could end the isolation and turn the sentence, are left out.
func say(sentence, name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, name)
	return strings.Replace(sentence, "%s", "\u2068"+name+"\u2069", 1)
}

// scopes says in words what is granted. Scopes that only tell whose account it is are one line, the last.
func (t *texts) scopes(scopes []string) []string {
	var lines []string
	for _, scope := range useful(scopes) {
		if line := t.granted[scope]; line != "" {
			lines = append(lines, line)
		} else {
			lines = append(lines, scope)
		}
	}
	if len(lines) < len(scopes) {
		lines = append(lines, t.granted[ScopeEmail])
	}
	return lines
}

// textsOf returns the words of a language, English for one that is not known.
func textsOf(locale string) *texts {
	if locale == "he" {
		return hebrew()
	}
	return english()
}

func english() *texts {
	return &texts{
		lang: "en", dir: "ltr",
		askTitle:  "Link a Google account",
		ask:       "A Google account will be linked to the Almanac of %s. You choose the account on the next page.",
		askHint:   "The account that is meant is %s.",
		askList:   "That Almanac, and every assistant its user lets in, will then be able to:",
		askButton: "Continue to Google",
		askWarning: "Continue only if this Almanac is yours and you asked for this link. " +
			"If somebody sent it to you, close this window: they would be able to see and change your data.",
		standIn: "This server has no Google client. The account will be one of its built-in stand-in, which behaves " +
			"like Google; nothing leaves this server.",
		localUser:    "the user of this computer",
		doneTitle:    "Linked",
		done:         "%s is linked. You may close this window.",
		doneOther:    "Another account was chosen than the one that was meant; %s is as it was.",
		missing:      "This was not granted, and will not work until it is:",
		nothingTitle: "Nothing was linked",
		denied:       "You did not agree, so nothing has changed. You may close this window.",
		nothingGranted: "You agreed to none of what was asked for, so there is nothing that could be linked. You may close " +
			"this window, or try again and leave the boxes ticked.",
		failTitle: "This did not work",
		newLink:   "Ask for a new link where you got this one.",
		retry:     "Try again",
		code:      "Code:",
		home:      "Back to Almanac",
		failures: map[failure]string{
			failTicket: "This link is not valid; perhaps a part of it was lost on its way.",
			failLate:   "This link has ended. Links are good for ten minutes.",
			failNoTicket: "To link an account, a link made for you is needed. Your assistant gives you one, and so does " +
				"the field connectUrl.",
			failBrowser: "This page was not opened in the browser in which the link was begun, or that browser has " +
				"forgotten its cookies.",
			failUsed: "This answer of Google's has been used already. If the account is not linked now, link it anew.",
			failCode: "Google does not accept its own answer any more. Nothing was linked.",
			failIdentity: "Google did not say whose account this is, so nothing was linked. Leave the box for your e-mail " +
				"address ticked.",
			failLasting:     "Google gave no lasting access, so nothing was linked.",
			failRejected:    "Google refused. Nothing was linked.",
			failUnavailable: "Google, or the database of this server, cannot be reached at the moment. Nothing was linked.",
			failOperator: "Google does not accept this server's client. Whoever runs this server has to correct its " +
				"settings.",
			failFull: "Sixteen Google accounts are linked already, which is the most. Unlink one first.",
			failNotConfigured: "This server has no Google client, so no Google account can be linked. Whoever runs it can set " +
				"one up.",
			failMethod:   "This address cannot be used in this way.",
			failPath:     "There is nothing at this address.",
			failInternal: "Something went wrong on this server. Nothing was linked.",
		},
		granted: map[string]string{
			google.ScopeCalendarEvents:         "see and change the events on all of the account's calendars",
			google.ScopeCalendarEventsReadonly: "see the events on all of the account's calendars",
			google.ScopeCalendarList:           "see the list of calendars",
			google.ScopeFreeBusy:               "see when the account's calendars are busy",
			google.ScopeGmailReadonly:          "read the account's mail",
			google.ScopeGmailSend:              "send mail in the account's name",
			google.ScopeGmailCompose:           "write drafts and send mail in the account's name",
			google.ScopeGmailModify:            "read, write, send, label and archive mail",
			google.ScopeGmailLabels:            "see and change the labels of mail",
			ScopeEmail:                         "see the account's e-mail address",
		},
	}
}

func hebrew() *texts {
	return &texts{
		lang: "he", dir: "rtl",
		askTitle:  "קישור חשבון Google",
		ask:       "חשבון Google יקושר ל־Almanac של %s. את החשבון בוחרים בעמוד הבא.",
		askHint:   "החשבון המבוקש הוא %s.",
		askList:   "מעתה יוכלו אותו Almanac, וכל עוזר שהמשתמש בו מכניס, לעשות את אלה:",
		askButton: "המשך אל Google",
		askWarning: "יש להמשיך רק אם ה־Almanac הזה שייך לך והקישור נוצר לבקשתך. " +
			"אם מישהו אחר שלח אותו אליך, יש לסגור את החלון: הוא יוכל לראות את הנתונים שלך ולשנות אותם.",
		standIn:      "לשרת הזה אין לקוח של Google. החשבון יהיה של המחליף המובנה, שמתנהג כמו Google; דבר אינו יוצא מהשרת.",
		localUser:    "המשתמש במחשב הזה",
		doneTitle:    "החשבון קושר",
		done:         "%s מקושר. אפשר לסגור את החלון.",
		doneOther:    "נבחר חשבון אחר מזה שהתבקש; %s נשאר כפי שהיה.",
		missing:      "ההרשאות האלה לא ניתנו, ובלעדיהן הדברים האלה לא יפעלו:",
		nothingTitle: "לא קושר דבר",
		denied:       "לא ניתנה הסכמה, ולכן דבר לא השתנה. אפשר לסגור את החלון.",
		nothingGranted: "לא ניתנה אף אחת מן ההרשאות שהתבקשו, ולכן אין מה לקשר. אפשר לסגור את החלון, או לנסות שוב ולהשאיר " +
			"את התיבות מסומנות.",
		failTitle: "זה לא הצליח",
		newLink:   "יש לבקש קישור חדש במקום שבו התקבל הקישור הזה.",
		retry:     "ניסיון נוסף",
		code:      "קוד:",
		home:      "חזרה אל Almanac",
		failures: map[failure]string{
			failTicket:        "הקישור אינו תקף; אולי חלק ממנו אבד בדרך.",
			failLate:          "תוקף הקישור פג. קישורים תקפים לעשר דקות.",
			failNoTicket:      "כדי לקשר חשבון נדרש קישור שנוצר עבורך. אפשר לקבל אותו מהעוזר שלך או מהשדה connectUrl.",
			failBrowser:       "העמוד לא נפתח בדפדפן שבו התחיל הקישור, או שהעוגיות של אותו דפדפן נמחקו.",
			failUsed:          "התשובה הזאת של Google כבר נוצלה. אם החשבון אינו מקושר כעת, יש לקשר אותו מחדש.",
			failCode:          "Google כבר אינה מקבלת את התשובה שלה. לא קושר דבר.",
			failIdentity:      "Google לא מסרה של מי החשבון, ולכן לא קושר דבר. יש להשאיר את התיבה של כתובת הדוא״ל מסומנת.",
			failLasting:       "Google לא נתנה גישה מתמשכת, ולכן לא קושר דבר.",
			failRejected:      "Google סירבה. לא קושר דבר.",
			failUnavailable:   "אין כרגע גישה אל Google או אל מסד הנתונים של השרת. לא קושר דבר.",
			failOperator:      "Google אינה מקבלת את הלקוח של השרת הזה. מי שמפעיל את השרת צריך לתקן את ההגדרות.",
			failFull:          "כבר מקושרים שישה עשר חשבונות Google, וזה המספר הגדול ביותר. יש לנתק אחד תחילה.",
			failNotConfigured: "לשרת הזה אין לקוח של Google, ולכן אי אפשר לקשר חשבון Google. מי שמפעיל את השרת יכול להגדיר אחד.",
			failMethod:        "אי אפשר להשתמש בכתובת הזאת בדרך הזאת.",
			failPath:          "אין דבר בכתובת הזאת.",
			failInternal:      "אירעה תקלה בשרת. לא קושר דבר.",
		},
		granted: map[string]string{
			google.ScopeCalendarEvents:         "לראות ולשנות את האירועים בכל היומנים של החשבון",
			google.ScopeCalendarEventsReadonly: "לראות את האירועים בכל היומנים של החשבון",
			google.ScopeCalendarList:           "לראות את רשימת היומנים",
			google.ScopeFreeBusy:               "לראות מתי היומנים של החשבון תפוסים",
			google.ScopeGmailReadonly:          "לקרוא את הדואר של החשבון",
			google.ScopeGmailSend:              "לשלוח דואר בשם החשבון",
			google.ScopeGmailCompose:           "לכתוב טיוטות ולשלוח דואר בשם החשבון",
			google.ScopeGmailModify:            "לקרוא, לכתוב, לשלוח, לתייג ולהעביר דואר לארכיון",
			google.ScopeGmailLabels:            "לראות ולשנות את התוויות של הדואר",
			ScopeEmail:                         "לראות את כתובת הדוא״ל של החשבון",
		},
	}
}
