package plan

// fillers are what stands at either end of a sentence and says nothing of what is asked.
var fillers = []rewording{
	worded(`(?:(?:omg|ugh|damn|argh|nvm|nevermind|never mind|oops|whoops|oh|ah|um|uh|yo|btw|by the way|listen|alright|`+
		`when's good\.*|bro|dude|mate)[,.:!… ]+)+(.+)`, `$1`),
	worded(`(?:oh )?(?:and )?(?:i )?(?:almost |nearly )?forgot(?: to say)?[,:]? (?:and )?(.+)`, `$1`),
	worded(`(?:so|ok|okay|well|and|um|right|also),? ((?:i'm|i've|we've|we're|i|we|the|my|our) .+)`, `$1`),
	worded(`actually,? (?:just )?({v})`, `$1`),
	worded(`.*(?:\.\.+|…) ?(?:actually|wait|no)?,? ?(?:just )?({v})`, `$1`),
	worded(`(?:can|could|would|will) (?:you|u|ya) (?:please |pls |just )?({v})\??`, `$1`),
	worded(`(?:would|do) you mind (remind|add|book|check|cancel|tell|show|mark|push)(?:l)?ing (.+?)\??`, `$1 $2`),
	worded(`(?:would|do) you mind (mov|delet|schedul|remov|postpon|complet)ing (.+?)\??`, `${1}e $2`),
	worded(`(?:would|do) you mind (put|set)ting (.+?)\??`, `$1 $2`),
	worded(`(?:can|could|may) (?:i|we) (?:get|have) a (?:reminder|nudge) (.+?)\??`, `remind me $1`),
	worded(`could you be so kind as to (.+?)\??`, `$1`),
	worded(`(?:can|could|would|will) (?:you|u|ya) (?:please |pls |just )?((?:enter|log|input|pencil|slot|jot|stick|pop|`+
		`get) (?:an?|the|`+
		`my|our|me|us) .+?)\??`, `$1`),
	worded(`(?:can|could|shall) we (?:please )?(?:do|have|arrange|set up|plan|hold|organi[sz]e) `+
		`(an? {y}) {t}\??`, `add $1 ${t}`),
	worded(`(?:switch|swap|bump|shove|slide|kick|nudge|roll|flip|change) (.+ to .+?),? ((?:just|only) (?:this|for this) `+
		`(?:once|one|time|week))`,
		`move $1, just this once`),
	worded(`(?:can you |could you |please )*(?:find|look for|search for|get)(?: me| us)? (?:an? |some |any )?(?:free |`+
		`good |open )?(?:slot|`+
		`time|gap|opening|spot|window|hour) (?:for|to have) (?P<k>.+?) {t},? (?:and|then) (?:please )?(?:book|schedule|take|`+
		`reserve|block) `+
		`(?:it|that|one)\??`, `schedule ${k} ${t}`),
	worded(`(?P<h>.+?)[,;.:]? (?:and )?(?:it |that |he |she |they |we )?(?:it'll |he'll |she'll |they'll |we'll |should |`+
		`will |would |might |is going to )?(?:only |probably )?(?:takes?|lasts?|be|needs?|goes on|runs?) (?:me |us `+
		`)?(?:about |around |for |roughly |some )?<length>(?: long)?`, `$1 for $2`),
	worded(`(.+?),? <length> (?:each time|each|every time|at a time|per session|long)`, `$1 for $2`),
	worded(`(?:dear assistant,? )?(?:can|could|would) you be so kind as to (.+?)\??(?: (?:thank you|thanks|many `+
		`thanks).*)?`, `$1`),
	worded(`(?:i|we)(?:'d like| would like| want| need)? to see DEF{y} again {t}`, `schedule ${y} sometime ${t}`),
	worded(`(?:would|is) it be possible to ({v})\??`, `$1`),
	worded(`(?P<v>\pL.+?)[,;] (?:it's|it is|that's|they're|it starts|starts) at {t}`, `${v} at ${t}`),
	worded(`(?:let's|lets|let us) (?:do|have|hold) (.+ instead(?: of .+)?)`, `put $1`),
	worded(`(?:let's|lets|let us) (do|have|make|move|push|hold|put|keep) (.+)`, `$1 $2`),
	worded(`(?:got|booked|bought|we got|i got) (?:the |my |our |us )?tickets?[!,:;.-]+ (.+)`, `$1`),
	worded(`{r}! (.+)`, `$2`),
	worded(`(?P<w>\S+(?: \S+){0,6}),? so ((?:i'm|i am|we're|we are|i have|we have|i've got|we've got|there's|i've|we've) `+
		`.+)`, `$2`),
	worded(`(.+?)[,;]? (?:please )?(?:add|book|schedule|note)(?: it| that)? (?:please|pls|in)`, `$1`),
	worded(`(?:(?:אה|אוי|אופס|נו|יאללה|אחי|מותק|שומע|שומעת|רגע|תקשיב|תקשיבי)[,.:! ]+)+(.+)`, `$1`),
	worded(`(?:ו)?(?:כמעט )?שכחתי[,:] (?:ו)?(?:גם )?(.+)`, `$1`),
	worded(`(?:אה,? )?(?:ו?עוד (?:משהו|דבר|דבר אחד)|נו טוב|טוב נו|טוב|אגב|דרך אגב|אז ככה|בקיצור|לפני שאשכח|לפני `+
		`שאני שוכח|`+
		`לפני שאני שוכחת|ואו|וואו|אוף|די|אוקי|אוקיי|סבבה|מעולה|שנייה|שניה|היי שוב)[,.:!…-]+ ?(?:ו)?(.+)`, `$1`),
	worded(`(?:אז ככה|בקיצור|תקשיבי?|תשמעי?|תשמע|תקשיב)[,.:! ]+(.+)`, `$1`),
	worded(`(?:שלום(?: רב| לך)?[,.!]? )?(?:אבקש|אבקשך|נא|אודה על|ברצוני)(?: בבקשה)? (ל\S+ .+?)(?:\. תודה(?: `+
		`רבה)?)?`, `$1`),
	worded(`(?:אשמח|אודה לך|אודה) אם (?:תגידי?|תגיד|תוכלי? להגיד|תוכל לומר) לי (.+)`, `$1`),
	worded(`((?:<בטל>|בלי|אין|.+ (?:אין|בלי)) .+?),? (?:רק הפעם|רק השבוע|רק את זה|הפעם)`, `$1`),
	worded(`שכחתי (?:להגיד|לומר|לרשום|להכניס|לציין|לעדכן) ש(.+)`, `$1`),
	worded(`(?:בגלל|עקב|לאור|מפאת|כי|מאחר ו|היות ו|מכיוון ש|יש לי|יש לנו) ?(?P<r>\S+(?: \S+){0,6}?)(?:,| ?-)? (?:אז `+
		`|לכן |`+
		`ולכן )?(?P<v>(?:ת[^\s,]{3,}|<בטל>|<הזז>|<רשומ>) .+)`, `${v}`),
	worded(`(ת\S+|הוסף|קבע|הזז|בטל|רשום|שים|שימי)( לי| לנו|) כבר (.+)`, `$1$2 $3`),
	worded(`(?:אכפת לך|איכפת לך|אשמח אם תוכלי?|אשמח אם אפשר|תעשי? לי טובה ו?|תוכלי? בבקשה) (ל\S+ .+?)\??`, `$1`),
	worded(`(?:עזוב|עזבי|תעזבי?|לא משנה)[,.] ({v})`, `$1`),
	worded(`(אני|אנחנו) (?:באמת|ממש|חייבת? כבר|עדיין|פשוט) (צריך|צריכה|צריכים|חייב|חייבת) (.+)`, `$1 $2 $3`),
	worded(`(.+?),? (?:please|pls|plz|thanks|thx|ty|cheers|בבקשה|תודה|פליז)[.! ]*`, `$1`),
	worded(`(.+?) (?:סוף סוף|בשעה טובה|finally|at last)[.! ]*`, `$1`),
	// Why something is to go, or to be moved.
	worded(`((?:<cancel>|<shift>|take|throw) .+?)(?:, | - |\. )(?:because |since |cause |cuz )?`+
		`(?:i|i'm|i've|i'll|we|we're|we've|we'll|it|it's|its|he|he's|she|she's|they|they're|that's|there's) {r}`, `$1`),
	worded(`((?:<cancel>|<shift>|take|throw) .+?) (?:because|cause|cuz|its|it's|i'll) {r}`, `$1`),
	worded(`((?:<בטל>|<הזז>) .+?)(?:, | - )(?:כי |הוא |היא |אני |זה |הם |אנחנו )?{r}`, `$1`),
	worded(`(<cancel> .+?) (?:i'm|i am|i have|i've got|we're|he's|she's|they're|feeling) {r}`, `$1`),
	worded(`(<בטל> .+?) (?:אני|אנחנו) {r}`, `$1`),
	worded(`(<בטל> .+) בלבד`, `$1`),
	worded(`((?:<shift>|<הזז>|.+ (?:moved|pushed|<הוזז>)) .+?),? (?:(?:at )?(?:the )?same (?:hour|time)(?: of `+
		`(?:the )?day)?|`+
		`(?:on )?the same day|באותה ה?שעה|באותו ה?יום)`, `$1`),
	// That what was said is to be put down.
	worded(`(.+?), (?:please )?(?:change|update|fix|correct|adjust) <it>(?: please)?`, `$1`),
	worded(`(.+?), (?:תעדכני?|תעדכן|תתקני?|תתקן|תשנה|תשני|תטפלי?)(?: בבקשה| את זה)?`, `$1`),
}

