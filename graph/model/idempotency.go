package model

// IdempotencyKeyMax is the longest Idempotency-Key, in bytes of visible ASCII.
const IdempotencyKeyMax = 255

// IdempotentCall names one attempt of a mutation that its caller may repeat.
type IdempotentCall struct {
	// Key is the caller's Idempotency-Key: 1 to IdempotencyKeyMax visible ASCII characters, unique per user.
	Key string
	// Fingerprint is the SHA-256 of the request. The same key with another fingerprint is IDEMPOTENCY_CONFLICT.
	Fingerprint [32]byte
}
