package config

import "time"

// Setting is an entry of the table, with its documentation.
type Setting struct {
	// Name is the flag without its dashes, "jwt-secret".
	Name string
	// Group is its heading in the documentation.
	Group string
	// Meaning is what it does, in whole sentences.
	Meaning string
	// Allowed are the values it takes.
	Allowed string
	// Special describes values with a special meaning; may be empty.
	Special string
	// Default is the value when it is not set.
	Default string
	// Example is a value as a shell accepts it.
	Example string
	// Secret: the value is never shown, and "file:PATH" reads it from a file.
	Secret bool
	// Switch: the flag may stand alone, which means true.
	Switch bool

	// set parses a value that is not empty. Its error is a clause that follows "which" or "it".
	set func(d *draft, value string) error
}

// Flag returns the flag, "--jwt-secret".
func (s Setting) Flag() string { return "--" + s.Name }

// Variable returns the environment variable, "ALMANAC_JWT_SECRET".
func (s Setting) Variable() string { return variableOf(s.Name) }

// Settings returns the whole table, in the order of the documentation.
func Settings() []Setting {
	var all []Setting
	for _, group := range []struct {
		name     string
		settings []Setting
	}{
		{"Settings file", fromFile()},
		{"Address", listening()},
		{"Authentication", admission()},
		{"Storage", storage()},
		{"Google", linking()},
		{"Mail", mailing()},
		{"Feeds of calendars", following()},
		{"Semantic search", embedding()},
		{"Language model for episodes and sentences", chatting()},
		{"Graphiti", graphing()},
		{"Websets", collecting()},
		{"MCP", talking()},
		{"Trusted documents", trusting()},
		{"Defaults of new users", beginnings()},
		{"Operation", running()},
		{"Logs and traces", observing()},
	} {
		for _, s := range group.settings {
			s.Group = group.name
			all = append(all, s)
		}
	}
	return all
}

// switchOf makes a setting that is true or false, and false by default.
func switchOf(name, meaning string, field func(*draft) *bool) Setting {
	return Setting{Name: name, Meaning: meaning, Allowed: "true, false", Default: "false", Example: "true", Switch: true,
		set: func(d *draft, v string) (err error) { *field(d), err = parseBool(v); return err }}
}

func fromFile() []Setting {
	return []Setting{{
		Name: envFileSetting,
		Meaning: "A file with settings, one `NAME=value` a line, which the server and every other command read. Without it " +
			"`almanac.env` in the data folder is read if it is there. A flag or a variable takes precedence over the file.",
		Allowed: "a path; relative ones start from the working folder",
		Special: "`~/` at the beginning is the home folder.",
		Default: "`almanac.env` in the data folder, if it is there",
		Example: "/etc/almanac.env",
		set:     func(*draft, string) error { return nil }, // it was read before any setting
	}}
}

func listening() []Setting {
	return []Setting{{
		Name:    "addr",
		Meaning: "The address to listen on. The local user, who needs no token, exists only on a loopback address.",
		Allowed: "host:port, where the port is a number from 0 to 65535",
		Special: "An empty host (`:8080`) means every address of the machine. Port 0 lets the system choose a free port.",
		Default: "127.0.0.1:8080",
		Example: "127.0.0.1:9000",
		set:     func(d *draft, v string) (err error) { d.Addr, err = parseAddr(v); return err },
	}, {
		Name: "public-url",
		Meaning: "The URL under which clients reach the server, when there is a reverse proxy before it. Links and " +
			"redirects are made from it. A URL that is not loopback switches the local user off: requests through the proxy " +
			"need a token.",
		Allowed: "an http or https URL without query, fragment or user",
		Default: "the address it listens on",
		Example: "https://almanac.example.com",
		set:     func(d *draft, v string) (err error) { d.PublicURL, err = parsePublicURL(v); return err },
	}, {
		Name:    "allowed-origins",
		Meaning: "Origins of web pages, in addition to the server's own, that may call it from a browser.",
		Allowed: "origins, separated by commas: scheme, host and, where it is not the default, port",
		Special: "`*` is refused: the local user needs no token, so any page could act for them.",
		Default: "none",
		Example: "https://app.example.com,http://localhost:5173",
		set:     func(d *draft, v string) (err error) { d.AllowedOrigins, err = parseList(v, parseOrigin); return err },
	}}
}

