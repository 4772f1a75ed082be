package config

// Setting is one line of the table: everything a person has to know about a setting.
type Setting struct {
	// Name is the flag without its dashes, "jwt-secret".
	Name string
	// Group is the heading it stands under in the documentation.
	Group string
	// Meaning says what it does, in whole sentences.
	Meaning string
	// Allowed are the values it takes.
	Allowed string
	// Special says what is particular about some values; may be empty.
	Special string
	// Default is what holds when it is not set.
	Default string
	// Example is a value that could be written, as a shell takes it.
	Example string
	// Secret: the value is never shown, and "file:PATH" reads it from a file.
	Secret bool
	// Switch: the flag may stand alone, which means true.
	Switch bool

	// set reads a value that is not empty; its error is a clause that goes on after "which" or "it".
	set func(d *draft, value string) error
}

// Flag is the flag as it is written, "--jwt-secret".
func (s Setting) Flag() string { return "--" + s.Name }

// Variable is the environment variable, "ALMANAC_JWT_SECRET".
func (s Setting) Variable() string { return variableOf(s.Name) }

// Settings is the whole table, in the order in which it is documented.
func Settings() []Setting {
	var all []Setting
	for _, group := range []struct {
		name     string
		settings []Setting
	}{
		{"Where it listens", listening()},
		{"Who may come in", admission()},
		{"Where the data lives", storage()},
		{"Google", linking()},
		{"Mail", mailing()},
		{"How memories and knowledge are found", embedding()},
		{"How episodes are read", chatting()},
		{"A Graphiti server", graphing()},
		{"Websets", collecting()},
		{"Language models as clients", talking()},
		{"What a new user begins with", beginnings()},
		{"How it runs", running()},
		{"What can be seen of it", observing()},
	} {
		for _, s := range group.settings {
			s.Group = group.name
			all = append(all, s)
		}
	}
	return all
}

func listening() []Setting {
	return []Setting{{
		Name:    "addr",
		Meaning: "What the server listens on. The local user, who needs no token, exists only on a loopback address.",
		Allowed: "host:port, where the port is a number from 0 to 65535",
		Special: "An empty host (`:8080`) means every address of the machine. Port 0 lets the system choose a free port.",
		Default: "127.0.0.1:8080",
		Example: "127.0.0.1:9000",
		set:     func(d *draft, v string) (err error) { d.Addr, err = parseAddr(v); return err },
	}, {
		Name: "public-url",
		Meaning: "How clients reach the server when something stands before it, such as a reverse proxy. It is what links " +
			"and redirects are made from. " +
			"An address that is not loopback switches the local user off: whoever comes through the proxy must bring a token.",
		Allowed: "an http or https address without query, fragment or user",
		Default: "the address it listens on",
		Example: "https://almanac.example.com",
		set:     func(d *draft, v string) (err error) { d.PublicURL, err = parsePublicURL(v); return err },
	}, {
		Name:    "allowed-origins",
		Meaning: "Origins of web pages, besides the server's own, that may call it from a browser.",
		Allowed: "origins, separated by commas: scheme, host and, where it is not the default, port",
		Special: "`*` is refused: the local user needs no token, so every page in the world could act for them.",
		Default: "none",
		Example: "https://app.example.com,http://localhost:5173",
		set:     func(d *draft, v string) (err error) { d.AllowedOrigins, err = parseList(v, parseOrigin); return err },
	}}
}

