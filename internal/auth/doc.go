// Package auth proves who sends a request.
//
// It promises that a caller is known from a proof and from nothing else, that every proof that fails returns the same
// answer whatever was wrong with it, and that a token that is sent is always checked, also where none is needed.
//
// There are three kinds of proof:
//
//   - API tokens, which Almanac itself gives out (apitoken.go). They work in every mode and end at once when revoked.
//   - JWTs, signed with a shared secret (HS256) or by an OpenID Connect issuer (jwt.go, oidc.go). Their sub is the
//     user. They cannot be revoked here, only expire.
//   - Nothing at all, for the local user, where the settings allow one.
//
// Tokens and JWTs of a user who is disabled prove nobody.
//
// All of them name users in one space of subjects, so only one issuer of JWTs can be trusted at a time, and the local
// user's name is kept from JWTs.
package auth
