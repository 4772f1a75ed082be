package config

import (
	"log/slog"
	"net/url"
	"time"

	"almanac/graph/model"
)

// Config has the settings of a process. Every value is checked; durations and numbers are within their bounds.
type Config struct {
	// Addr is what to listen on, "host:port"; port 0 lets the system choose.
	Addr string
	// PublicURL is how clients reach the server, without a slash at its end; nil when that is Addr itself.
	PublicURL *url.URL
	// AllowedOrigins are the origins ("https://app.example.com", lower case, default port left out) whose pages may call
	// the server, besides its own.
	AllowedOrigins []string

	// LocalUser says that whoever sends no token is the local user. It holds only where nobody but this machine can
	// ask: Addr is loopback, PublicURL is loopback or not set, and neither JWTSecret nor OIDCIssuer is set. A server
	// must ask Loopback about the address it really got before it trusts this.
	LocalUser bool
	// Demo says that sample data is to be laid, once: for the local user, or where there is none for a user of its own,
	// whose token is printed once.
	Demo bool

	// EnvFile is the settings file that was read, absolute; empty when there was none.
	EnvFile string

	// DataDir is the folder of the embedded database, absolute. It is empty when DatabaseURL is set and DataDir is not.
	DataDir string
	// DatabaseURL is a postgres:// address; not set: the embedded SQLite database in DataDir.
	DatabaseURL Secret
	// DatabasePooler says that a transaction-pooling proxy stands before the database.
	DatabasePooler bool
	// DatabaseListenURL is a direct address for LISTEN; not set: DatabaseURL, or polling behind a pooler.
	DatabaseListenURL Secret
	// DatabaseMaxConns is the greatest number of connections; 0: four for each processor.
	DatabaseMaxConns int

	// JWTSecret verifies HS256 tokens; at least MinSecret bytes, or not set.
	JWTSecret Secret
	// JWTIssuer and JWTAudience must be the token's iss and among its aud; empty asks nothing.
	JWTIssuer, JWTAudience string
	// OIDCIssuer is the address of an OpenID Connect issuer, exactly as its tokens name it; empty for none.
	OIDCIssuer string
	// OIDCAudience must be among the token's aud; empty asks nothing.
	OIDCAudience string
	// OIDCClientID is this server's client at the issuer, by which people sign in with a browser; empty: they cannot.
	// OIDCClientSecret is not set for a public client. SessionLifetime is how long they stay signed in.
	OIDCClientID     string
	OIDCClientSecret Secret
	SessionLifetime  time.Duration
	// TokenKeys sign cursors and confirmations and encrypt the tokens of linked accounts: the first signs and encrypts,
	// all verify and decrypt. Empty, which is only so without a GoogleClientID: the store keeps a key.
	TokenKeys []Secret

	// GoogleClientID and GoogleClientSecret are the OAuth client; both are set or neither. Without them the local user has
	// the stand-in, and others have nothing.
	GoogleClientID     string
	GoogleClientSecret Secret
	// GoogleAccess is what accounts are asked for; at least one part.
	GoogleAccess GoogleAccess
	// GooglePoll is how often calendars are polled for changes; 0: never by this process.
	GooglePoll time.Duration
	// GoogleRequests is how many requests a minute following accounts makes at most.
	GoogleRequests int
	// GooglePush says whether Google is asked to send notices; PublicURL is then a public https address.
	GooglePush bool

	// MailAllow are the addresses, and domains with an @ before them, that mail may go to, in lower case; empty for
	// everybody.
	MailAllow []string
	// MailMaxRecipients is how many addresses one e-mail may go to.
	MailMaxRecipients int

	// DeliverPrivate says whether webhooks may be at addresses of private networks and of this machine.
	DeliverPrivate bool
	// FeedsAllowPrivate says whether feeds of calendars may be at addresses of private networks and of this machine.
	FeedsAllowPrivate bool

	// OpenAIBaseURL is the endpoint that speaks OpenAI's API, without a slash at its end; always set, and asked only for
	// what has a model.
	OpenAIBaseURL *url.URL
	// OpenAIAPIKey is the endpoint's key; not set: none is sent.
	OpenAIAPIKey Secret
	// OpenAIAllowHTTP says that the endpoint may be on another machine without TLS.
	OpenAIAllowHTTP bool
	// EmbeddingModel is a model of the endpoint; empty for the built-in one.
	EmbeddingModel string
	// EmbeddingDimensions is the length of its vectors; 0 for the built-in one, which has its own.
	EmbeddingDimensions int
	// EmbeddingShorten says that the endpoint has to be asked for that length.
	EmbeddingShorten bool
	// EmbeddingMaxTokens is how many tokens of a text are sent, by estimate.
	EmbeddingMaxTokens int
	// EmbeddingFloor and EmbeddingNear are similarities, 0–1; nil, which is only so for the built-in model: its own.
	EmbeddingFloor, EmbeddingNear *float64

	// ChatModel is the model of the endpoint that reads episodes; empty for none.
	ChatModel string
	// ChatMaxTokens is how long its answers may be.
	ChatMaxTokens int
	// ExtractPartTokens is how many tokens of an episode are read at once, by estimate.
	ExtractPartTokens int
	// ExtractParallel is how many episodes this process reads at once; 0: none.
	ExtractParallel int

	// GraphitiURL is the MCP endpoint of the Graphiti server that keeps the knowledge graph, and GraphitiCommand the
	// program with its arguments that is one; at most one of them is set, and neither when the database keeps it.
	GraphitiURL     *url.URL
	GraphitiCommand []string
	// GraphitiToken is sent to it as bearer token; not set: none is.
	GraphitiToken Secret
	// GraphitiAllowHTTP says that it may be on another machine without TLS.
	GraphitiAllowHTTP bool
	// GraphitiGroup is the local user's group; empty for one that is derived, as everybody else's.
	GraphitiGroup string

	// ExaURL is where Exa's API is, without a slash at its end; nil, and ExaOff set, where there is none.
	ExaURL *url.URL
	ExaOff bool
	// ExaAPIKey is the key for users who have linked none; not set: there is none, except with ExaStandIn.
	ExaAPIKey Secret
	// ExaStandIn says that the built-in stand-in serves the local user until a key is linked.
	ExaStandIn bool
	// ExaRepair is how often an account's events are read; 0: never by this process, except after a delivery.
	ExaRepair time.Duration

	// MCPTools are the built-in tools that language models are offered; nil for all of them.
	MCPTools []string
	// MCPDocuments is the folder of the documents that are published as tools, absolute; empty for none.
	MCPDocuments string

	// Documents is the manifest of the documents that clients name by an id, absolute; empty for none. DocumentsOnly says
	// that nothing else is served.
	Documents     string
	DocumentsOnly bool

	// TimeZone (an IANA name), Locale ("en" or "he") and WeekStart are what a new user begins with.
	TimeZone  string
	Locale    string
	WeekStart model.Weekday

	// Introspection says whether clients may ask for the schema.
	Introspection bool
	// MaxInFlight is how many requests run at once.
	MaxInFlight int
	// UserInFlight is how many of them are one user's.
	UserInFlight int
	// UserCost is what one user's operations may cost a minute; 0: without a bound.
	UserCost int64
	// UserPaid is how many questions one user may put to Exa and to models an hour; 0: without a bound.
	UserPaid int64
	// RequestTimeout is how long a request may run.
	RequestTimeout time.Duration
	// DrainNotice is how long a stopping server goes on taking requests while it says that it is draining; 0: not at all.
	DrainNotice time.Duration
	// ReminderInterval is how often due reminders are read; 0: never by this process.
	ReminderInterval time.Duration
	// ChangeRetention is how long the change log reaches back.
	ChangeRetention time.Duration
	// UndoFor is how long actions can be undone, ActionRetention how long they are kept.
	UndoFor, ActionRetention time.Duration
	// AuditRetention is how long entries of the audit log are kept.
	AuditRetention time.Duration

	LogLevel slog.Level
	// OTLPEndpoint receives traces; nil for none. A path is always set.
	OTLPEndpoint *url.URL

	// Warnings are sentences for the log about settings that are valid but doubtful.
	Warnings []string
}

// MinSecret is the fewest bytes of a secret that signs: as many as the hash has (RFC 7518, 3.2).
const MinSecret = 32
