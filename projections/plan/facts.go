package plan

// updated ends a fact with the wish that what is there is brought up to date.
var updated = lazily(`^(?i)(.+?)(?:\s*[,;.!]|\s+[-–—])?\s+(?:so |and |אז )?(?:please |pls |can you |could you )*` +
	`(?:(?:update|change|fix|correct|adjust|move|edit|amend) (?:it|that|this|them|the (?:calendar|time|event|entry))` +
	`(?: please| accordingly)?|` +
	hebrewVerbs("תעדכנ תתקנ תשנה תזיז תעביר תטפל") + `(?: (?:לי|לנו|בבקשה|ביומן|בלוז|את זה|אותו|אותה|את השעה|את המועד|` +
	`גם|אצלי|אצלנו|שם))*)$`)

// changedFacts are facts of what is there, once the sentence says that it is to be brought up to date.
var changedFacts = []rewording{
	worded(`(?:את )?{x},? ?(?:[-–] )?(?:(?:<הוזז>|<יהיה>|<בוא>|עכשיו|רק|כבר|הם|ב?עבודה) )*{t},? (?:ולא|לא|חלף|תחת|`+
		`במקום) (?P<o>.+)`,
		`תזיז את ${x} ל~${t}`),
	worded(`(?:ב\S+ |\S+ )?(?:הזיזו|דחו|העבירו|הקדימו|שינו|הזיז|דחה|העביר|הקדים|הזיזה|דחתה|העבירה|הקדימה)(?: לי| לנו)? `+
		`את {x} `+
		`{t}`, `תזיז את ${x} ל~${t}`),
	worded(`DEF{x},? (?:(?:has been|was|got|is|are|will be|'s|leaves|departs|starts|begins|lands|arrives|takes place|`+
		`should be|needs to be|moved|moves|can only be|is delayed|delayed|changed|now|only|actually|just|to|it's|until|they|`+
		`can|do|he|she|come) )*(?:(?:to|at|on|for|by) )?{t}(?: now| instead| only)?`, `move ${x} to ${t}`),
	worded(`DEF{x} is (?:running )?(?:late|delayed) by (<count> <unit>)`, `move ${x} $2 later`),
	worded(`DEF{x} is (?:running )?(<count> <unit>) (?:late|behind)`, `move ${x} $2 later`),
	worded(`(?:את )?{x},? ?(?:[-–] )?(?:(?:<הוזז>|<יהיה>|עכשיו|רק|כבר|הם|יכול|יכולה|יכולים|לקבל|אותי|אותנו|לבוא|`+
		`להגיע|להיות|`+
		`אני|אנחנו|אעשה|אתקן|אסגור|אסיים|אגיש|אשלח|אקנה|אחזיר|נעשה|השתנה|השתנתה) )*{t}(?: במקום| רק)?`,
		`תזיז את ${x} ל~${t}`),
	worded(`{x} (?:מאחר|מאחרת|מאחרים|מתעכב|מתעכבת|יאחר|תאחר) ב(.+)`, `תדחה את ${x} ב$2`),
	worded(`{x} (?:מקדים|מקדימה|מוקדם|מוקדמת) ב(.+)`, `תקדים את ${x} ב$2`),
	worded(`{x} (?:ייגמר|<ייגמר>)(?: רק| כבר)? {t}`, `תאריך את ${x} עד ~${t}`),
}

