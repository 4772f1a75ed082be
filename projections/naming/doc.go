// Package naming finds the thing that a person means by a text, and decides whether that is certain enough to act on
// it or must be asked.
//
// It promises to act only where every word that says something is explained by a word of the name: the same word, or a
// form of it. Likeness of letters only decides which candidates a question shows, and in which order. What is decided
// depends on nothing but the text, the candidates and the rules: neither the order of the candidates nor one that
// shares no word with the text makes a difference. The work is linear in the candidates' text, whatever the text is.
//
// The rule: decide.go; which word explains which: forms.go, english.go, hebrew.go; what speaks against an explanation:
// contradict.go; what is also asked where nothing can be undone: strict.go; the words: tables.go.
package naming
