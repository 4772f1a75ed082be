package words

import "strings"

// isFunction reports whether a folded word holds a sentence together and says nothing by itself. Words that are also
// something else are not among them: will, may, בין, and עד, for ועד is also a committee.
func isFunction(word string) bool {
	switch word {
	case "a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "about", "into", "as", "and", "or",
		"but", "if", "than", "then", "so",
		"i", "me", "my", "mine", "you", "your", "he", "him", "his", "she", "her", "it", "its", "we", "our", "they", "them",
		"their",
		"this", "that", "these", "those", "there", "here", "is", "am", "are", "was", "were", "be", "been", "has", "have",
		"had", "do", "does", "did", "can",
		"what", "whats", "which", "who", "whose", "where", "wheres", "when", "how", "why", "not", "im", "ive", "isnt", "dont",
		"doesnt", "didnt",
		"please":
		return true
	case "של", "את", "על", "עמ", "אל", "או", "אמ", "כי", "אבל", "גמ", "רק", "אז", "כמו", "לפי", "אצל", "כדי", "זה", "זו",
		"זאת", "אלה", "אלו", "הזה", "הזאת",
		"אני", "אתה", "הוא", "היא", "אנחנו", "אתמ", "המ", "הנ", "שלי", "שלכ", "שלו", "שלה", "שלנו", "שלכמ", "שלהמ", "לי",
		"לכ", "לו", "לה", "לנו", "להמ",
		"בו", "בה", "בי", "אותו", "אותה", "אותי", "מה", "מהו", "מהי", "מי", "מיהו", "איפה", "היכנ", "מתי", "איכ", "כיצד",
		"למה", "מדוע", "כמה", "האמ", "איזה", "איזו",
		"יש", "היה", "היתה", "הייתה", "היו", "לא", "כנ", "בבקשה", "ה", "ו", "ב", "כ", "ל", "מ", "ש":
		return true
	}
	if rest, found := strings.CutPrefix(word, "ו"); found && rest != "ו" && len(rest) > letterSize {
		return isFunction(rest)
	}
	if rest, found := strings.CutPrefix(word, "ש"); found && len(rest) > 2*letterSize {
		return isFunction(rest)
	}
	return false
}