func admission() []Setting {
	const secret = "at least 32 bytes, used as written (no decoding)"
	const newSecret = `"$(openssl rand -base64 48)"`
	return []Setting{{
		Name: "jwt-secret",
		Meaning: "Accepts JWTs that are signed with HS256 and this secret; their `sub` is the user. Switches the local " +
			"user off. Cannot be set together with an OIDC issuer: two issuers could use the same `sub` for two people.",
		Allowed: secret,
		Default: "not set: no such tokens",
		Example: newSecret,
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.JWTSecret, err = parseSigningSecret(v); return err },
	}, {
		Name:    "jwt-issuer",
		Meaning: "The required `iss` of HS256 tokens.",
		Allowed: "any text",
		Default: "not set: any",
		Example: "https://login.example.com",
		set:     func(d *draft, v string) error { d.JWTIssuer = v; return nil },
	}, {
		Name:    "jwt-audience",
		Meaning: "A required `aud` of HS256 tokens.",
		Allowed: "any text",
		Default: "not set: any",
		Example: "almanac",
		set:     func(d *draft, v string) error { d.JWTAudience = v; return nil },
	}, {
		Name: "oidc-issuer",
		Meaning: "Accepts JWTs of this OpenID Connect issuer, whose keys are found through its discovery document. " +
			"Switches the local user off.",
		Allowed: "an https URL, exactly as in the tokens' `iss`; http only on a loopback host",
		Default: "not set: none",
		Example: "https://accounts.example.com",
		set:     func(d *draft, v string) (err error) { d.OIDCIssuer, err = parseIssuer(v); return err },
	}, {
		Name: "oidc-audience",
		Meaning: "A required `aud` of the issuer's tokens. Set it: without it, tokens that the issuer made for other " +
			"applications are accepted too.",
		Allowed: "any text",
		Default: "not set: any, with a warning",
		Example: "almanac",
		set:     func(d *draft, v string) error { d.OIDCAudience = v; return nil },
	}, {
		Name: "oidc-client-id",
		Meaning: "This server's client at the issuer, with which people sign in with a browser at `/signin` (authorization " +
			"code with PKCE). Register the server's URL with `/signin/callback` at its end as its redirect URI.",
		Allowed: "any text",
		Default: "not set: nobody signs in with a browser",
		Example: "almanac",
		set:     func(d *draft, v string) error { d.OIDCClientID = v; return nil },
	}, {
		Name:    "oidc-client-secret",
		Meaning: "The secret of that client. Leave it out for a public client, which has none.",
		Allowed: "the text that the issuer shows, from 8 to 256 characters without spaces",
		Default: "not set",
		Example: googleSecretExample,
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.OIDCClientSecret, err = parseClientSecret(v); return err },
	}, {
		Name: "session-lifetime",
		Meaning: "How long people who have signed in with a browser stay signed in. Each session is a token of theirs, " +
			"which ends by then and can be revoked before.",
		Allowed: "a duration from 5m to 90d",
		Default: "7d",
		Example: "1d",
		set: func(d *draft, v string) (err error) {
			d.SessionLifetime, err = parseDuration(v, 5*time.Minute, 90*day)
			return err
		},
	}, {
		Name: "token-key",
		Meaning: "Keys that sign cursors and confirmations, and encrypt the tokens of linked accounts. To change the key, " +
			"put the new one before the old one and restart: data that is encrypted with the old key is encrypted with the " +
			"new one when its account is next used, at the latest within `ALMANAC_GOOGLE_POLL`. Remove the old key a day " +
			"after all servers were started with both. Accounts that were not used in that time (possible with " +
			"`ALMANAC_GOOGLE_POLL` off) have to be linked again, as do all accounts when the key is lost.",
		Allowed: secret + ", several separated by commas",
		Special: "The first key signs and encrypts, all of them verify and decrypt.",
		Default: "a key stored in the database",
		Example: newSecret,
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.TokenKeys, err = parseList(v, parseSigningSecret); return err },
	}, {
		Name: "introspection",
		Meaning: "Whether clients with a valid token can query the schema and read /schema.graphql, which the explorer and " +
			"code generators need. When off, error messages do not suggest names either.",
		Allowed: "auto, on, off",
		Special: "`auto` is on.",
		Default: "auto",
		Example: "off",
		Switch:  true,
		set:     func(d *draft, v string) (err error) { d.introspection, err = parseAuto(v); return err },
	}}
}

