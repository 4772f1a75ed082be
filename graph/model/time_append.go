package model

const (
	secondsOfDay = 24 * 60 * 60
	// daysOfEra are the days of 400 years, after which the Gregorian calendar repeats itself.
	daysOfEra = 146_097
	// daysToFirst are the days from 1 March of the year 0 to 1 January of the year 1.
	daysToFirst = 306

	// firstClock and lastClock are the first second of the year 1 and the last of 9999, counted from 1970.
	firstClock = -62_135_596_800
	lastClock  = 253_402_300_799
)

// twoDigits holds the numbers from 00 to 99, one after the other.
const twoDigits = "" +
	"0001020304050607080910111213141516171819" +
	"2021222324252627282930313233343536373839" +
	"4041424344454647484950515253545556575859" +
	"6061626364656667686970717273747576777879" +
	"8081828384858687888990919293949596979899"

// appendInstant appends RFC 3339. The clock is what a clock at the offset shows, in seconds since 1970 there, within
// firstClock and lastClock; the offset is in seconds, whole minutes. A fraction of a second has no zeros at its end.
func appendInstant(b []byte, clock int64, micros, offset int) []byte {
	second := uint64(clock - firstClock)
	year, month, day := civil(second/secondsOfDay + daysToFirst)
	rest := second % secondsOfDay
	b = two(two(b, year/100), year%100)
	b = two(append(b, '-'), month)
	b = two(append(b, '-'), day)
	b = two(append(b, 'T'), rest/3600)
	b = two(append(b, ':'), rest/60%60)
	b = two(append(b, ':'), rest%60)
	if micros > 0 {
		m := uint64(micros)
		b = two(two(two(append(b, '.'), m/10_000), m/100%100), m%100)
		for b[len(b)-1] == '0' {
			b = b[:len(b)-1]
		}
	}
	if offset == 0 {
		return append(b, 'Z')
	}
	sign := byte('+')
	if offset < 0 {
		sign, offset = '-', -offset
	}
	minutes := uint64(offset) / 60
	return two(append(two(append(b, sign), minutes/60), ':'), minutes%60)
}

// civil returns the date of a day that is counted from 1 March of the year 0. Years begin in March there, so that the
// day that some years lack is the last one (Neri and Schneider, "Euclidean affine functions and their application to
// calendar algorithms", 2022, section 5).
func civil(days uint64) (year, month, day uint64) {
	era := (4*days + 3) / daysOfEra
	ofEra := (4*days + 3) % daysOfEra / 4
	year = (4*ofEra + 3) / 1461
	ofYear := (4*ofEra + 3) % 1461 / 4
	month = (5*ofYear + 2) / 153
	day = ofYear - (153*month+2)/5 + 1
	year += 100 * era
	if month < 10 {
		return year, month + 3, day
	}
	return year + 1, month - 9, day
}

// two appends a number below 100 in two digits.
func two(b []byte, n uint64) []byte { return append(b, twoDigits[2*n], twoDigits[2*n+1]) }
