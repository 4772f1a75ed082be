package plan

import (
	"regexp"
	"strings"
)

// dayBefore is a day, or a word before an hour, with what stands before it: four digits behind it are an hour ("fri
// 0700"), and a code or a number elsewhere.
const dayBefore = `.*\b(?:(?:mon|tue|wed|thu|fri|sat|sun)\pL*|tomorrow|today|at|from|\d{1,2}(?:st|nd|rd|th)?` +
	`(?: (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\pL*)?) `

// tails are what stands behind a sentence and says no more than it: that the hour stays, that it is to be put down; and
// what is said anew within it.
var tails = []rephrased{
	inWords(`.*?[^\pL](?:no,? wait|wait,? no|scratch that|no,? sorry|actually,? no)[,:]? `+
		`((?:book|add|schedule|remind|cancel|delete|create|show|set up|plan|note) .+)`, `$1`),
	inWords(`.*?[^\pL](?:לא,? רגע|רגע,? לא|לא,? סליחה|בעצם,? לא)[,:]? `+
		`((?:תקבעי?|תקבע|תוסיפי?|תוסיף|תזכירי?|תזכיר|תבטלי?|תבטל|תמחקי?|תמחק|תרשמי?|תרשום|תראי?|תראה) .+)`, `$1`),
	inWords(`(.+?),? (?:lol|ugh|haha|thx|plz|pls|אוף|חח+|פליז)[.!]*`, `$1`),
	inWords(`(`+dayBefore+`)0(\d)([0-5]\d) ?- ?([01]\d)([0-5]\d)( .*|)`, `${1}0$2:$3-$4:$5$6`),
	inWords(`(`+dayBefore+`)0(\d)([0-5]\d)( .*|)`, `${1}0$2:$3$4`),
	inWords(`(.* )(\d{1,2}) ([0-5]\d) ?(am|pm)\b(.*)`, `${1}$2:$3 $4$5`),
	inWords(`(?:stick|pop|squeeze|slot) (?:the |my |our |an? )?(.+?) in (?:for (?:me|us) )?(?:for|on) (.+)`, `add $1 $2`),
	inWords(`(?:cal|calendar): (.+)`, `add $1`),
	inWords(`(?:quick |just a (?:quick )?)reminder that (.+)`, `$1`),
	inWords(`got (an? .+ (?:on|at|tomorrow|tonight|next) .+)`, `i have $1`),
	inWords(`(?:i'm|im|we're|were) having (.+ (?:on|at|tomorrow|tonight|next) .+)`, `i have $1`),
	inWords(`(?:put|pencil) (?:the |my |our |an? )?(.+?) down for (.+)`, `add $1 $2`),
	inWords(`(?:monthly|every month:?) (.+?),? (?:on )?(?:the )?(first|second|third|fourth|last) (\pL+day) (?:of|in) `+
		`(?:the|each|every) month(.*)`, `$1 every $2 $3 of the month$4`),
	inWords(`(.*)\bevery (?:first|1st) (?:day )?of the month\b(.*)`, `$1 on the 1st of every month $2`),
	inWords(`(.*?)ב?כל (?:אחד|ראשון|1) לחודש(.*)`, `$1 בכל 1 לחודש $2`),
	inWords(`(ל\S+ .+?) ?[-–:,]? ?(?:תוסיפי?|תוסיף|שימי?|שים|תכניסי?|תכניס|תרשמי?|תרשום)(?: לי)?(?: את זה)? `+
		`(?:למשימות|במשימות|לרשימת המשימות|ברשימת המשימות|למטלות|במטלות)`, `תזכיר לי $1`),
	inWords(`((?:move|shift|push|change|reschedule|postpone) .+ to .+?),? (?:at |but |keep |keeping )?(?:the |at the )?`+
		`same (?:hour|time)`, `$1`),
	inWords(`(.+? ל.+?),? (?:ב|באותה |אותה )ה?שעה(?: שהיה| הרגילה)?`, `$1`),
	inWords(`(.+? ל.+?),? ב?אותה שעה`, `$1`),
	inWords(`(.+ (?:at|on|tomorrow|today|tonight|from) .+), (?:please )?(?:add|put|note|book) (?:that|it|this)(?: `+
		`in| down)?`+
		`(?: (?:to|on|in) my calendar)?`, `add $1`),
	// What follows a statement that something is off.
	inWords(`((?:DEF.+? (?:is|are|was|got|been|has been) (?:off|cancelled|canceled|called off)|.+ cancelled|.+ `+
		`canceled))[,;] `+
		`(?:so )?(?:please )?(?:remove|delete|cancel|drop|scrap|take) (?:it|that|this|them)(?: off)?`, `$1`),
	inWords(`(.+? (?:בוטל|בוטלה|בוטלו|התבטל|התבטלה|מבוטל|מבוטלת|הבריז|הבריזה|לא מגיע|לא מגיעה|לא בא|לא באה)|אין .+|`+
		`\S+ (?:ביטל|ביטלה) .+)[,;] (?:אז )?(?:תמחקי?|תמחק|תבטלי?|תבטל|תורידי?|תוריד|תסירי?|תסיר)`+
		`(?: אותו| אותה| אותם| את זה)?`, `$1`),
	inWords(`(.+\d.*?),? (?:תכניסי?|תוסיפי?|תוסיף|תרשמי?|תכניס|תרשום)(?: את זה| לי)?(?: ליומן| ביומן)`, `תוסיף $1`),
}

// unlisted reports whether what would be put on a list begins with the verb of a command, which another rule reads, or
// names a list itself: "תוסיף לקניות", "add salmon to shopping and a sleeping bag to packing".
func unlisted(as string, found []string) bool {
	if !strings.HasPrefix(as, "add $1 to the") && !strings.HasPrefix(as, "תוסיף $1 לרשימת") || len(found) < 2 {
		return false
	}
	_, command := verbs[firstWord(found)]
	return command || twoLists.MatchString(found[1])
}

var twoLists = regexp.MustCompile(
	`(?i)(?:^| )(?:to|on) (?:the |my |our )?(?:shopping|packing|groceries)\b|(?:^| )ל(?:קניות|אריזה)(?: |$)`)