// facts change what is there: a thing, what became of it, and its new time, end or place. They are tried last.
var facts = []rewording{
	worded(`DEF{x} (?:<be> )*<shifted>(?: up| back| forward| out| ahead| again)* (?:to|until|till) {t}`, `move ${x}`+
		` to ${t}`),
	worded(`DEF{x} (?:is|are|was|has been|got) (?:running )?(?:delayed|late|postponed),? (?:and |so )?(?:(?:it's|`+
		`it is|it|is|`+
		`now|starts|leaves|departs|takes off|boards|begins|at|to|until|will|be) )*{t}(?: now)?`, `move ${x} to ${t}`),
	worded(`DEF{x} (?:will be|is|are|'s|starts|leaves|departs|begins) (?:now )?(?:at |on )?{t},? (?:now|instead)`,
		`move ${x} to ${t}`),
	worded(`DEF{x} (?:is |has been |was |got )?(?:cancelled|canceled|called off)[,;.]? (?:and )?(?:the |a )?new `+
		`(?:date|time|day|appointment|slot) (?:is |: ?|on |at )*{t}`, `move ${x} to ${t}`),
	worded(`DEF{x} now (?:leaves|departs|starts|begins|is|takes place) (?:at |on )?{t}`, `move ${x} to ${t}`),
	worded(`DEF{x} ?[-–—:,]? ?(?:<shift>)(?: <it>)? (?:to )?(?:the )?(?:day after|next day|following `+
		`day)`, `postpone ${x} by a day`),
	worded(`(?:<shift>) DEF{x} to (?:the )?(?:day after|next day|following day)`, `postpone ${x} by a day`),
	worded(`{x} (?:התעכב|התעכבה|מתעכב|מתעכבת|באיחור|נדחה|נדחתה),? (?:(?:יוצא|יוצאת|ממריא|ממריאה|מתחיל|מתחילה|עכשיו|`+
		`היא|הוא) )*{t}`,
		`תזיז את ${x} ל~${t}`),
	worded(`(?:i|we) (?:can't|cannot|can not|won't|couldn't|can no longer) (?:make|do|make it to|get to|attend|come to) `+
		`DEF{y}(?: at \d[\d:.]*(?: ?[ap]m)?)?[,;.] (?:please |so |and |can you |could you )*(?:<shift>|put|make|do|`+
		`set) <it> `+
		`(?:to|at|on|for|until) {t}`, `move ${y} to ${t}`),
	worded(`(?:put|do|have|hold|make|set) DEF{x} (?:on |at |for )?{t} instead`, `move ${x} to ${t}`),
	worded(`make (?:the|my|our) {x} (?:at |on |for )?{t}`, `move ${x} to ${t}`),
	worded(`DEF{x}'s \pL+ (?:called|wrote|texted|emailed|said|rang)[,.]? (?:and )?(?:they|he|she)(?:'ve| have|'s)? `+
		`<shifted> (?:me|us|it) to {t}`, `move ${x} to ${t}`),
	worded(`(?:<shift>|make|set) DEF{y} on (\pL+)s to {t}`, `move all occurrences of ${y} on ${2}s to ${t}`),
	worded(`(?:rather|i'd rather|i would rather|better|prefer|i'd prefer to) (?:have|do|move) DEF{y} `+
		`{t}`, `move ${y} to ${t}`),
	worded(`{x} <הוזז>(?: רק| כבר| עכשיו)? {t}`, `תזיז את ${x} ל~${t}`),
	worded(`{x} <יהיה> (?:עכשיו |כבר |רק ){t}`, `תזיז את ${x} ל~${t}`),
	worded(`{x} (?:<יהיה> )?{t} (?:במקום|ולא כמו שנקבע)`, `תזיז את ${x} ל~${t}`),
	worded(`(?:עדיף|עדיפה|עדיף לי|עדיף לנו|מעדיף|מעדיפה) (?:את )?{y} {t}`, `תזיז את ${y} ל~${t}`),
	worded(`\S+(?: \S+)? (?:ביקש|ביקשה|ביקשו|מבקש|מבקשת|רוצה|רוצים|צריך|צריכה)(?: ממני| ממנו)? `+
		`(ל(?:הזיז|העביר|דחות|הקדים|בטל) את .+)`, `$1`),
	worded(`(?:the |my |our )?\pL+(?: \pL+)? (?:asked|wants|wanted|needs|would like|told me|asked me)(?: me| us)? to `+
		`((?:<shift>|<cancel>) .+)`, `$1`),
	worded(`(?:תעשי?|תעשה|תשימי?|תשים|שים|שימי) את {y} {t}`, `תזיז את ${y} ל~${t}`),
	// Ends and lengths.
	worded(`DEF{x} (?:will |now )*(?:ends?|finish(?:es)?|wraps? up|is over|will be over)(?: at| by| only at)? `+
		`{t}(?: now)?`,
		`extend ${x} until ${t}`),
	worded(`{x} <ייגמר>(?: רק| כבר| עכשיו)? {t}`, `תאריך את ${x} עד ${t}`),
	worded(`{x} (?:מתקצר|מתקצרת|יתקצר|תתקצר|קוצר|קוצרה) ל(.+)`, `תקצר את ${x} ל$2`),
	worded(`{x} (?:מתארך|מתארכת|יתארך|תתארך|הוארך|הוארכה) ל(.+)`, `תאריך את ${x} ל$2`),
	// Places.
	worded(`(?:put|hold|have|do|move) DEF{y} in (the .*(?:room|hall|office|lobby|garden|cafe|building)|room \S+)`,
		`change the location of ${y} to $2`),
	worded(`DEF{y} (?:will be|is|are) (?:now )?(?:in|at) (.+?) (?:now|instead)`, `change the location of ${y} to $2`),
	worded(`location (?:of|for) DEF{y}:? (.+)`, `change the location of ${y} to $2`),
	worded(`(?:תוסיפי?|תוסיף|שים|שימי|תשימי?|תשים|תרשמי?|תרשום) ל{y},? (?:מיקום|כתובת|מקום)[:,]? (.+)`,
		`שנה את המיקום של ${y} ל$2`),
	worded(`(?:שים|שימי|תשימי?|תשים|תעשי?|תעשה) את {y} ב(חדר .+|אולם .+|משרד.*|מרפסת|גינה)`, `שנה את המיקום של ${y} ל$2`),
	worded(`{y} (?:<יהיה> |עובר |עוברת |עכשיו )*[בל]((?:חדר|אולם|קומה|בניין|כיתה) \S+)`, `שנה את המיקום של ${y} ל$2`),
	// What does not take place.
	worded(`(?:there's|there is|theres|there isn't any|there is) no {y} (?P<t>.+?)`, `cancel ${y} ${t}`),
	worded(`(?:ביטלו|דחו לנו|ביטל|ביטלה)(?: לי| לנו)? את {x}(?:, (?:אז )?<בטל>(?: אותו| אותה| את זה| מהיומן)*)?`,
		`תבטל את ${x}`),
	worded(`(?:.+?,? )?(?:so |and )?(?:there's |there is )?no {y} {t},? <cancel> <it>`, `cancel ${y} ${t}`),
	worded(`(?:.+?,? )?(?:אז )?אין {y} {t},? (?:אז )?<בטל>(?: אותו| אותה| את זה| מהיומן)*`, `תבטל את ${y} ${t}`),
	worded(`(?:scratch|skip|drop) {y} (this|next) (week|month)`, `cancel ${y} $2 $3`),
	// What was arranged.
	worded(`<סמנ>(?: לי| לנו)?(?: ביומן)? ש(\S+(?: \S+){0,4}?) {t}`, `תוסיף ליומן $1 ${t}`),
	worded(`(?:ok |okay |so )*(?:they|he|she|the \pL+(?: \pL+)?) (?:gave|got|booked|scheduled|slotted|put) (?:me|us)`+
		`(?: down| in| up)?(?: for| with)? (an?) (.+)`, `i have $1 $2`),
	worded(`(?:we're|we are|i'm|i am) (?:celebrating|throwing|hosting) (?:a |an |the )?(.+)`, `i have a $1`),
	worded(`DEF{y} will be (at \S+(?: \S+){0,2}?) (?P<t>(?:on|at|next|this|tomorrow|tonight|today|sun|mon|tue|wed|`+
		`thu|fri|sat).+)`,
		`i have a ${y} $2 ${t}`),
	worded(`(?:i|we) need (<count> (?:minutes?|mins?|hours?)|a slot|a meeting|some time|time) with (.+)`,
		`schedule a meeting with $2 for $1`),
	worded(`(?:נתנו|קבעו|סידרו) (?:לי|לנו) (.+)`, `קבעתי $1`),
	worded(`(?:סידרתי|תיאמתי|סגרתי|תיאמנו|סגרנו|עשינו|ארגנתי)(?: לי| לנו)? ((?:תור|פגישה|ישיבה|שיחה|ביקור|מפגש|`+
		`אימון|שיעור) .+)`,
		`קבעתי $1`),
}
