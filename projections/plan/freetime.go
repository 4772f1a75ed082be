package plan

import "regexp"

// Ways to ask for a free time by what it is for: "find a slot for lunch with Adi on Tuesday". What it is for is in no
// calendar yet, so it is no name to look for.
const (
	findVerb = `(?:can you |could you |please |i need to |i want to |we need to |need to )*(?:find|look for|search ` +
		`for|get)(?: me| us)?`
	freeSlot = `(?:an? |some |any )?(?:good |free |open |suitable |convenient |available |quiet |decent |common )*` +
		`(?:slot|time|window|gap|opening|room|space|spot|hour|moment)(?: free)?`
	slotFor  = `(?:for|to|with|when|that (?:works|suits|fits)(?: for)?) {k}`
	slotLong = `((?:half an|an|one|two|three|four|\d+) (?:hours?|minutes?|mins?))(?: free)?`
	findHe   = `(?:(?:אני |אנחנו )?(?:צריך|צריכה|צריכים|רוצה|חייב|חייבת) )?(?:תמצאי?|תמצא|תמצאו|מצאי?|תחפשי?|תחפש|חפשי?|` +
		`תאתרי?|תאתר|אתרי?|למצוא|לחפש|לאתר|תסדרי?|תסדר)(?: לי| לנו)?`
	freeSlotHe = `(?:איזה |איזו |איזשהו |קצת )?(?:זמן|חלון|שעה|חצי שעה|שעתיים|משבצת|רווח|סלוט|מועד|חור)` +
		`(?: פנוי| פנויה| טוב| טובה| נוח| נוחה| מתאים| מתאימה)*`
	slotLongHe = `(חצי שעה|שעתיים|שעה וחצי|\d+ דקות|שלוש שעות)(?: פנויה| פנויות)?`
	slotForHe  = `(?:ל|עם |בשביל |עבור |כדי ){k}`
)

var freeTimes = []rewording{
	asked(findVerb+` `+slotLong+` `+slotFor+` {t}\??`, `first free $1 ${t}`),
	asked(findVerb+` `+slotLong+` {t} `+slotFor+`\??`, `first free $1 ${t}`),
	asked(findVerb+` `+slotLong+` `+slotFor+`\??`, `first free $1`),
	asked(findVerb+` `+freeSlot+` `+slotFor+` {t}\??`, `first free hour ${t}`),
	asked(findVerb+` `+freeSlot+` {t} `+slotFor+`\??`, `first free hour ${t}`),
	asked(findVerb+` `+freeSlot+` `+slotFor+`\??`, `first free hour`),
	asked(findHe+` `+slotLongHe+` `+slotForHe+` {t}\??`, `תמצא לי $1 פנויה ${t}`),
	asked(findHe+` `+slotLongHe+` {t} `+slotForHe+`\??`, `תמצא לי $1 פנויה ${t}`),
	asked(findHe+` `+slotLongHe+` `+slotForHe+`\??`, `תמצא לי $1 פנויה`),
	asked(findHe+` `+freeSlotHe+` `+slotForHe+` {t}\??`, `תמצא לי שעה פנויה ${t}`),
	asked(findHe+` `+freeSlotHe+` {t} `+slotForHe+`\??`, `תמצא לי שעה פנויה ${t}`),
	asked(findHe+` `+freeSlotHe+` `+slotForHe+`\??`, `תמצא לי שעה פנויה`),
}

// notGoing says that somebody will not be where an event is, which need not mean that the event is to go.
var notGoing = regexp.MustCompile(`^(?i)(?:(?:i'm|im|i am|we're|we are) not (?:going|coming|attending|able)|` +
	`no need for .+|(?:i|we) (?:don't|dont|do not|no longer) need .+|` +
	`(?:i|we) (?:won't|wont|will not|can't|cant|cannot|can not) (?:make|be|come|attend|get|go)|` +
	`(?:אני |אנחנו )?לא (?:אגיע|נגיע|הולך|הולכת|הולכים|מגיע|מגיעה|מגיעים|בא|באה|באים|אבוא|נבוא|אהיה|נהיה|אלך|נלך|` +
	`יכול להגיע|יכולה להגיע|אוכל להגיע)) [^,;.:–—-]+[.!]*$`)
