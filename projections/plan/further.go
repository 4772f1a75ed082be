package plan

// furtherWays are tried after rewordings.
var furtherWays = []rewording{
	// Reminders and tasks.
	worded(`(?P<u>.*?),? ?(?:אני |אנחנו )(?:צריך|צריכה|צריכים|חייב|חייבת|חייבים) (?P<d>ל\S+ .+?),? (?:תזכיר|תזכירי|`+
		`תזכירו) (?:לי|לנו)`,
		`תזכיר לי ${u} ${d}`),
	worded(`<רשומ>(?: לי)? [בל](?:משימות|מטלות) של (?:יום )?(ראשון|שני|שלישי|רביעי|חמישי|שישי|שבת) `+
		`(?P<d>ל.+)`, `תזכיר לי ביום $1 ${d}`),
	worded(`<רשומ>(?: לי)? [בל](?:משימות|מטלות) של {t} (?P<d>ל.+)`, `תזכיר לי ${t} ${d}`),
	worded(`(?:משימה|מטלה|תזכורת) (?:ל|ב)-?{t}(?: ?[-–]|:) (?P<d>ל.+)`, `תזכיר לי ב${t} ${d}`),
	worded(`(?:task|to-?do|reminder) for {t}(?: ?[-–]|:) (\pL.+)`, `remind me ${t} to $2`),
	worded(`(ל\S+ .+?) (?P<u>כל (?:יום )?\S+)`, `תזכיר לי ${u} $1`),
	worded(`(?P<u>(?:ב\S+ )?(?:לכל|בכל|של כל) חודש|ב\S+ לכל חודש) (?:תזכיר|תזכירי) לי (.+)`, `תזכיר לי ${u} $2`),
	worded(`(?:finish|close|complete) the task (.+)`, `I finished $1`),
	worded(`(?:תסיים|תסיימי|תסגור|תסגרי)(?: לי)? את ה?(?:משימה|מטלה)(?: של| על)? (.+)`, `סיימתי את $1`),
	worded(`<סמנ>(?: לי)? ש(?:כבר )?(עשיתי|סיימתי|גמרתי|ביצעתי)(?: את)? (.+)`, `סיימתי את $2`),
	worded(`<סמנ>(?: לי)? ש(?:כבר )?(\S{3,}תי .+)`, `$1`),
	worded(`(?:סוף סוף|ברוך השם|זהו|יש),? (\S{3,}תי .+)`, `$1`),
	worded(`(?:עזוב|עזבי|תעזבי?|די|זהו),? (?:אני )?(?:כבר )?לא (?:צריך|צריכה|צריכים) את ה?(?:משימה|מטלה|תזכורת) `+
		`(?:של |על |עם )?ה?(.+)`,
		`תמחק את המשימה $1`),
	// Lists.
	worded(`(?:we're|we are|i'm|i am|we ran|i ran|we've run|i've run) (?:almost |nearly |all )?out of (.+?)[,.]? `+
		`(?:so |and )?`+
		`(?:please )?(?:put|add|stick|write|pop) (?:it|that|them|some) (?:on|to) (?:the |my |our )?`+
		`(?:shopping |groceries |grocery )?(?:list|shopping|groceries)`, `add $1 to the shopping list`),
	worded(`(?:no more|there's no|there is no|there are no|we have no|we've got no) (.+?)[,.]? (?:so |and )?(?:please )?`+
		`(?:put|add|stick|write|pop) (?:it|that|them|some) (?:on|to) (?:the |my |our )?`+
		`(?:shopping |groceries |grocery )?(?:list|shopping|groceries)`, `add $1 to the shopping list`),
	worded(`(?:כמעט )?(?:נגמר|נגמרה|נגמרו|אזל|אזלה|אזלו)(?: לנו| לי| לגמרי| כבר)? ה?([^,]+?)[,.]? (?:אז )?<רשומ>`+
		`(?: לי| לנו)?(?: את זה| אותו| אותה| אותם)? ל(?:רשימת ה)?(?:קניות|רשימה|סופר|מכולת)`, `תוסיף $1 לרשימת הקניות`),
	worded(`(?:אין|חסר|חסרה|חסרים)(?: לנו| לי)?(?: כבר| יותר)? ([^,]+?), (?:אז )?<רשומ>`+
		`(?: לי| לנו)?(?: את זה| אותו| אותה| אותם)? ל(?:רשימת ה)?(?:קניות|רשימה|סופר|מכולת)`, `תוסיף $1 לרשימת הקניות`),
	worded(`(?:לקנות |להביא )?([^,]+), <רשומ>(?: את זה| אותו| אותם)? ל(?:רשימת ה)?(קניות|אריזה)`, `תוסיף $1 לרשימת ה$2`),
	worded(`(?:buy |get |need )?([^,]+), (?:please )?(?:put|add|stick|write) (?:it|them|that) (?:on|to) (?:the |my `+
		`|our )?`+
		`(?:shopping |grocery |groceries )?list`, `add $1 to the shopping list`),
	worded(`(?:for|to) (?:the )?(packing|shopping|groceries)(?: list)?: (.+)`, `add $2 to the $1 list`),
	worded(`ל(אריזה|קניות): (.+)`, `תוסיף $2 לרשימת ה$1`),
	worded(`(?:אני |אנחנו )?(?:צריך|צריכה|צריכים|חסר|חסרים|חסרה)(?: לנו| לי)?(?: גם| עוד)? ([^,]+?) מה(?:סופר|`+
		`מכולת|חנות|שוק)`,
		`תוסיף $1 לרשימת הקניות`),
	worded(`(?:also )?(?:need|needs|we need|i need)(?: also| some| more)? ([^,]+?) from the (?:supermarket|store|`+
		`shop|grocery store|market)`,
		`add $1 to the shopping list`),
	// What is to be kept, and taken back.
	worded(`([^,]+? (?:is|are|=) [^,]+?),? (?:please )?(?:remember|save|keep|note|memorize) (?:it|that|this)(?: `+
		`for (?:me|later))?`,
		`remember that $1`),
	worded(`([^,]+?), (?:תשמרי?|תשמור|תזכרי?|תזכור|שמרי?|שמור)(?: את זה| לי| לי את זה)?`, `תזכור: $1`),
	worded(`(?:.*[,.] )?(?:take back|reverse|revert|roll back) (?:the last (?:thing|one|change|action)|what you `+
		`(?:just )?did|that)`,
		`undo that`),
	worded(`(?:.*[,.] )?(?:תחזירי?|תחזיר|תבטלי?|תבטל)(?: את)? ?(?:אחורה|זה אחורה|מה שעשית(?: עכשיו| הרגע)?|המצב לקדמותו)`,
		`בטל את הפעולה האחרונה`),
	// Events.
	worded(`(?:i'm|i am|we're|we are) meeting (\pL+(?: \pL+)?) for (?:a |an )?(\pL+(?: \pL+)?) {t}`, `i have $2 `+
		`with $1 ${t}`),
	worded(`(?:אני נפגש|אני נפגשת|אנחנו נפגשים) עם (\S+(?: \S+)?) ל(\S+) {t}`, `קבעתי $2 עם $1 ${t}`),
	worded(`((?:make|create|start|open|set up) (?:me )?(?:a )?(?:new )?list .+ with .+) (?:on|in) it`, `$1`),
	worded(`(?:i'm|i am|we're|we are) having an? (.+? (?:every|each) .+?)(?: from now on)?`, `add a $1`),
	worded(`ל(\S+(?: \S+)?) יש (יום הולדת|יום נישואין) (.+)`, `תוסיף $2 ל$1 $3`),
	worded(`(?:save the date|שמרו את התאריך|שריינו את התאריך)[,:!.-]* (.+)`, `add $1`),
	worded(`(?:please )?(?:new|add a new|create a new) event:? (.+)`, `add $1`),
}

