package plan

// englishWays are further ways of English, tried after furtherWays.
var englishWays = []rewording{
	worded(`(?:i )?(?:need|have|want|must|should|ought)(?: to)? (?:get |do |finish )?(.+?)(?: done)?(?: (?P<u>on .+?|`+
		`tomorrow|today|this .+?))?, (?:please )?(?:reserve|block|keep|hold|book|set aside|save)(?: me| out| off)? {t} for `+
		`(?:it|that|this)`,
		`block ${u} ${t} for ${1}`),
	worded(`(the )?{y} (?:is |are |has been |have been |was )?(?:confirmed|booked|scheduled|set|arranged|fixed)(?: in)? `+
		`(?:for|on|at) {t}`,
		`${1}${y} ${t}`),
	worded(`(an? )?{y} would be (?:good|great|nice|ideal|perfect|lovely) {t}`, `add ${y} ${t}`),
	worded(`(?:keep|leave) {t} (?:free|clear|open) for {y}`, `block ${t} for ${y}`),
	worded(`(?:keep|leave) (\d{1,2}(?::\d\d)?(?: ?[ap]m)?) (?:to|till|until|-) (\d{1,2}(?::\d\d)?(?: ?[ap]m)?) {t} `+
		`(?:free|clear|open) for {y}`,
		`block ${t} $1 to $2 for ${y}`),
	worded(`(?:keep|leave) {t} (?:free|clear|open)`, `block ${t}`),
	worded(`(?:i|we)(?:'ll)? need <length> (?:for|to do) {y} {t}`, `add ${y} ${t} for $1`),
	worded(`(?:they|he|she|the \pL+)(?:'ve| have| has)? (?:given|gave|offered|got|found) (?:me|us) (?:an? )?(?:new |`+
		`different |another )?(?:slot|time|date|appointment) (?:for|with) DEF{y}[:,]? (?:on |at |it's )?{t}`, `the ${y} `+
		`${t}`),
	worded(`DEF{y} (?:is|are) (?:staying|visiting|with us|over)(?: with us| over| here)? {t}`, `${y} ${t}`),
	worded(`(?:we've|we have|i've|i have|we|i) (?:been |were |was |are |got )*invited to (.+?) for (\pL+) {t}`,
		`i have $2 at $1 ${t}`),
	worded(`DEF{y} (?:comes|meets|visits|is here|is on|starts|begins|happens|takes place|will be|is|runs)(?: over| in| `+
		`by)? `+
		`(?P<t>every .+?|on \pL+days.*?)(?: from now on)?(?: for <length>)?`, `add ${y} ${t} for $3`),
	worded(`(?:i'm|i am|we're|we are) (?:seeing|meeting|meeting with|visiting) (?:the|my|our) {y} {t}`, `i have a ${y} `+
		`${t}`),
	worded(`(?:i'll|i will|we'll|we will|i'm gonna|i'm going to) be (?:at|in) {e} {t}`, `i have ${e} ${t}`),
	worded(`(?:\pL+(?: \pL+)?) (?:has |have )?(?:invited|asked) (?:me|us) (?:to|for|over for) (?:(?:an?|the|his|her|`+
		`their|its) )?{y} {t}`,
		`i have ${y} ${t}`),
	worded(`(\pL+) and (?:i|me) (?:are|have|will have) (?:having |doing |going to |meeting for |got )?(?:an? |the )?{y} `+
		`{t}`,
		`i have ${y} with ${1} ${t}`),
	worded(`(?:i'm|i am|we're|we are) (on (?:call|duty|nights?|earl(?:y|ies)|lates?|standby|leave|vacation|holiday)),? `+
		`{t}`, `add $1 ${t}`),
	worded(`(?:i'm|i am|we're|we are) (?:working|covering|doing|taking|on) (?:an? |the |my ){y} {t}`, `add ${y} ${t}`),
	worded(`(?:i've got|i have|we have|we've got|there's) (?:an? |the |my )?{y} sometime(?: on| in| during)? {t}`,
		`schedule ${y} ${t} sometime`),
	worded(`(?:fix up|line up|sort out|set|get|find time for|arrange) (an? {y}) sometime {t}`, `schedule $1 sometime `+
		`${t}`),
	worded(`DEF{y} (?:is |are )?(?:coming|dropping|stopping|popping|swinging)(?: by| over| round| around| in)?(?: to `+
		`\pL+(?: \S+){0,3}?)? `+
		`{t}(?: for an? \pL+)?`, `${y} ${t}`),
	worded(`(.+?)[,;]? (?:and )?(?:we|i|it|they|he|she|everyone)(?:'ll| will)? (?:leaves?|starts?|begins?|sets? off|is|`+
		`are)(?: there)? `+
		`(?:at )?(\S+(?: [ap]m)?),? (?:and|and then) (?:are |is |be |will be |we're |they're )?(?:gets? back|comes? back|`+
		`finish(?:es)?|ends?|returns?|`+
		`back|over|done|home)(?: home)?(?: at| by| around| about)? (\S+(?: [ap]m)?)`, `$1 from $2 to $3`),
	worded(`(?:i want|i'd like|put|get|add) {y} in(?: there)? (?:two|three|four|five|\d) times (?:a|per|every) `+
		`week[ :,-]+(?:on )?{t}`,
		`add ${y} every ${t}`),
	worded(`{y} (?P<t>(?:\pL+day|tue|tues|thu|wed|mon|sun|fri|sat)s? and (?:\pL+day|tue|tues|thu|wed|mon|sun|fri|sat)s? `+
		`.+? (?:from|starting|`+
		`until|till) .+)`, `add ${y} every ${t}`),
	worded(`{y} (birthday|anniversary) (?:is|falls|will be)? ?(?:on )?{t}[,;.]? (?:please )?(?:mark|add|put|note|repeat|`+
		`remember|save) `+
		`(?:it|that|this)(?: down| in)?(?: for)? (?:every|each) year`, `add ${y} $2 ${t} every year`),
	// Ends, lengths, places and amounts of what is there.
	worded(`DEF{x} (?:got|is|was|will be|has been|has got|gets|has) (?:shorter|longer|cut short|shortened|extended|`+
		`running late|running `+
		`over)[,;.:-]? (?:and |so )?(?:now )?(?:we|it|they|i|he|she)?(?:'ll| will)? ?(?:only )?(?:finish(?:es)?|ends?|`+
		`stops?|wraps? up|be done|is `+
		`over|gets? out|runs|goes)(?: only)? (?:at |by |around |until |till )?{t}`, `extend ${x} until ${t}`),
	worded(`DEF{x} (?:is going to |will |should |might |is )?(?:run|runs|running|go|goes|going|lasts?|lasting|`+
		`stretch(?:es)?|continues?|carry `+
		`on|carries on)(?: on| over| all the way)? (?:till|until|to|through) {t}`, `extend ${x} until ${t}`),
	worded(`DEF{x} .{3,30}, (?:so )?(?:it|that|this) (?:now )?(?:goes|runs|lasts|continues|is on|ends)(?: on)? `+
		`(?:through|until|till|to) {t}`,
		`extend ${x} until ${t}`),
	worded(`(?:stretch|drag out|lengthen|prolong) DEF{x} (by|until|till|to) (.+)`, `extend ${x} $2 $3`),
	worded(`(?:cut|trim|shorten|reduce|shave) DEF{x}(?: down| short)? (by|to|at) (.+)`, `shorten ${x} $2 $3`),
	worded(`DEF{x} (?:should|needs to|has to|must|ought to) be (longer|shorter)`, `make ${x} $2`),
	worded(`make DEF{x} (?:shorter|longer),? (?:to |like |say |only |just )?<length>`, `shorten ${x} to $2`),
	worded(`DEF{e} ?(?::|(?:is|will be|is going to be|should be|is now|takes|lasts)) (?:only |just |now )?<length>(?: `+
		`long)?(?: now)?`, `shorten ${e} to $2`),
	worded(`{t} (?:works|is good|is fine|suits|is ok)(?: (?:for )?(?:me|us))? for DEF{y}`, `the ${y} ${t}`),
	worded(`(\pL+) (?:has )?confirmed {t} for DEF{y}`, `the ${y} with $1 ${t}`),
	worded(`(?:i'm |we're )?(?:gonna|going to) (?:see|watch|have|do|play|attend) (?:an? |the )?{y} {t}`,
		`add ${y} ${t}`),
	worded(`DEF{x} (?:is|was|has been|got|gets|will be) (?:delayed|pushed back|postponed|put back|late|running late|`+
		`moved back) `+
		`(?:by )?(<count> <unit>)`, `postpone ${x} by $2`),
	worded(`DEF{x} (?:is|was|has been|got|gets|will be) (?:brought forward|moved up|moved forward|pulled forward) (?:by `+
		`)?(<count> <unit>)`,
		`move ${x} $2 earlier`),
	worded(`DEF{x} (?:is|will be|starts|begins|goes|leaves) (<count> <unit>) (later|earlier)(?: than (?:planned|usual|`+
		`before|expected))?(?: (?P<u>today|tomorrow|tonight|this \pL+|on .+))?`, `move ${x} ${u} $2 $3`),
	worded(`(?:i'd like|i would like|i want|i need|we want|we need|we'd like) DEF{x} to (?:start|begin|be|happen|take `+
		`place|move)(?: to)? (?:at |on )?{t}(?: instead| now)?`, `move ${x} to ${t}`),
	worded(`(?:remember|note|fyi|heads up|just so you know|turns out|apparently|looks like|it seems|seems)(?: `+
		`that)?[,:]? (.+ (?:got|was|has been|is|have been|were) <shifted> to .+)`, `$1`),
	worded(`DEF{y} (?:can't|cannot) (?:do|make)(?: it)?(?: on| at)? (?P<o>.+?),? (?:so |and )?(?:it's|it is|we're doing|`+
		`make it|now it's|it'll be) (?:now )?(?:on )?{t}(?: now| instead)?`, `move ${y} to ${t}`),
	worded(`DEF{x} (?:<be> )*<shifted> from (?P<u>.+?) to {t}`, `move ${x} to ${t}`),
	worded(`set (?:the|my|our) {x} (?:for|at|to) {t}`, `move ${x} to ${t}`),
	worded(`DEF{x} ?[:,–-] ?(?:the )?new (?:time|date|day|hour)(?: is| will be)?:? {t}`, `move ${x} to ${t}`),
	worded(`(?:add|set|put|use) (.+) as (?:the |an? )?(?:place|location|address|venue) (?:for|of|to) DEF{x}`,
		`change the location of ${x} to $1`),
	worded(`DEF{e}(?:'s)? (?:location|venue|place)(?: is|:)(?: now)? (.+)`, `change the location of ${e} to $2`),
	worded(`DEF{e} (?:has |was |is |will be |got )*(?:moved|switched|changed|now|is|will be) (?:to )?(online|remote)(?: `+
		`now)?`, `change the location of ${e} to $2`),
	worded(`(?:add|put|set|give|change|use)(?: in)? (?:an? |the )?(?:place|location|address|venue) (?:to|for|of|on|as) `+
		`DEF{x}(?::|,| is| as) (\S.*)`,
		`change the location of ${x} to $2`),
	worded(`(?:add|put|write)(?: in)? (?:to|on|in|for) DEF{x}:? (?:the |an? )?(?:place|location|address|venue)[:,]? (.+)`,
		`change the location of ${x} to $2`),
	// New times.
	worded(`(\pL+) (?:can't|cannot|couldn't|can not) (?:do|make)(?: it)?(?: (?:at )?(?:[\d:]+(?: ?[ap]m)?|ten|nine|eight|`+
		`seven|eleven|twelve|noon|`+
		`one|two|three|four|five|six))?(?: (?P<u>on \pL+day|this \pL+|tomorrow|today))?,? (?:so |please |can you )*(?:make|`+
		`move|push|put|do|`+
		`shift) (?:the |my |our )?(\pL+) with (?:him|her|them)(?: to| at| on| for)? {t}(?: instead)?`, `move $3 with $1 `+
		`${u} to ${t}`),
	worded(`DEF{y} (?:says|said|wrote|texted|called to say|let me know|told me|messaged)(?: that)? (?:he|she|they|`+
		`it)(?:'ll| will|'s| is|'re| are| `+
		`can)? (?:only |now |actually |be )*(?:get here|getting here|come|coming|here|arrive|arriving|make it|there)?(?: `+
		`only)? ?(?:at |on )?{t}`,
		`move ${y} to ${t}`),
	worded(`DEF{y}['’]s \pL+ (?:just |has )*(?:called|rang|phoned|wrote|texted|emailed|messaged)(?: me| us)?[,;:.]? `+
		`(?:and )?(?:they|he|she|it|we)(?:'ve| have|'s| has| can)?(?: only)? (?:<shifted>|take|see|do) (?:me |us |it `+
		`)?(?:to |on |at )?{t}`,
		`move ${y} to ${t}`),
	worded(`DEF{y} (?:just |has |have )*(?:called|rang|phoned|wrote|texted|emailed|rescheduled)(?: me| us)?[,;:.]? `+
		`(?:and )?(?:my |our |the )?(?:new )?(?:they|he|she|it|appointment|meeting|visit|session|time|slot)?(?:'s| is| are|`+
		`'re| can| could)?(?: now| only)*(?: take| see| do| fit| make`+
		`| moved| want| come)?(?: me| us| it)?(?: in)?(?: to)? (?:on |at )?{t}(?: now)?`, `move ${y} to ${t}`),
	worded(`DEF{x} (?:starts|begins|is|leaves|opens) (?:earlier|later|sooner) than (?:i|we|they) (?:thought|said|planned|`+
		`expected|had)[,:;-]? `+
		`(?:it's |at |namely )?{t}`, `move ${x} to ${t}`),
	worded(`make it {t},? (?:the |my |our ){y},? (?:i mean|that is|i meant)`, `move ${y} to ${t}`),
	worded(`make it {t},? i mean(?:t)? (?:the |my |our ){y}`, `move ${y} to ${t}`),
	worded(`DEF{x} ?[-–:,] {t} (?:works|suits|is|would be|fits) (?:better|best|good|easier|fine)(?: for)?(?: me| us)?`,
		`move ${x} to ${t}`),
	worded(`DEF(\pL+) wants (?:our|my|the) (\pL+) (?:on |at |to be ){t}`, `move $2 with $1 to ${t}`),
	worded(`DEF{x} (?:is|will be|runs|goes|takes place)(?: now)? from (\S+(?: [ap]m)?) (?:to|till|until|-) (\S+(?: `+
		`[ap]m)?) (?:now|instead)`,
		`move ${x} to $2-$3`),
	worded(`DEF{c}s? (?:switch|move|change|go|shift)(?:es|s)? to {t},? (?P<u>(?:starting|from|as of|beginning) .+)`,
		`move ${c} ${u} to ${t}`),
	worded(`DEF{x}[:,]? (?P<u>(?:from|starting|as of|beginning) .+?) (?:is |will be |starts )?(?:at ){t},? (?:instead(?: `+
		`of .+)?|not .+|now)`,
		`move ${x} ${u} to ${t}`),
	worded(`DEF{x} (?:is |will be |starts )?at {t} (?P<u>(?:from|starting|as of|beginning) .+?)(?: onwards?| on)`, `move `+
		`${x} ${u} on to ${t}`),
	worded(`DEF{y} (?:starts?|begins?|is) (?:at )?{t} this week(?: only)?`, `move only this occurrence of ${y} this week `+
		`to ${t}`),
	worded(`(?:save|keep|block|reserve|hold)(?: off)? (?:the )?(?:morning|afternoon|evening) of (?P<u>.+) for DEF{y},? `+
		`(?:it's |it is )?(?:at|from) {t}`, `add ${y} ${u} at ${t}`),
	worded(`bring DEF{x} forward to {t}`, `move ${x} to ${t}`),
	worded(`((?:move|bring|shift|push|reschedule) .+ to .+?)[,;] (?:and )?(?:it'll|it will|it|that'll|we'll|we)? `+
		`?(?:last|lasts|go|goes|run|runs|end|`+
		`ends|finish|finishes)(?: on)? (?:until|till|at|to) {t}`, `$1 until ${t}`),
	// What is to go.
	worded(`DEF{x} (?:is|are|was) (?:over|finished|done|cancelled|off) (?:for good|permanently|forever|altogether),? `+
		`(?:so |and )*(?:please )?`+
		`<cancel> (?:it|them|that|all of (?:it|them)|them all|the lot|the series|everything)`, `cancel all occurrences of `+
		`${x}`),
	worded(`DEF{x} (?:isn't|is not|aren't|are not|won't be|will not be|is no longer|won't|not) (?:coming|happening|`+
		`taking place|on|going ahead|`+
		`needed|happen|take place|go ahead|come)(?: any ?more| after all)*,? (?:so |and )*(?:please )?(?:<cancel> <it>(?: `+
		`off| out)?|(?:take|clear|cross|`+
		`strike) <it>(?: off| out)?)`, `cancel ${x}`),
	worded(`DEF{x} (?:won't|will not|isn't|is not|aren't|are not|won't be|will not be) (?:happen|happening|taking place|`+
		`take place|on|held|going `+
		`ahead|go ahead)(?: (?P<u>.+))?`, `cancel ${x} ${u}`),
	worded(`DEF{x} (?:is|are|has|have|was|got) .{3,40}?,? so (?:please |just |you can )*<cancel> <it>`, `cancel ${x}`),
	worded(`no need for DEF{e}(?: any ?more| after all)?`, `cancel ${e}`),
	worded(`DEF{x}(?: is| was| got| has been)? (?:postponed|put off)(?: again| for now| indefinitely)?`,
		`reschedule ${x}`),
	worded(`DEF{x}(?: is| was| got| has been| has| just got)? cancel(?:l)?ed`, `cancel ${x}`),
	worded(`DEF{x} ?[-–:] ?(?:please )?<cancel>`, `cancel ${x}`),
	worded(`i (?:quit|stopped|gave up|dropped|am done with|'m done with)(?: the| my)? (\pL+),? (?:so |and )?(?:please `+
		`)?<cancel> (?:all )?(?:of )?(?:the |my `+
		`|its )?(lesson|class|session|practice|training)(?:e?s)?`, `cancel all occurrences of $1 $2`),
	worded(`(?:cross|strike|rub) (?:out|off) (the|my|our) {x}`, `cancel $1 ${x}`),
	worded(`\pL+ (?:cancel(?:l)?ed|bailed|flaked|ditched) on (?:me|us)[,;.]? (?:so |please )*(<cancel> .+)`, `$1`),
	worded(`forget (?:about )?DEF{x},? (?:please )?<cancel> <it>`, `cancel ${x}`),
	// What is asked for, and has no time yet.
	worded(`<shift> DEF{x}(?:,? please)?(?:,|\.| -)? (?:\pL+ )?(?:doesn't|does not|don't|won't|isn't) (?:work|suit|fit|`+
		`good|possible|convenient)(?: for)?(?: me| us)?`+
		`(?: any ?more)?`, `reschedule ${x}`),
	// Tasks and lists.
	worded(`don't let me forget (?:about )?(.+)`, `new task: $1`),
	worded(`add (?:two|three|four|five|\d) tasks?[,:;-]+ (.+)`, `add tasks: $1`),
	worded(`(\pL+ .+?)(?:,| -|;) (?:the )?deadline(?: is| on| by)?:? {t}`, `remind me ${t} to $1`),
	worded(`{x}[:,-]* due {t},? (?:and )?(?:not|instead of) .+`, `move the task ${x} to ${t}`),
	worded(`DEF{x} (?:should|must|needs to|has to) be (?:\pL+ed|done|sent|paid|bought|written|sorted out) by {t}`, `move `+
		`the task ${x} to ${t}`),
	worded(`(?:the |my )?(packing|shopping|grocery|groceries)(?: list)?: (?:please )?(?:add|put) (.+)`, `add $2 to the `+
		`$1 list`),
	// What is to be made, by other verbs or with a slot that is made for it.
	worded(`(?:enter|log|input|file|post) (?:an?|the|my|our) {x}(?: (?:in|into|on|to) (?:the |my |our )?(?:calendar|`+
		`diary|`+
		`schedule|agenda))? {t}`, `add ${x} ${t}`),
	worded(`(?:open|make|reserve|keep|save|carve out|free up|set aside|block)(?: me| us)? (?:an? |some |the )?(?:slot|`+
		`time|room|`+
		`space|spot|hour|window) (?:for|to do) {y} {t}`, `add ${y} ${t}`),
	worded(`(?:open|make|reserve|keep|save|carve out|set aside|block)(?: me| us)? (?:an? |some |the )?(?:slot|time|room|`+
		`space|spot|hour|window) {t} (?:for|to do) {y}`, `add ${y} ${t}`),
	worded(`(?:block|reserve|keep|hold|book)(?: out| off)? (?:from )?(\d{1,2}(?::\d\d)?(?: ?[ap]m)?) ?(?:to|till|until|-|`+
		`–) ?`+
		`(\d{1,2}(?::\d\d)?(?: ?[ap]m)?) {t} (?:for|to) {y}`, `block ${t} $1 to $2 for ${y}`),
	worded(`(?:get|pencil|slot|squeeze|fit|book|sign|put|mark|note) (?:me|us) (?:down |in |up )(?:for |with |at )?(?:an? `+
		`|the )?{x}`+
		` {t}`, `add ${x} ${t}`),
	worded(`(?:put|stick|pop|slot|pencil|throw) DEF{y} (?:on|in|down) for {t}`, `add ${y} ${t}`),
	worded(`(?:i|we) (?:need|have|want|ought|should|must)(?: to)? (?:see|meet|visit|meet with|meet up with) {y} {t}`+
		`[,;.]? (?:please |so |and )*(?:book|schedule|arrange|set|plan) (?:it|that|this|something|a time)(?: up| in)?`,
		`schedule ${y} ${t}`),
	worded(`(?:i|we) (?:need|have|want|ought|should|must|would like)(?: to)? (?:see|meet|visit|meet with|meet up with) `+
		`{y}(?: again)? {t}`,
		`schedule ${y} ${t}`),
	worded(`(?:book|schedule|make|set up) DEF{y} again {t}`, `schedule ${y} sometime ${t}`),
	// What was arranged, said with its participle, or as what somebody is about to do.
	worded(`(?:i've got|i have|i got|we've got|we have|we got|i've|we've|there's|there is) (?:an? |my |our |the )?{y} `+
		`(?:booked|scheduled|arranged|planned|lined up|set up|coming up|fixed|down|set|reserved)(?: in)?(?: for| on| at)? `+
		`{t}`,
		`i have a ${y} ${t}`),
	worded(`(?:first thing |early |later )?{t},? (?:i've got|i have|we have|we've got|i got|i'm having) (?:an? |the |my |`+
		`our )?{y}(?:, (?P<u>.+))?`,
		`i have a ${y} ${t} ${u}`),
	worded(`(?:i've|we've|i have|we have|i|we) (?:just |already )?(?:booked|scheduled|arranged|planned|reserved|signed `+
		`up for|`+
		`got)(?: me| us| myself| ourselves)?(?: in| on)?(?: for)? (?:an?|my|our|the) {y} (?:for )?{t}`, `i have a ${y} ${t}`),
	worded(`(?:i'm|i am|we're|we are) (?:doing|running|playing|attending|taking|giving|going to|going on|off to|hosting|`+
		`booked for|booked in for|due for|down for|scheduled for|having|in) (an?) {y} {t}`, `i have ${1} ${y} ${t}`),
	worded(`(?P<v>.+?)[,;]? (?:and )?(?:we|i|it|they|he|she|everyone)(?:'ll| will| should)? (?:leave|leaves|starts?|`+
		`meets?|`+
		`begins?|kicks? off|sets? off|heads? out|gets? going)(?: there)? (?:at )?{t}`, `${v} at ${t}`),
	// A new time or place, or an end, of what is there.
	worded(`(?:switch|swap|bump|shove|slide|kick|nudge|roll|carry|drag|flip)(?: over| back)? DEF{x}(?: over| back)? `+
		`(?:to|till|until)`+
		` {t}`, `move ${x} to ${t}`),
	worded(`(?:switch|swap|bump|shove|slide|kick|nudge|roll|carry|flip) DEF{y} (?P<u>on .+|this .+|next .+|tomorrow|`+
		`today|`+
		`tonight) (?:over )?to {t}`, `move ${y} ${u} to ${t}`),
	worded(`<shift> (?:the |my |our |all |every |all the |all my |all of the )*{y} to {t},? (?:every (?:day|week|time|`+
		`month)|each `+
		`(?:time|day|week)|always|permanently|for good|going forward|from now on|from here on)`,
		`move all occurrences of ${y} to ${t}`),
	worded(`(?:all|every|all of) (?:the |my |our )?{c}s? (?:should|must|needs? to|have to|has to|ought to) (?:be|start|`+
		`begin|`+
		`happen)(?: now)? (?:at |on )?{t}`, `move all occurrences of ${c} to ${t}`),
	worded(`DEF{y} (?P<u>(?:this|next) \pL+|on \pL+day|tomorrow|tonight|today) only[:,]? ?(?:is |it's |will be |starts? |`+
		`begins? |from )?(?:at )?{t}`,
		`move only this occurrence of ${y} ${u} to ${t}`),
	worded(`(?:just|only) (?P<u>this (?:week|\pL+day)|tomorrow|tonight|today)(?:'s)?[:,]? {y} (?:is |moves |goes |starts `+
		`)?(?:at |to |from )?{t}`,
		`move only this occurrence of ${y} ${u} to ${t}`),
	worded(`{x}[:,]? (?:is |it's )?not (?:on |at )?(?P<o>.+?),? but (?:on |at )?{t}`, `move ${x} to ${t}`),
	worded(`DEF{c}(?:'s)? (?:stops?|ends?|finish(?:es)?|(?:is|are) (?:over|done|finished|cancell?ed|off)|won't (?:happen|`+
		`take place)|`+
		`will (?:stop|end))(?: taking place)? (?P<t>(?:after|from|as of|starting|beginning) .+)`, `cancel ${c} ${t}`),
	worded(`(?:no more|stop|end) (?:the |my |our )?{c} (?P<t>(?:after|from|as of|starting|beginning) .+?)(?: on)?`,
		`cancel ${c} ${t}`),
	worded(`(?:stop|end|quit|discontinue|terminate) (?:the |my |our |all |all the ){c}s?(?: for good| `+
		`permanently| altogether| completely| forever| any ?more)?`,
		`cancel all occurrences of ${c}`),
	worded(`(?:cancel|delete|drop|remove|scrap) (?:whatever|anything|everything|what|the thing|whatever it is)(?: that)? `+
		`(?:i|we)(?:'ve| have|'ve got| have got)(?: planned| booked| scheduled| on)? {t}`, `cancel the event ${t}`),
	worded(`(?:i'm|i am|we're|we are|i|we) (?:not going to|not coming to|not attending|not doing|no longer going to|`+
		`won't be `+
		`going to|won't make|can't make|skipping|not making|no longer need|don't need) DEF{x}(?: after all| any `+
		`?more)*[,;.]? `+
		`(?:please |so |just |and |you can |can you )*(?:<cancel> <it>(?: off| out)?|(?:take|cross|strike) <it> (?:off|out))`+
		`(?: (?:of |from )?(?:the |my )?(?:calendar|diary|schedule))?`, `cancel ${x}`),
	worded(`(?:i|we) (?:don't|dont|do not|no longer) need DEF{e} (?:any ?more|after all|now)`, `cancel ${e}`),
}