// rewordings are tried in their order; the first that fits counts.
var rewordings = []rewording{
	// A thing, and behind it what is to become of it.
	worded(`DEF{x} ?[-–—:,] ?make it (<count> (?:minutes?|mins?|hours?)) (?:every (?:week|time|day)|each time|from now `+
		`on|always)`,
		`shorten all occurrences of ${x} to $2`),
	worded(`take DEF{e} off(?: (?:the|my|our) (?:calendar|schedule|diary))?(?: (?:for|on) {t})`, `cancel ${e} ${t}`),
	worded(`DEF{x} ?[-–—:,] ?make it (\d+ (?:minutes?|mins?|hours?|hrs?)|an hour|half an hour|two hours|an hour `+
		`and a half)`+
		`(?: long)?`, `shorten ${x} to $2`),
	worded(`(?:not going to |can't make |skipping )?DEF{x}(?: any ?more)?[,:.]? ?[-–—,:.]? (?:please |pls |just )?`+
		`<cancel> <it>(?: off| out| please| pls)*`, `cancel ${x}`),
	worded(`(?:not going to |can't make |skipping )?DEF{x}(?: any ?more)?[,:.] (?:please |pls |just )?`+
		`(?:take|cross|strike) <it> off`, `cancel ${x}`),
	worded(`DEF{x} ?[-–—:,] (?:please |just )?(?:<shift>|make|do|set|put)(?: <it>)? (?:to|for|on|at|until|till|til|`+
		`by)? ?`+
		`{t}`, `move ${x} to ${t}`),
	worded(`(?:את )?{x} ?[-–—:,]? <הזז>(?: <אותו>)? {t}`, `תזיז את ${x} ל~${t}`),
	worded(`(?:את )?{x} ?[-–—:,] <בטל>(?: <אותו>)?`, `תבטל את ${x}`),
	worded(`את {x} (?:אני |אנחנו )?(?:אעשה|נעשה|אפשר|אדחה|נזיז|נעביר|אזיז|אעביר)(?: רק| כבר)? {t}`, `תזיז את ${x} `+
		`ל~${t}`),
	// A new time without a verb.
	worded(`DEF{x}(?: to be| should be|'s deadline|'s due date| deadline)?,? (?:is |are |wants |wants it |now |be )*`+
		`(?:by |on |at |to |for )?{t},? instead(?: of (?P<o>.+))?`, `move ${x} to ${t}`),
	worded(`DEF{x} (?:is|are) (?:on |at )?{t}(?: this time| now| this week)?,? (?:and )?(?:not|instead of) (?:on |at )?`+
		`(?P<u>.+)`, `move ${x} to ${t}`),
	worded(`DEF{x} (?:starts?|begins?) (?:at )?{t},? (?:and )?not (?:at )?(?P<o>.+)`, `move ${x} to ${t}`),
	worded(`DEF{x} (?:deadline|due date) (?:is )?(?:now )?(?:the )?{t}(?: now)?`, `move the task ${x} to ${t}`),
	worded(`(?:all )?DEF{x} <must> (?:be|start|begin|happen|take place) (?:at |on )?{t}`, `move ${x} to ${t}`),
	worded(`DEF{x} (?:<be> )*<shifted> to {t}`, `move ${x} to ${t}`),
	worded(`DEF{x} (?:→|->|=>|>) ?{t}`, `move ${x} to ${t}`),
	worded(`DEF{y} to {t}`, `move ${y} to ${t}`),
	worded(`\pL+ (?:asked|wants?|needs?|would like|told me)(?: me| us)? to (<shift>) (.+)`, `$1 $2`),
	worded(`\pL+ (?:asked|wants?|needs?|would like|told me)(?: me| us)? to (<cancel>) (.+)`, `cancel $2`),
	worded(`{x},? {t},? במקום(?: (?P<o>.+))?`, `תזיז את ${x} ל~${t}`),
	worded(`{x} (?:(?:מתחיל|מתחילה|יתחיל|תתחיל|יהיה|תהיה|הוא|היא|זה) )?{t},? (?:ולא|לא|במקום) (?P<o>.+)`,
		`תזיז את ${x} ל~${t}`),
	worded(`{x} (?:<must>|צריך|צריכה|צריכים|צריכות|חייב|חייבת) (?:להיות|להיסגר|להתחיל|לקרות) {t}`, `תזיז את ${x} ל~${t}`),
	worded(`{x} (?:יכול|יכולה|יכולים|יכולות|ש?יחכה|ש?תחכה|ש?יחכו)(?: לחכות)? {t}`, `תזיז את ${x} ל~${t}`),
	worded(`{x} (?:עובר|עוברת|עוברים|עבר|עברה|זז|זזה|נדחה|נדחתה|נדחית|הוקדם|הוקדמה|מוקדם) {t}`, `תזיז את ${x} ל~${t}`),
	worded(`{x} (?:ביקש|ביקשה|רוצה|ביקשו)(?: לבוא| להגיע| להיפגש)? {t}`, `תזיז את ${x} ל~${t}`),
	worded(`{x} (?:יכול|יכולה) רק {t}`, `תזיז את ${x} ל~${t}`),
	worded(`(?:ב\S+ |\S+ )?(?:הקדימו|דחו|העבירו|הזיזו)(?: לי| לנו)? את {x} {t}`, `תזיז את ${x} ל~${t}`),
	// Moving by an amount.
	worded(`<shift> DEF{x} (?:to |by |for )?(<count> <unit>) (later|earlier|forward|back|ahead)`, `move ${x} $2 $3`),
	worded(`(?:postpone|delay|defer|push|push back) DEF{x} (?:for |by )?(<count> <unit>)`, `postpone ${x} by $2`),
	worded(`DEF{x} (<count> <unit>) (later|earlier)`, `move ${x} $2 $3`),
	worded(`(\pL+) wants (?:DEF)(\pL+) (<count> <unit>) (later|earlier)`, `move $2 with $1 $3 $4`),
	worded(`<shift> DEF{x} to the (?:next day|day after|following day)`, `postpone ${x} by a day`),
	worded(`(?:give|get) me (?:another|one more|an extra) (day|week|month) (?:for|on|with|to) (?:the |my )?(.+)`,
		`postpone $2 by a $1`),
	worded(`<הזז> (?:כבר )?(?:את )?{x} ((?:חצי |רבע )?(?:שעה|שעתיים|יום|יומיים|שבוע|שבועיים|חודש)|\d+ \S+) `+
		`(?:קדימה|מאוחר יותר|הלאה)`, `תדחה את ${x} ב$2`),
	worded(`<הזז> (?:כבר )?(?:את )?{x} ((?:חצי |רבע )?(?:שעה|שעתיים|יום|יומיים|שבוע|שבועיים|חודש)|\d+ \S+) `+
		`(?:אחורה|מוקדם יותר|קודם)`, `תקדים את ${x} ב$2`),
	worded(`{x} (?:עובר |עוברת |זז |זזה )?((?:חצי |רבע )?(?:שעה|שעתיים|יום|יומיים|שבוע|שבועיים)|\d+ \S+) `+
		`(?:קדימה|מאוחר יותר|אחרי)`, `תדחה את ${x} ב$2`),
	worded(`{x} ((?:חצי |רבע )?(?:שעה|שעתיים|יום|יומיים|שבוע|שבועיים)|\d+ \S+) (?:קודם|מוקדם יותר|אחורה)`,
		`תקדים את ${x} ב$2`),
	worded(`(?:תאחרי?|לאחר|תעכבי?) את {x} ב(.+)`, `תדחה את ${x} ב$2`),
	worded(`(?:תני?|תן) לי עוד (יום|שבוע|חודש) (?:עם|ל|בשביל|על) ?(.+)`, `תדחה את $2 ב$1`),
	// What is done.
	worded(`DEF{x}(?: <be>)*(?: now| all| finally)? <done>`, `I finished ${x}`),
	worded(`DEF{x} ?[-–—:,] ?(?:is |are )?<tick>`, `I finished ${x}`),
	worded(`{x} ?[-–—:,] ?<כבר><גמור>`, `סיימתי את ${x}`),
	// Commands by other verbs, before what is there.
	worded(`(?:lose|toss|bin|trash|scratch|nix|ditch|axe|dump|chuck|zap) (the |my |our |all |that |this )(.+)`,
		`delete $1$2`),
	worded(`(?:bump|shove|slide|kick) (the |my |our )(.+)`, `move $1$2`),
	worded(`(?:תעיפי?|תעיף|תזרקי?|תזרוק|תעיפו|העף)(?: לי)? את (.+)`, `תבטל את $1`),
	worded(`cancel (?:all|every|all of) (?:the |my |our )?({c}s)`, `cancel all occurrences of $1`),
	worded(`<בטל>(?: לי)? את כל ({c}(?:ים|ות))`, `תבטל את כל המופעים של $1`),
	worded(`<בטל>(?: לי)? את כל ((?:שיעורי|אימוני|חוגי|פגישות|ישיבות) {c})`, `תבטל את כל המופעים של $1`),
	worded(`(<cancel>) DEF(.+? (?:on|this|next|tomorrow|today) ?.*) only`,
		`cancel only this occurrence of $2`),
	worded(`free me up (.+)`, `free up $1`),
	// Reminders.
	worded(`(?P<u>every .+|on .+) (?:please )?remind me (.+)`, `remind me ${u} $2`),
	worded(`{every} (\pL.+?),? remind me(?: please| pls)?`, `remind me ${u} to $2`),
	worded(`(?P<u>on the \S+ of every month) (\pL.+?),? remind me`, `remind me ${u} to $2`),
	worded(`(.+?),? (?:so |and )?(?:please )?remind me (?P<t>.+)`, `remind me ${t} about: $1`),
	worded(`(?:jot|write|put|note) down (?:a |this )?(?:task|todo|reminder)[:,]? (.+)`, `new task: $1`),
	worded(`(?:urgent|important|priority)[,:!]* (?:task|todo|to-do)?[:,-]? ?(.+)`, `new task: $1`),
	worded(`(?:two|three|four|five|six|some|a few|\d) (?:things|tasks|todos|errands|chores) (?:for|to do) {t}[:-] (.+)`,
		`add tasks: $2 ${t}`),
	worded(`(?:nudge|poke|ping|buzz|bug) me (.+)`, `remind me $1`),
	worded(`(.+?),? (?:אז )?(?:תזכיר|תזכירי|תזכירו) לי (?P<t>.+)`, `תזכיר לי ${t} $1`),
	worded(`(?:<רשומ>|תדאגי?|תוודאי?|תזכרי?|תזכור) ש(?:צריך|צריכה|אני צריך|אני צריכה|אנחנו צריכים) (ל\S+ .+)`,
		`תזכיר לי $1`),
	worded(`(?:תנדנדי?|תציקי?|תציק|תקפיצי?|תקפיץ|תצפצפי?) לי (.+)`, `תזכיר לי $1`),
	worded(`(?:דחוף|חשוב|בהול)[!:, -]+(ל\S+ .+)`, `תזכיר לי $1`),
	worded(`(?:שני|שלושה|ארבעה|חמישה|כמה|\d) (?:דברים|משימות|סידורים) (?:ל|ב)(\S+): (.+)`, `תוסיף משימות: $2 $1`),
	worded(`(עוד .+?) (?:תגידי?|תגיד) לי (ל\S+ .+)`, `תזכיר לי $1 $2`),
	// Lists.
	worded(`(?:we |i |we're |i'm )?(?:need|needs|short on|short of|almost out of) (\pL+s|milk|bread|coffee|sugar|`+
		`rice|butter|cheese|flour|soap|toothpaste|toilet paper|shampoo|salt|oil|pasta|water)`, `add $1 to the shopping `+
		`list`),
	worded(`(?:also |and )?{g} (?:to|for|on|onto) (?:the |my |our )?(shopping|grocery|groceries|packing)(?: list)?`,
		`add ${g} to the $2 list`),
	worded(`(?:remove|take|delete|drop|throw|kick) (?:the )?(.+?) (?:off|from|out of|off of) `+
		`(?:the |my |our )?(packing|shopping|grocery|groceries)(?: list)?`, `remove $1 from the $2 list`),
	worded(`(?:already |just |i already |i just |i've |i have )+packed (?:the |my |our )?([^,]+)`,
		`check off $1 on the packing list`),
	worded(`(?:<רשומ>) ל(קניות|אריזה) (.+)`, `תוסיף $2 לרשימת ה$1`),
	worded(`(?:<בטל>) מה(קניות|אריזה) (?:את )?(.+)`, `תוריד את $2 מרשימת ה$1`),
	worded(`(?:<בטל>) (?:את )?(.+) מה(קניות|אריזה)`, `תוריד את $1 מרשימת ה$2`),
	// What is to be kept.
	worded(`DEF{y} (<kinds>) (?:is|=) (\S+(?: \S+){0,3})`, `remember that $0`),
	worded(`((?:i|we) parked .+)`, `remember that $1`),
	worded(`(ה?(?:קוד|סיסמה|סיסמת|מספר|כתובת|מידה|טלפון)(?: \S+){0,5} (?:זה|הוא|היא) \S+.*)`,
		`תזכור: $1`),
	worded(`(ל\S+(?: \S+){0,2} קוראים [^\s,]+[^,]*?)(?:, (?:<רשומ>|אל תשכחי?|שיהיה לך|תזכרי?|תזכור))?`, `תזכור: $1`),
	worded(`((?:חניתי|החניתי|שמתי את האוטו|חנינו) .+)`, `תזכור: $1`),
	worded(`(?:שתדע|שתדעי|דע ש|לידיעתך)[,:]? (.+)`, `תזכור: $1`),
	worded(`(.+?), (?:שיהיה לך רשום|שיהיה רשום|שתדעי?|אל תשכחי?)`, `תזכור: $1`),
	// Events.
	worded(`(?:i'm|i am|we're|we are) (?:taking|having) {t} off`, `add day off ${t} all day`),
	worded(`<רשומ> ש(ה\S+(?: \S+){0,3} (?:מגיע|מגיעה|מגיעים|בא|באה|באים|יגיע|תגיע|יבוא|תבוא|מתחיל|מתחילה) .+)`, `$1`),
	worded(`<רשומ>(?: לי)?(?: ביומן| ללוז| ללו"ז| ליומן) (.+)`, `תוסיף ליומן $1`),
	worded(`(?:בא לי|מתחשק לי) (.+?),? (?:<רשומ>)(?: את זה| לי)?(?: ליומן| ביומן)`, `תוסיף $1`),
	worded(`DEF{y} (is|are) coming (?:over |by )?(for \pL+) {t}`, `add "${y} $2 coming $3" ${t}`),
	worded(`DEF{y} (?:is|are) coming (?:over |by )?{t}`, `${y} ${t}`),
	worded(`DEF{y} (?:is|are) (off (?:school|work|duty)|on (?:vacation|holiday|leave)|away|abroad|out of town) {t}`,
		`add ${y} $2 ${t}`),
	worded(`take (the|my|a|an) {g} {t}`, `remind me ${t} to take $1 ${g}`),
	worded(`forget (?:about )?(\pL+ing .+)`, `delete the task $1`),
	// Mail.
	asked(`(?:what's|whats|what is|what was) (\pL+) (?:saying|writing|asking) (?:me )?about (?:the )?(.+?)\??`,
		`any mail from $1 about $2`),
	asked(`(?:what's |whats )?(?:the )?(?:latest|last|newest|any news|anything new) from (?:the )?(.+?)\??`,
		`any mail from $1`),
	asked(`what (?:does|do) (?:the )?(\pL+(?: \pL+)?) want(?: from me| from us)?\??`, `any mail from $1`),
	asked(`(?:has|have|did|when did) (?:the )?{s} (?:shipped?|repl(?:y|ied)|answer(?:ed)?|confirm(?:ed)?|`+
		`respond(?:ed)?|written back|write back)(?: it| me| yet| back)*\??`, `any mail from ${s}`),
	asked(`מה (\S+) (?:רוצה|רוצים|כותב|כותבת)(?: ממני| לי)?(?: ב\S+)?\??`, `מיילים מ$1`),
	asked(`(?:יש )?(?:משהו חדש|מה חדש|מה האחרון) מ(.+?)\??`, `מיילים מ$1`),
	asked(`מתי (\S+(?: \S+)?) (?:אישרו|שלחו|ענו|אישר|אישרה)\??`, `מיילים מ$1`),
	asked(`(\S+(?: \S+)?) (?:כבר )?(?:שלחו|אישרו|ענו|ענה|ענתה|אישר)\?`, `מיילים מ$1`),
	asked(`(?:נכנס|הגיע) (?:משהו|מייל|דואר)(?: חדש)? (?:לתיבה|לדואר|למייל|לאינבוקס)(.*?)\??`, `יש מיילים $1`),
	// Lists and what is kept.
	asked(`what(?:'s| is) (?:still )?missing for the trip\??`, `what's on the packing list`),
	asked(`מה (?:עוד )?חסר (?:לי |לנו )?(?:לטיול|לנסיעה|לחופשה|במזוודה)\??`, `מה יש ברשימת האריזה`),
	asked(`did (?:i|we) pack (?:the |my |an? )?(.+?)\??`, `is $1 on the packing list?`),
	asked(`ארז(?:תי|נו) (?:את )?(?:ה)?(.+?)\?`, `יש $1 ברשימת האריזה?`),
	asked(`(?:what's|whats|what is) on (?:the |my |our )?(?:groceries|grocery) list\??`, `what's on the shopping list`),
	asked(`how long is (?:the |my )(.+ list)\??`, `how many items are on the $1`),
	asked(`what (?:have you|did you|do you have) (?:saved?|kept|noted?|remembered) (?:about|on) me\??`, `show my notes`),
	asked(`מה (?:שמרת|רשמת|זכרת) (?:עליי|עלי)\??`, `תראה לי את הפתקים שלי`),
	asked(`what does (\pL+) (drink|eat|wear|take)\??`, `what do I know about $1 $2`),
	asked(`מה (\S+) (שותה|אוכל|אוכלת|לובש|לובשת)\??`, `מה אני יודע על $1 $2`),
	asked(`(?:what's|whats|what is) (\pL+)'s (address|phone number|phone|number|shoe size|size)\??`,
		`what do I know about $1 $2`),
	asked(`מה ה(כתובת|טלפון|מידה|מספר) של (\S+(?: \S+)?)\??`, `מה אני יודע על $1 $2`),
	// When something is, and whether there is time.
	asked(`when (?:am|are|do) (?:i|we) (?:flying(?: out)?|fly(?: out)?|take off|taking off)(.*?)\??`,
		`when is the flight$1`),
	asked(`when (?:does )?(?:the )?(\pL+) meets?\??`, `when is the $1 meeting`),
	asked(`who (?:am|are) (?:i|we) (?:having|doing) (\pL+) with(.*?)\??`, `when is $1$2`),
	asked(`(?:מתי|באיזה שעה|באיזו שעה|באיזה יום|באיזה תאריך) (?:אני |אנחנו )?(?:טס|טסה|טסים|ממריא|ממריאה|`+
		`ממריאים)(.*?)\??`,
		`מתי הטיסה$1`),
	asked(`(.+?),? (?:שכחתי|i forgot|forgot)\??`, `$1`),
	asked(`(?:באילו|באיזה) ימים (.+?)\??`, `מתי $1`),
	asked(`{y} (?:זה|הוא|היא) {t},? נכון\?`, `מתי ${y}`),
	asked(`is {y} {t} or (?P<u>.+?)\??`, `when is ${y}`),
	asked(`{y} (?:זה |הוא |היא )?{t} או (?P<u>.+?)\?`, `מתי ${y}`),
	asked(`how (?:long|many days)(?: is it)? (?:until|till|to) (?:the |my )?(.+?)\??`, `when is the $1`),
	asked(`how many (?:days|hours) is (?:the |my )?(.+?)\??`, `how long is the $1`),
	asked(`(?:עוד )?כמה (?:ימים|זמן|שעות)(?: נשארו| יש)? (?:עד )?(ה.+?)\??`, `מתי $1`),
	asked(`כמה זמן (?:נמשכת|נמשך|לוקחת|לוקח|אורכת|אורך) (.+?)\??`, `כמה זמן $1`),
	asked(`(?:should|do|must) (?:i|we) expect (?:anyone|anybody|someone|guests|visitors|anything|anyone over) {t}\??`,
		`what do I have ${t}`),
	asked(`(?:מישהו )?(?:אמור|אמורה|אמורים|צריך) (?:מישהו )?(?:לבוא|להגיע) {t}\??`, `מה יש לי ${t}`),
	asked(`(?:am|are|will) (?:i|we)(?: be)? (?:around|in town|away|out of town|here) {t}\??`, `what do I have ${t}`),
	asked(`(?:אני|אנחנו) (?:בארץ|בבית|בסביבה|בעיר|נמצא|נמצאת) {t}\??`, `מה יש לי ${t}`),
	asked(`(?:which|what) days? {t} (?:are|is|am i) (?:empty|free|open|clear)\??`, `when am I free ${t}`),
	asked(`(?:אילו|איזה) ימים (?:ריקים|פנויים|חופשיים)(?: לי| לנו| אצלי)? {t}\??`, `מתי אני פנוי ${t}`),
	asked(`(?:תמצאי?|מצאי?)(?: לי| לנו)? (?:ערב|בוקר|יום|זמן|חלון|צהריים) (?:פנוי|חופשי) {t}`, `מתי אני פנוי ${t}`),
	asked(`את מי (?:אני|אנחנו) (?:פוגש|פוגשת|פוגשים|רואה) {t}\??`, `מה יש לי ${t}`),
	asked(`(?:קבעתי|הזמנתי|תיאמתי)(?: כבר)? (?:תור ל|פגישה עם |תור אצל )?(.+?)\?`, `מתי $1`),
	asked(`נקבע(?: לי| לנו)? משהו עם (.+?)\?`, `יש לי משהו עם $1`),
	asked(`do i (?:need|have) to (?:get|wake) up early {t}\??`, `what do I have ${t}`),
	asked(`(?:אני )?(?:צריך|צריכה) לקום מוקדם {t}\??`, `מה יש לי ${t}`),
	asked(`מה הדבר הראשון(?: שלי| שיש לי)? {t}\??`, `מה יש לי ${t}`),
	// Questions.
	asked(`(?:and |what about |how about |so )?{t} ?\?+`, `what do I have ${t}`),
	asked(`(?:and )?(?:what about|how about) {t}\??`, `what do I have ${t}`),
	asked(`(?:let me|lemme) see {t}\??`, `what do I have ${t}`),
	asked(`(?:walk|talk|run|take) me through {t}\??`, `what do I have ${t}`),
	asked(`(?:my )?(?:calendar|agenda|diary)(?: please| pls)?\??`, `show my calendar`),
	asked(`(?:do you know|any idea|any clue|do you remember|can you tell me|i was wondering|i wonder),? `+
		`((?:when|what|where|who|how|which|whether|if) .+)`, `$1`),
	asked(`(?:if|whether) {t} (?:is|are) (open|free|taken|busy)\??`, `am I free ${t}`),
	asked(`is {t} (?:packed|busy|full|empty|open|taken|free|quiet|crazy)(?: or not| for me)?\??`, `am I free ${t}`),
	asked(`(?:how's|hows|how is|how does) {t} (?:looking|look)(?:,? .+)?\??`, `what do I have ${t}`),
	asked(`(?:is it (?:ok|okay|fine|alright) if i|can i|could i) (?:book|schedule|put|plan|do|fit) `+
		`(?:something|anything) (?:in )?(?:at )?{t}\??`, `am I free ${t}`),
	asked(`(?:and )?(?:what's|whats|what is) in (?:the )?(packing|shopping)\??`, `what's on the $1 list`),
	asked(`(?:am i|are we) (?:behind|late|running late|overdue) (?:on|with) (?:anything|something|any tasks)\??`,
		`which tasks are overdue`),
	asked(`(?:anything|something|what|which tasks) (?:i've|i have|have i|did i) (?:blown|missed|slipped|let slip|`+
		`forgotten|neglected)(?: the deadline(?: on| of)?| so far)?\??`, `which tasks are overdue`),
	asked(`(?:what's|whats|what is) overdue (?:rn|right now|now|currently|atm)\??`, `which tasks are overdue`),
	asked(`(?:details|info|more) (?:for|on|about|of) (?:the |my )?(.+)`, `when is the $1`),
	asked(`tell me about (?:the |my )?(.+)`, `when is the $1`),
	asked(`ספרי? לי על (.+)`, `מתי $1`),
	asked(`(?:ו)?{t} ?\?+`, `מה יש לי ${t}`),
	asked(`(?:ו)?(?:מה|ומה) (?:לגבי|עם|בקשר ל|בנוגע ל) ?{t}\??`, `מה יש לי ${t}`),
	asked(`(?:יומן|לוז|לו"ז|לו״ז|סדר יום|סדר היום)(?: ל| של )?(?P<u>.*?)(?: בבקשה)?\??`, `מה יש לי ${u}`),
	asked(`(?:תפתחי?|תפתח|תראי?|תראה|תני?|תן|תציגי?|תציג)(?: לי)? (?:את )?{t}`, `מה יש לי ${t}`),
	asked(`(?:תעשי?)(?: לי)? סדר (?:בלו"ז|בלו״ז|בלוז|ביומן) (?:של |ל)?{t}`, `מה יש לי ${t}`),
	asked(`(?:משימות|מטלות|רשימת משימות)(?: בבקשה)?\??`, `מה המשימות שלי`),
	asked(`((?:tasks|todos|to-dos) (?:without|with no) .+)`, `which $1`),
	asked(`((?:משימות|מטלות) (?:בלי|ללא) .+)`, `אילו $1`),
	asked(`(?:לאילו|לאיזה) (משימות|מטלות) אין (תאריך|מועד|דדליין).*`, `אילו $1 בלי $2`),
	asked(`(?:מה|אילו|איזה|איזה דברים|אילו דברים|אילו משימות|מה המשימות ש)? ?(?:אני )?(?:באיחור|פספסתי|פיספסתי|מפגר|`+
		`מפגרת|בפיגור|באיחורים|שכחתי לעשות)(?: כרגע| עכשיו| במשהו)?\??`, `אילו משימות באיחור`),
	asked(`(?:יש לך מושג|אתה זוכר|את זוכרת|אתה יודע|את יודעת|האם תוכלי? לומר לי|תוכלי? לומר לי|רציתי לדעת|תזכיר לי|`+
		`תזכירי לי),? ((?:מתי|מה|איפה|מי|כמה|אם|באיזו|באיזה) .+)`, `$1`),
	asked(`אם {t} (?:פנוי|פנויה|תפוס|עמוס)\??`, `אני פנוי ${t}`),
	asked(`(?:אני )?{t} (?:עמוס|פנוי|תפוס|רגוע|ריק|עמוסה|מפוצץ)(?: לי| אצלי)?(?: או (?:רגוע|לא|עמוס|פנוי|ריק))?\??`,
		`אני פנוי ${t}`),
	asked(`(?:זה בסדר אם|אפשר ש|אפשר) (?:אקבע|אשים|אכניס|נקבע|לדחוף|לקבוע|להכניס) (?:משהו|שיחה|פגישה) {t}\?`,
		`אני פנוי ${t}`),
	asked(`(?:מה|כמה) (?:הולך|נסגר|קורה|נפל|מחכה|צפוי)(?: לי| אצלי)?(?: על)? {t}(?:, .+)?\??`, `מה יש לי ${t}`),
}