// furtherQuestions are questions in further words.
var furtherQuestions = []rewording{
	asked(`(?:מה|אז מה) (?:אנחנו )?(?:עושים|עושה) {t}\??`, `מה יש לי ${t}`),
	asked(`what (?:are we|am i|are you) doing {t}\??`, `what do I have ${t}`),
	asked(`(?:לאן) (?:אני |אנחנו )?(?:הולכים|הולך|הולכת|נוסעים|נוסע|נוסעת|צריך להגיע|צריכה להגיע) `+
		`{t}\??`, `מה יש לי ${t}`),
	asked(`where (?:are we|am i) (?:going|off to) {t}\??`, `what do I have ${t}`),
	asked(`(?:am i|are we) double[- ]booked (?:anywhere |at all )?{t}\??`, `what do I have ${t}`),
	asked(`how does (?:my |the )(morning|afternoon|evening|day|week|month) look\??`, `what do I have this $1`),
	asked(`how's (?:my |the )(morning|afternoon|evening|day|week|month)(?: looking)?\??`, `what do I have this $1`),
	asked(`where(?:'s| is) my next (meeting|appointment|event)\??`, `what is my next $1`),
	asked(`איפה (?:הפגישה|האירוע|התור) (?:הבאה|הבא) שלי\??`, `מה האירוע הבא שלי`),
	asked(`(?:can you )?check if (?:i|we) have (something|anything|plans|a meeting) (?:at |on )?{t}\??`, `do I have`+
		` anything ${t}`),
	asked(`(?:what|which) days (?:do|am) (?:i|we) (?:have|got|go to|having) {y}\??`, `when is ${y}`),
	asked(`does (?:the |my )?{y} (?:clash|conflict|overlap|collide)(?: with (?:anything|something))?\??`, `when is ${y}`),
	asked(`(?:יש (?:לי )?משהו שמתנגש|מה מתנגש) עם {y}\??`, `מתי ${y}`),
	asked(`(?:what's|whats|what is) (?:still |left )*(?:open|left|pending|outstanding) (?:on|in) (?:my |the `+
		`)?(?:to[- ]?dos?|to do|task list|tasks)(?: list)?\??`,
		`what are my open tasks`),
	asked(`מה (?:עוד |עדיין )*(?:פתוח|נשאר|מחכה)(?: לי| אצלי)? ב?(?:משימות|מטלות|רשימת המשימות)\??`, `מה המשימות שלי`),
	asked(`what (?:should|do|must) (?:i|we)(?: need to| have to)? pack\??`, `what's on the packing list`),
	asked(`מה (?:אני |אנחנו )?(?:צריך|צריכה|צריכים) לארוז\??`, `מה יש ברשימת האריזה`),
	asked(`מה (?:אני |אנחנו )?(?:צריך|צריכה|צריכים) (?:להביא|לקנות|לקחת) מה(?:סופר|מכולת|חנות|שוק)\??`, `מה יש ברשי`+
		`מת הקניות`),
	asked(`is there (?:any |some )?(\pL+(?: \pL+)?) on the list(?: already| yet)?\??`, `is $1 on the shopping list?`),
	asked(`(?:חסר|חסרה|חסרים)(?: לנו| לי) (.+?)(?: או .+)?\?`, `יש $1 ברשימת הקניות?`),
	asked(`(?:הכנסתי|רשמתי|הוספתי|שמתי) (?:כבר )?(?:את ה)?(.+?) ל(קניות|אריזה)\??`, `יש $1 ברשימת ה$2?`),
	asked(`(.+ יש לי) (?:בהמשך היום|עוד היום|בשארית היום|בהמשך)\??`, `$1 היום`),
	asked(`(wh.+) (?:for the rest of today|later today|for the rest of the day)\??`, `$1 today`),
	asked(`what does (\pL+) like to (drink|eat|wear|do)\??`, `what do I know about $1 $2`),
	asked(`(?:can|does|is) (\pL+) (?:eat|drink|have|allergic to) ([\pL ]+)\??`, `what do I know about $1 $2`),
	asked(`מה אסור ל(\S+) (לאכול|לשתות)\??`, `מה אני יודע על $1`),
	asked(`(?:has|did) (?:my |the )?(\pL+) (?:order|package|parcel|shipment|delivery) (?:shipped|ship|left|been `+
		`sent|go out)(?: yet)?\??`,
		`any mail from $1`),
	asked(`when did (\pL+) (?:send|mail|email|write)(?: me)? (?:the |my |a )?(.+?)\??`, `any mail from $1 about $2`),
	asked(`מתי (\S+) (?:שלחה|שלח|שלחו)(?: לי)? (?:את )?(.+?)\??`, `מיילים מ$1`),
	asked(`(\S+) (?:כבר )?(?:שלחו|שלח|שלחה) (?:לי )?את (.+?)\??`, `מיילים מ$1`),
	asked(`when is (?:the |my )?{y} (?:supposed|meant|due|expected) to (?:come|arrive|get here|be here|`+
		`start)\??`, `when is ${y}`),
	asked(`when (?:should|does|will) (?:the |my )?{y} (?:come|arrive|get here|show up)\??`, `when is ${y}`),
	asked(`מתי {y} (?:אמור|אמורה|אמורים|צריך|צריכה) (?:להגיע|לבוא|להתחיל|להיות)\??`, `מתי ${y}`),
	asked(`(?:אילו|איזה|אלו) (?:משימות|מטלות) (?:אין להן|בלי|ללא) (?:תאריך|מועד|דדליין)\??`, `אילו משימות בלי תאריך`),
	asked(`(?:באילו|באיזה) (?:משימות|מטלות) (?:אני )?(?:מאחר|מאחרת|בפיגור|באיחור)\??`, `אילו משימות באיחור`),
	asked(`(?:יש|אילו|איזה|מה) (?:לי )?(?:משימות|מטלות) ש(?:עבר|עברו) (?:להן|להם|לי) (?:התאריך|המועד|הזמן|הדדליין)\??`,
		`אילו משימות באיחור`),
	asked(`(?:is|are) there (?:any )?tasks? (?:that are |i'm )?(?:past due|late|behind)\??`, `which tasks are overdue`),
	asked(`כמה (?:דברים|משימות|מטלות) (?:עוד )?(?:נשארו|נשאר|יש) לי (?:לסמן|לעשות|לסיים) {t}\??`, `אילו משימות יש `+
		`לי ${t}`),
	asked(`מה עליי? לעשות {t}\??`, `מה יש לי ${t}`),
	asked(`(?:did|have) (?:i|we) (?:finish|finished|do|done|complete|completed) everything (?:for |due )?{t}\??`,
		`which tasks are due ${t}`),
	asked(`(?:סיימתי|גמרתי|עשיתי) (?:את )?(?:הכל|הכול|כל מה שהיה) (?:ל|של ?)?{t}\?`, `אילו משימות יש לי ${t}`),
	asked(`(?:אני )?(?:לחוץ|לחוצה|עמוס|עמוסה|עסוק|עסוקה) {t}\??`, `מה יש לי ${t}`),
	asked(`(?:באילו|באיזה|אילו) (?:ערבים|בקרים|ימים) (?:אני )?(?:פנוי|פנויה|פנויים|חופשי|חופשייה) `+
		`{t}\??`, `מתי אני פנוי ${t}`),
	asked(`(?:which|what) (?:evenings|mornings|afternoons|nights) (?:am i|are we|do i have) (?:free|open|`+
		`available) {t}\??`,
		`when am I free ${t}`),
	asked(`באיזה יום {t} (?:אין לי כלום|אני פנוי|אני פנויה|ריק לי)\??`, `מתי אני פנוי ${t}`),
	asked(`(?:מתי|when) (?:can|could|אפשר|אני יכול|אני יכולה) (?:i|we|להיפגש|להפגש|לפגוש)? ?(?:meet|see|עם|את) `+
		`(\S+) (?:for an hour|לשעה|for a bit) {t}\??`,
		`when am I free ${t}`),
	asked(`ימי הולדת (?:קרובים|בקרוב)\??`, `מתי יום הולדת`),
	asked(`(?:any |upcoming )?birthdays (?:coming up|soon)\??`, `when is the next birthday`),
	asked(`תמצא(?:י)?(?: לי)? את (?:ה)?(.+?) של (אל על|\S+)`, `מיילים מ$2`),
}