// englishQuestions are further questions of English.
var englishQuestions = []rewording{
	asked(`how (?:many times|often) (?:do|did|will|am|are|have) (?:i|we) (?:have|do|go to|going to|got|had|meet for) {y} `+
		`{t}\??`,
		`how many ${y} do I have ${t}`),
	asked(`what(?:'s| is| do i have| do we have) (?:on )?between DEF{y} and .+? {t}\??`, `what do I have ${t}`),
	asked(`(?:list|show|find|give|get|display)(?: me| us)? (?:all |every |any )?(?:of )?(?:the |my |our )?(?:events?|`+
		`meetings?|`+
		`appointments?|entries|things|items) (?:with|containing|that (?:have|has|contain|mention|say)|mentioning|about|`+
		`called|named)`+
		` (?:the word )?{y}(?: in (?:the|their|its) (?:name|title)s?)?`, `search for ${y}`),
	asked(`(?:list|show|find|give|get|display)(?: me| us)? (?:all )?(?:of )?(?:the |my |our )(flights?|lessons?|classes|`+
		`trips?|birthdays?|`+
		`holidays|interviews?|trainings?|workouts?|parties|concerts?|calls?|lunches|dinners|breakfasts?)\??`, `search for `+
		`$1`),
	asked(`(?:give|show|tell|read)(?: me| us)? {t} (?:in short|in brief|briefly|at a glance|in a nutshell|quickly|in one `+
		`go|short)`,
		`what do I have ${t}`),
	asked(`(?:which|what) days? {t} (?:am i|are we) (?:free|open|available|off) (?P<u>.+?)\??`,
		`when am I free ${t} ${u}`),
	asked(`(?:what|what's|what is|anything|what do i have|what have i got|do i have anything|is there anything|do i have `+
		`something)(?: on)? before (?:lunch|noon) {t}\??`, `what do I have ${t} morning`),
	asked(`(?:what|what's|what is|anything|what do i have|what have i got|do i have anything|is there anything|do i have `+
		`something)(?: on)? after lunch {t}\??`, `what do I have ${t} afternoon`),
	asked(`(?:what|what's|what is|anything|what do i have|what have i got|do i have anything|is there anything|do i have `+
		`something)(?: on)? after (?:work|dinner) {t}\??`, `what do I have ${t} evening`),
	asked(`(?:can you |could you )?(?:tell me|let me know|check|see) (?:if|whether) (?:i|we) have (.+)`,
		`do I have $1`),
	asked(`(?:have i got|do i have|is|are) DEF{y} before or after {t}\??`, `when is ${y}`),
	asked(`(?:is there )?anything (?:i should|i need to|to|i have to) (?:know|remember|be aware of|watch out for)(?: `+
		`about| for| on)? {t}\??`,
		`what do I have ${t}`),
	asked(`do (?:i|we) (?:need|have) to (?:be|go) (?:anywhere|somewhere) {t}\??`, `what do I have ${t}`),
	asked(`(?:show|give|list|find|tell)(?: me| us)? (?:all |everything )?(?:of )?(?:the |my )?(\pL+)(?:-| )(?:stuff|`+
		`things|related|visits|appointments)(?: stuff| things)?`, `search for $1`),
	asked(`how many {y} (?:are |do i have |have i )?left {t}\??`, `how many ${y} do I have from today until the end of `+
		`${t}`),
	asked(`(?:list|show|give)(?: me)? (?:the |my |all )*{y} (?:dates|times)(?: (?P<u>.+))?`, `when is ${y} ${u}`),
	asked(`did (?:i|we) (?:put|book|schedule|set|make|note|plan) DEF{y} (?:in |down )?(?:for|at|on) .+?\??`,
		`when is ${y}`),
	asked(`who (?:am|was|are|were) (?:i|we) (?:seeing|meeting|visiting|having over) {t}\??`, `what do I have ${t}`),
	asked(`(?:does|will|is there|do) (?:anything|something) (?:that )?(?:collide|clash|conflict|overlap|interfere|get in `+
		`the way)(?:e?s)? `+
		`(?:with|of) {y} (?:on )?{t}\??`, `what do I have ${t}`),
	asked(`(?:when is |when's )?(?:my |the |our )?next {y}\??`, `when is the next ${y}`),
	asked(`.+ {t},? (?:does|would|will) (?:that|it) (?:work|fit|suit|be ok|be okay)(?: for)?(?: me| us)?\??`, `am I free `+
		`${t}`),
	asked(`((?:am i |are we )?free {t})\? .+`, `am I free ${t}?`),
	asked(`is DEF{y} {t} or (?:the )?(?:one|week|day|time) (?:after|before|following)(?: that)?\??`, `when is ${y}`),
}