func admission() []Setting {
	const secret = "at least 32 bytes, taken as they are written (no decoding)"
	const newSecret = `"$(openssl rand -base64 48)"`
	return []Setting{{
		Name: "jwt-secret",
		Meaning: "Accepts JWTs that are signed with HS256 and this secret; their `sub` is the user. Switches the local user " +
			"off. Cannot be set together with an OIDC issuer: two issuers could give the same `sub` to two people.",
		Allowed: secret,
		Default: "not set: no such tokens",
		Example: newSecret,
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.JWTSecret, err = parseSigningSecret(v); return err },
	}, {
		Name:    "jwt-issuer",
		Meaning: "The `iss` that HS256 tokens must carry.",
		Allowed: "any text",
		Default: "not set: any",
		Example: "https://login.example.com",
		set:     func(d *draft, v string) error { d.JWTIssuer = v; return nil },
	}, {
		Name:    "jwt-audience",
		Meaning: "What must be among the `aud` of HS256 tokens.",
		Allowed: "any text",
		Default: "not set: any",
		Example: "almanac",
		set:     func(d *draft, v string) error { d.JWTAudience = v; return nil },
	}, {
		Name: "oidc-issuer",
		Meaning: "Accepts JWTs of this OpenID Connect issuer, whose keys are found through its discovery document. " +
			"Switches the local user off.",
		Allowed: "an https address, exactly as the tokens' `iss` has it; http only on a loopback host",
		Default: "not set: none",
		Example: "https://accounts.example.com",
		set:     func(d *draft, v string) (err error) { d.OIDCIssuer, err = parseIssuer(v); return err },
	}, {
		Name: "oidc-audience",
		Meaning: "What must be among the `aud` of the issuer's tokens. Set it: without it a token that the issuer made for " +
			"any other application opens this one too.",
		Allowed: "any text",
		Default: "not set: any, with a warning",
		Example: "almanac",
		set:     func(d *draft, v string) error { d.OIDCAudience = v; return nil },
	}, {
		Name: "token-key",
		Meaning: "Keys that sign cursors and confirmations, so that nobody can alter them, and encrypt what linked " +
			"accounts have granted. To change the key, put the new one before the old one and start anew: whatever is " +
			"encrypted with the old key is encrypted anew the next time its account is used, which happens by itself within " +
			"`ALMANAC_GOOGLE_POLL`. Drop the old one a day after every server was started with both. Accounts that were not " +
			"used in that time (with `ALMANAC_GOOGLE_POLL` off there may be some) cannot be read without it and have to be " +
			"linked again, as all have to when the key is lost.",
		Allowed: secret + ", several separated by commas",
		Special: "The first key signs and encrypts, all of them verify and decrypt.",
		Default: "a key that the database keeps",
		Example: newSecret,
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.TokenKeys, err = parseList(v, parseSigningSecret); return err },
	}, {
		Name: "introspection",
		Meaning: "Whether clients may ask for the schema, which the explorer needs. Where it is off, error messages do not " +
			"suggest names either.",
		Allowed: "auto, on, off",
		Special: "`auto` is on with the local user, off otherwise.",
		Default: "auto",
		Example: "off",
		Switch:  true,
		set:     func(d *draft, v string) (err error) { d.introspection, err = parseAuto(v); return err },
	}}
}

func storage() []Setting {
	return []Setting{{
		Name: "data-dir",
		Meaning: "The folder of the embedded SQLite database, and of `google-standin.db`, which holds what the stand-in for " +
			"Google keeps. It is made when it is not there, readable by its owner only.",
		Allowed: "a path; a relative one starts from the working folder",
		Special: "`~/` at its beginning stands for the home folder.",
		Default: "`almanac` in the user's data folder: `$XDG_DATA_HOME` or `~/.local/share` (Linux), `~/Library/Application " +
			"Support` (macOS), `%LocalAppData%` (Windows)",
		Example: "/var/lib/almanac",
		set:     func(d *draft, v string) error { d.DataDir = v; return nil },
	}, {
		Name: "database-url",
		Meaning: "Uses this PostgreSQL (15 or newer) instead of the embedded database, for more users, more data or " +
			"several replicas.",
		Allowed: "an address that begins with postgres:// or postgresql:// and names a host or a socket folder",
		Default: "not set: the embedded database",
		Example: "postgres://almanac:PASSWORD@db.example.com:5432/almanac?sslmode=verify-full",
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.DatabaseURL, err = parsePostgresURL(v); return err },
	}, {
		Name: "database-pooler",
		Meaning: "Says that a proxy that pools by transaction (PgBouncer, for one) stands before the database. Prepared " +
			"statements and LISTEN are then left out.",
		Allowed: "true, false",
		Default: "false",
		Example: "true",
		Switch:  true,
		set:     func(d *draft, v string) (err error) { d.DatabasePooler, err = parseBool(v); return err },
	}, {
		Name:    "database-listen-url",
		Meaning: "A direct address of the same database, past the pooler, for change notices.",
		Allowed: "an address that begins with postgres:// or postgresql:// and names a host or a socket folder",
		Default: "not set: the database's own address; behind a pooler changes of other replicas are polled for",
		Example: "postgres://almanac:PASSWORD@db-direct.example.com:5432/almanac",
		Secret:  true,
		set:     func(d *draft, v string) (err error) { d.DatabaseListenURL, err = parsePostgresURL(v); return err },
	}, {
		Name:    "database-max-conns",
		Meaning: "The greatest number of connections to PostgreSQL.",
		Allowed: "a number from 0 to 10000",
		Special: "0 means four for each processor.",
		Default: "0",
		Example: "20",
		set:     func(d *draft, v string) (err error) { d.DatabaseMaxConns, err = parseInt(v, 0, 10_000); return err },
	}, {
		Name:    "change-retention",
		Meaning: "How long the change log reaches back. A client that was away for longer has to read everything anew.",
		Allowed: "a length of time from 1h to 3650d",
		Default: "30d",
		Example: "90d",
		set: func(d *draft, v string) (err error) {
			d.ChangeRetention, err = parseDuration(v, minRetention, maxRetention)
			return err
		},
	}, {
		Name: "demo",
		Meaning: "Lays sample tasks, lists and events for the local user, once, in dates around now. Events go to the " +
			"stand-in for Google, so there are none where a Google client is set.",
		Allowed: "true, false",
		Special: "Refused where there is no local user.",
		Default: "false",
		Example: "true",
		Switch:  true,
		set:     func(d *draft, v string) (err error) { d.Demo, err = parseBool(v); return err },
	}}
}