func storage() []Setting {
	return []Setting{{
		Name: "data-dir",
		Meaning: "The folder of the embedded SQLite database, and of `google-standin.db`, the data of the stand-in for " +
			"Google. It is created if needed, readable by its owner only.",
		Allowed: "a path; relative ones start from the working folder",
		Special: "`~/` at the beginning is the home folder.",
		Default: "`almanac` in the user's data folder: `$XDG_DATA_HOME` or `~/.local/share` (Linux), " +
			"`~/Library/Application Support` (macOS), `%LocalAppData%` (Windows)",
		Example: "/var/lib/almanac",
		set:     func(d *draft, v string) error { d.DataDir = v; return nil },
	}, {
		Name: "database-url",
		Meaning: "The PostgreSQL database (15 or newer) to use instead of the embedded one, for more users, more data or " +
			"several replicas.",
		Allowed: "a URL that begins with postgres:// or postgresql:// and names a host or a socket folder",
		Default: "not set: the embedded database",
		Example: "postgres://almanac:PASSWORD@db.example.com:5432/almanac?sslmode=verify-full",
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.DatabaseURL, err = parsePostgresURL(v); return err },
	}, switchOf("database-pooler",
		"Whether there is a transaction-pooling proxy such as PgBouncer before the database. Prepared statements and "+
			"LISTEN are not used then.",
		func(d *draft) *bool { return &d.DatabasePooler }), {
		Name:    "database-listen-url",
		Meaning: "A direct URL of the same database, not through the pooler, for change notifications.",
		Allowed: "a URL that begins with postgres:// or postgresql:// and names a host or a socket folder",
		Default: "not set: the database URL; behind a pooler, changes of other replicas are polled",
		Example: "postgres://almanac:PASSWORD@db-direct.example.com:5432/almanac",
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.DatabaseListenURL, err = parsePostgresURL(v); return err },
	}, {
		Name:    "database-max-conns",
		Meaning: "The maximum number of connections to PostgreSQL.",
		Allowed: "a number from 0 to 10000",
		Special: "0 means four for each processor.",
		Default: "0",
		Example: "20",
		set:     func(d *draft, v string) (err error) { d.DatabaseMaxConns, err = parseInt(v, 0, 10_000); return err },
	}, {
		Name:    "change-retention",
		Meaning: "How long changes are kept. A client that was offline for longer has to read all records again.",
		Allowed: "a duration from 1h to 3650d",
		Default: "30d",
		Example: "90d",
		set: func(d *draft, v string) (err error) {
			d.ChangeRetention, err = parseDuration(v, minRetention, maxRetention)
			return err
		},
	}, {
		Name:    "undo-for",
		Meaning: "How long what a mutation has done can be undone. What undoing needs is kept as long, and no longer.",
		Allowed: "a duration from 1m to 30d",
		Default: "1d",
		Example: "7d",
		set: func(d *draft, v string) (err error) {
			d.UndoFor, err = parseDuration(v, time.Minute, 30*day)
			return err
		},
	}, {
		Name:    "action-retention",
		Meaning: "How long the list of what was done reaches back.",
		Allowed: "a duration from 1h to 3650d",
		Default: "90d",
		Example: "365d",
		set: func(d *draft, v string) (err error) {
			d.ActionRetention, err = parseDuration(v, minRetention, maxRetention)
			return err
		},
	}, {
		Name: "audit-retention",
		Meaning: "How long the audit log reaches back. The entry of a user's deletion is kept as long, counted from the " +
			"deletion.",
		Allowed: "a duration from 1h to 3650d",
		Default: "365d",
		Example: "1095d",
		set: func(d *draft, v string) (err error) {
			d.AuditRetention, err = parseDuration(v, minRetention, maxRetention)
			return err
		},
	}, {
		Name: "demo",
		Meaning: "Adds sample data of every kind, once, with dates around now: for the local user, or where there is none " +
			"for a user `demo`, whose token the first start prints once. Events and mail are added to the stand-in for " +
			"Google, so there are none when a Google client is set.",
		Allowed: "true, false",
		Default: "false",
		Example: "true",
		Switch:  true,
		set:     func(d *draft, v string) (err error) { d.Demo, err = parseBool(v); return err },
	}}
}

func beginnings() []Setting {
	return []Setting{{
		Name:    "time-zone",
		Meaning: "The time zone of new users, and of requests that name none.",
		Allowed: "a name of the IANA time zone database",
		Default: "the machine's time zone if it can be determined, else UTC",
		Example: "Asia/Jerusalem",
		set:     func(d *draft, v string) (err error) { d.TimeZone, err = parseZone(v); return err },
	}, {
		Name:    "locale",
		Meaning: "The language of new users, for dates, questions and messages.",
		Allowed: "en, he",
		Default: "en",
		Example: "he",
		set:     func(d *draft, v string) (err error) { d.Locale, err = parseOneOf(v, "en", "he"); return err },
	}, {
		Name:    "week-start",
		Meaning: "The first day of new users' weeks.",
		Allowed: "sunday, monday, tuesday, wednesday, thursday, friday, saturday",
		Default: "sunday",
		Example: "monday",
		set:     func(d *draft, v string) (err error) { d.WeekStart, err = parseWeekday(v); return err },
	}}
}