// englishFacts change what is there, as facts do.
var englishFacts = []rewording{
	worded(`DEF((?:flight|train|bus|ferry)(?: \S+){1,4}|\S+ (?:flight|train|bus|ferry)) (?:now (?:lands|arrives|gets in) `+
		`(?:at )?{t}|`+
		`(?:lands|arrives|gets in) (?:at )?(?P<u>.+) now)`, `extend $1 until ${t}${u}`),
	worded(`DEF{x},? (?:<be> )?(?:delayed|late|postponed|running late|brought forward|rescheduled|moved)[,;:.]? (?:and |`+
		`so )?`+
		`(?:(?:it|it's|its|now|is|starts?|leaves|departs|takes off|boards|begins|will be|at|to|until) )+{t}(?: now)?`,
		`move ${x} to ${t}`),
	worded(`DEF{x} (?:now |only |actually |just )?(?:is|are|'s|will be|starts?|begins?|leaves|departs|opens|comes|takes `+
		`place|`+
		`happens|goes|runs|boards|arrives)(?: now| only| actually| just)? (?:on |at |from )?{t}(?: now| this time| this `+
		`week)?`+
		`[,;]? (?:and |so )?(?:not|instead of|rather than) (?:on |at |from )?(?P<o>.+)`, `move ${x} to ${t}`),
	worded(`((?:my|our|the) )?{y} (birthday|anniversary|wedding|graduation) (?:is|falls|will be|comes up) (?:on )?{t}`,
		`${y} ${3} ${t}`),
	worded(`(the )?{y} (?:is|are|will be|falls) (?:on )?(?P<n>.+)`, `${1}${y} ${n}`),
}

// englishPlaces say where something that is there is now to take place.
var englishPlaces = []rewording{
	worded(`DEF{e} (?:(?:is|'s|are|will be|is going to be|is being|has|have|was|got|gets|held|takes place|will take `+
		`place|happens|`+
		`happening|moved|moves|moving|relocated|switched|changed|now|actually|been|over) )+{p}(?: (?:this time|today|this `+
		`week|now|`+
		`instead(?: of .+)?))?(?:,? (?:and )?(?:not|instead of|rather than) (?:in |at )?.+)?`, `change the location of ${e} `+
		`to ${3}`),
}