func beginnings() []Setting {
	return []Setting{{
		Name:    "time-zone",
		Meaning: "The time zone of new users, and of requests that say nothing else.",
		Allowed: "a name of the IANA time zone database",
		Default: "the machine's zone where it can be told, else UTC",
		Example: "Asia/Jerusalem",
		set:     func(d *draft, v string) (err error) { d.TimeZone, err = parseZone(v); return err },
	}, {
		Name:    "locale",
		Meaning: "The language of new users: of dates, questions and messages.",
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
		Meaning: "How many requests run at once. A few more wait; beyond that the answer is 503 with Retry-After.",
		Allowed: "a number from 1 to 100000",
		Default: "256",
		Example: "1000",
		set:     func(d *draft, v string) (err error) { d.MaxInFlight, err = parseInt(v, 1, 100_000); return err },
	}, {
		Name: "drain-notice",
		Meaning: "How long a server that was told to stop goes on taking requests while /readyz already says that it is " +
			"draining, so that a balancer can turn away from it first.",
		Allowed: "a length of time from 1s to 1m, or off",
		Special: "`off`: it closes its listener at once, which is right without a balancer.",
		Default: "off",
		Example: "5s",
		set:     func(d *draft, v string) (err error) { d.DrainNotice, err = parseNotice(v); return err },
	}, {
		Name: "reminder-interval",
		Meaning: "How often due reminders are looked for, which is how late one may be. Several replicas may do it: each " +
			"reminder fires once.",
		Allowed: "a length of time from 1s to 1h, or off",
		Special: "`off`: this process fires none.",
		Default: "5s",
		Example: "30s",
		set:     func(d *draft, v string) (err error) { d.ReminderInterval, err = parseInterval(v); return err },
	}}
}

func observing() []Setting {
	return []Setting{{
		Name:    "log-level",
		Meaning: "The least important log lines that are written. No level writes what users wrote, or tokens.",
		Allowed: "debug, info, warn, error",
		Default: "info",
		Example: "debug",
		set:     func(d *draft, v string) (err error) { d.LogLevel, err = parseLevel(v); return err },
	}, {
		Name: "otlp-endpoint",
		Meaning: "Sends OpenTelemetry traces to this collector, by OTLP over HTTP. `OTEL_EXPORTER_OTLP_HEADERS` adds " +
			"headers, such as the collector's own token.",
		Allowed: "an http or https address without query, fragment or user",
		Special: "Without a path, `/v1/traces` is added.",
		Default: "not set: no traces",
		Example: "http://localhost:4318",
		set:     func(d *draft, v string) (err error) { d.OTLPEndpoint, err = parseOTLPEndpoint(v); return err },
	}}
}
