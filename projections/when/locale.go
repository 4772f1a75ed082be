package when

import (
	"strconv"
	"strings"
)

// maxAcceptLanguage is how much of an Accept-Language header is read, in bytes; browsers send less than a tenth of it.
const maxAcceptLanguage = 1024

// ParseLocale returns the language, "en" or "he", that a tag ("he-IL") or an Accept-Language header ("fr, he;q=0.8")
// asks for most: the one with the highest quality value, the first among equals (RFC 9110, 12.5.4). "iw", Hebrew's old
// code, means he. False when it asks for neither; "*" asks for none in particular.
func ParseLocale(tags string) (string, bool) {
	if len(tags) > maxAcceptLanguage {
		tags = tags[:maxAcceptLanguage]
	}
	best, bestQuality := "", 0.0
	for part := range strings.SplitSeq(tags, ",") {
		tag, parameters, _ := strings.Cut(part, ";")
		locale, known := localeOf(strings.TrimSpace(tag))
		if !known {
			continue
		}
		if quality, ok := qualityOf(parameters); ok && quality > bestQuality {
			best, bestQuality = locale, quality
		}
	}
	return best, best != ""
}

func localeOf(tag string) (string, bool) {
	language, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	switch language {
	case "en":
		return "en", true
	case "he", "iw":
		return "he", true
	}
	return "", false
}

// qualityOf reads "q=0.8"; 1 when there is none, false when it is malformed.
func qualityOf(parameters string) (float64, bool) {
	parameters = strings.TrimSpace(parameters)
	if parameters == "" {
		return 1, true
	}
	name, value, _ := strings.Cut(parameters, "=")
	if !strings.EqualFold(strings.TrimSpace(name), "q") {
		return 0, false
	}
	value = strings.TrimSpace(value)
	if len(value) > 5 || strings.Trim(value, "0123456789.") != "" {
		return 0, false
	}
	quality, err := strconv.ParseFloat(value, 64)
	return quality, err == nil && quality <= 1
}