func running() []Setting {
	return []Setting{{
		Name:    "max-in-flight",
		Meaning: "How many requests run at once. Some more wait in a queue; others are answered with 503 and Retry-After.",
		Allowed: "a number from 1 to 100000",
		Default: "256",
		Example: "1000",
		set:     func(d *draft, v string) (err error) { d.MaxInFlight, err = parseInt(v, 1, 100_000); return err },
	}, {
		Name: "user-in-flight",
		Meaning: "How many requests of one user run at once. Some more wait in a queue of that user's own; others are " +
			"answered with 429 and Retry-After. Half as many run under one API token.",
		Allowed: "a number from 1 to 100000",
		Default: "an eighth of `ALMANAC_MAX_IN_FLIGHT`, at least 4; all of it where there is the local user",
		Example: "64",
		set: func(d *draft, v string) error {
			n, err := parseInt(v, 1, 100_000)
			d.userInFlight = &n
			return err
		},
	}, {
		Name: "user-cost",
		Meaning: "What the operations of one user may cost a minute, in the points that limits.md explains. What is " +
			"beyond is answered with 429 and Retry-After; the fields RateLimit and RateLimit-Policy of answers say what is " +
			"left. Each server counts for itself.",
		Allowed: "a number from 10000 to 1000000000, or off",
		Special: "`off`: there is no bound.",
		Default: "600000; off where there is the local user",
		Example: "1000000",
		set: func(d *draft, v string) error {
			n := 0
			var err error
			if v != "off" {
				n, err = parseInt(v, minUserCost, maxUserCost)
			}
			d.userCost = &n
			return err
		},
	}, {
		Name: "user-paid",
		Meaning: "How many questions one user may put to the systems that cost money, Exa and models, an hour. What is " +
			"beyond is RATE_LIMITED. Each server counts for itself, and background work is not counted.",
		Allowed: "a number from 0 to 1000000, or off",
		Special: "`off`, or 0: there is no bound.",
		Default: "1000; off where there is the local user",
		Example: "200",
		set: func(d *draft, v string) error {
			n := 0
			var err error
			if v != "off" {
				n, err = parseInt(v, 0, maxUserPaid)
			}
			d.userPaid = &n
			return err
		},
	}, {
		Name: "request-timeout",
		Meaning: "How long a query or a mutation may run. Then it is answered with TIMEOUT. What a request waits for " +
			"before it runs, such as the look at its token, has this bound too, and never more than ten seconds.",
		Allowed: "a duration from 1s to 5m",
		Default: "30s",
		Example: "10s",
		set: func(d *draft, v string) (err error) {
			d.RequestTimeout, err = parseDuration(v, minInterval, maxRequestTimeout)
			return err
		},
	}, {
		Name: "drain-notice",
		Meaning: "How long a stopping server accepts requests while /readyz already reports that it is draining, so that a " +
			"load balancer can remove it first.",
		Allowed: "a duration from 1s to 1m, or off",
		Special: "`off`: it closes its listener at once, which is right without a load balancer.",
		Default: "off",
		Example: "5s",
		set: func(d *draft, v string) (err error) {
			d.DrainNotice, err = parseOffOr(v, minInterval, maxNotice)
			return err
		},
	}, {
		Name: "reminder-interval",
		Meaning: "How often due reminders are read, which is how late one may be. Several replicas may do it: each " +
			"reminder fires once.",
		Allowed: "a duration from 1s to 1h, or off",
		Special: "`off`: this process fires none.",
		Default: "5s",
		Example: "30s",
		set: func(d *draft, v string) (err error) {
			d.ReminderInterval, err = parseOffOr(v, minInterval, maxInterval)
			return err
		},
	}}
}

func observing() []Setting {
	return []Setting{{
		Name:    "log-level",
		Meaning: "The lowest level of log records that are written. No level writes texts of users, or tokens.",
		Allowed: "debug, info, warn, error",
		Default: "info",
		Example: "debug",
		set:     func(d *draft, v string) (err error) { d.LogLevel, err = parseLevel(v); return err },
	}, {
		Name: "otlp-endpoint",
		Meaning: "The collector of OpenTelemetry traces, by OTLP over HTTP. `OTEL_EXPORTER_OTLP_HEADERS` adds headers, " +
			"such as the collector's token.",
		Allowed: "an http or https URL without query, fragment or user",
		Special: "Without a path, `/v1/traces` is added.",
		Default: "not set: no traces",
		Example: "http://localhost:4318",
		set:     func(d *draft, v string) (err error) { d.OTLPEndpoint, err = parseOTLPEndpoint(v); return err },
	}}
}
