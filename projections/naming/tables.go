package naming

import (
	"maps"
	"slices"
	"strings"

	"almanac/projections/fold"
)

// set holds folded words.
type set map[string]bool

// words reads the words of a table, which spaces separate.
func words(table string) set {
	all := make(set)
	for _, word := range strings.Fields(fold.Text(table)) {
		all[unpointed(word)] = true
	}
	return all
}

// pairs reads a table of words and what each stands for: "appt=appointment".
func pairs(table string) map[string]string {
	all := make(map[string]string)
	for _, pair := range strings.Fields(fold.Text(table)) {
		if short, long, ok := strings.Cut(pair, "="); ok {
			all[unpointed(short)] = unpointed(long)
		}
	}
	return all
}

// unpointed leaves out the quotation marks and apostrophes inside a word.
func unpointed(word string) string {
	if !strings.ContainsAny(word, `"'`) {
		return word
	}
	return strings.NewReplacer(`"`, "", "'", "").Replace(word)
}

var (
	// articles stand before a noun and never at the end.
	articles = words(`a an the`)
	// pronouns and pointing words say nothing by themselves, but at the end. את stands before an object.
	pronouns = words(`i me you it we this that these those there here
		את אני אתה אנחנו זה זו זאת אלה אלו הזה הזאת האלה ההוא ההיא לי לך לנו לכם`)
	// fillers are polite words, and those of questions.
	fillers = words(`please kindly hey hi ok okay just also some any is are be what when where which how
		בבקשה נא גם רק איזה איזו מתי איפה איך`)
	// joints join words; what stands behind one has the same place in the sentence as what stands before it.
	joints = words(`and or plus ו או`)
	// particles are prepositions that say something where nothing follows them: "move in"; a Hebrew letter counts then.
	particles = words(`in out on off up down over under ב ל מ ה כ ש`)
	// prepositions stand before what they say the place of.
	prepositions = words(`of for to from with at on in by about into onto off out up down over under before after until
		till through via regarding re as per
		של עם על אל מן מ ל ב ה כ ש עבור בשביל לגבי בנוגע אצל כדי עד לפני אחרי מעל מתחת בין לקראת בעניין`)
	// negations turn what is said into its opposite.
	negations = words(`not no don't dont never without לא אל בלי ללא אין אסור`)
	// reversals are verbs that undo what follows them.
	reversals = words(`cancel cancelled canceled stop quit return refund undo remove unsubscribe skip
		לבטל ביטול להפסיק הפסקת להחזיר החזרת החזר לעצור לבטול`)
	// forgotten are verbs that make a negation none: "don't forget the milk".
	forgotten = words(`forget miss לשכוח תשכח תשכחי לפספס`)
	// honorifics stand before a name.
	honorifics = words(`dr doctor mr mrs ms miss mister prof professor rabbi sir madam
		דר דוקטור מר גב גברת פרופ פרופסור הרב רב`)
	// abbreviations and other ways of writing one word.
	abbreviations = pairs(`appt=appointment appts=appointments mtg=meeting mtgs=meetings bday=birthday dr=doctor
		prof=professor mins=minutes min=minutes hrs=hours hr=hour wk=week pls=please tel=telephone phone=telephone
		fwd=forwarded fw=forwarded nr=number num=number
		apt=apartment dept=department gov=government govt=government info=information doc=document docs=documents
		msg=message pic=picture pics=pictures photo=photograph photos=photographs rec=recommendation
		xmas=christmas mgmt=management mgr=manager acct=account pkg=package vet=veterinarian gym=gymnasium
		fridge=refrigerator tv=television grocery=groceries mum=mom mam=mom tix=tickets
		דר=דוקטור פרופ=פרופסור טל=טלפון`)
)

// irregular are nouns whose plural no rule gives.
var irregular = pairs(`child=children person=people man=men woman=women foot=feet tooth=teeth mouse=mice goose=geese
	knife=knives wife=wives life=lives shelf=shelves leaf=leaves loaf=loaves half=halves thief=thieves scarf=scarves
	בתים=בית בתי=בית איש=אנשים אישה=נשים אשה=נשים בת=בנות אחות=אחיות עיר=ערים אח=אחים שם=שמות שולחן=שולחנות
	חלון=חלונות רחוב=רחובות ארון=ארונות רעיון=רעיונות מקום=מקומות לילה=לילות`)

// apart are words that are also written as two.
var apart = pairs(`יומולדת=יום+הולדת`)

// writings are the abbreviations and irregular plurals of a word, and what it is one of.
var writings = func() map[string][]string {
	all := make(map[string][]string)
	for _, table := range []map[string]string{abbreviations, irregular} {
		for _, short := range slices.Sorted(maps.Keys(table)) {
			long := table[short]
			all[short], all[long] = append(all[short], long), append(all[long], short)
		}
	}
	return all
}()

// owner says whose something is, or for whom, without a name.
type owner uint8

const (
	nobody owner = iota
	ours         // who speaks, or is spoken to
	his
	hers
	theirs
)

// owners are the words that say whose something is.
var owners = func() map[string]owner {
	all := make(map[string]owner)
	for table, o := range map[string]owner{
		"my your our mine yours ours שלי שלך שלנו שלכם": ours,
		"his him שלו":                     his,
		"her hers שלה":                    hers,
		"their theirs them its שלהם שלהן": theirs,
	} {
		for word := range words(table) {
			all[word] = o
		}
	}
	return all
}()

// relation is a set of places in a sentence that a preposition gives the words behind it.
type relation uint16

const (
	to relation = 1 << iota
	from
	before
	after
	with
	on
	off
	in
	out
	up
	down
	over
	under
)

// relations are the prepositions that make a difference.
var relations = func() map[string]relation {
	all := make(map[string]relation)
	for table, r := range map[string]relation{
		"to for into onto toward towards אל עבור בשביל ל לקראת": to,
		"from מ מן מאת":             from,
		"before until till לפני עד": before,
		"after since אחרי מאז":      after,
		"with עם":                   with,
		"on":                        on,
		"off":                       off,
		"in":                        in,
		"out":                       out,
		"up":                        up,
		"down":                      down,
		"over above מעל":            over,
		"under below מתחת":          under,
	} {
		for word := range words(table) {
			all[word] |= r
		}
	}
	return all
}()

// opposites are relations that exclude each other.
var opposites = [...][2]relation{{to, from}, {before, after}, {on, off}, {in, out}, {up, down}, {over, under}}

// opposed reports whether two words cannot have the same place.
func opposed(a, b relation) bool {
	for _, pair := range opposites {
		if a&pair[0] != 0 && b&pair[1] != 0 || a&pair[1] != 0 && b&pair[0] != 0 {
			return a&b&(pair[0]|pair[1]) == 0
		}
	}
	return false
}

// directed are the relations that may not change places: who goes to whom.
const directed = to | from | before | after
