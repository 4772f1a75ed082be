package config

import (
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"path"
	"path/filepath"
	"strings"
	"time"

	"almanac/graph/model"
)

// defaults sets the default values; TestDefaultsAreThoseDocumented compares them with the table.
func (d *draft) defaults() {
	d.Addr = "127.0.0.1:8080"
	d.Locale = "en"
	d.WeekStart = model.Sunday
	d.MaxInFlight = 256
	d.RequestTimeout = 30 * time.Second
	d.ReminderInterval = 5 * time.Second
	d.GooglePoll = time.Minute
	d.GoogleRequests = defaultGoogleRequests
	d.GoogleAccess = GoogleAccess{Calendar: AccessWrite, Mail: AccessWrite}
	d.EmbeddingMaxTokens = 8_000
	d.ChatMaxTokens, d.ExtractPartTokens, d.ExtractParallel = 8_000, 2_000, 2
	d.MailMaxRecipients = model.MaxRecipients
	d.ExaRepair = 5 * time.Minute
	d.ChangeRetention = 30 * day
	d.SessionLifetime = 7 * day
	d.UndoFor, d.ActionRetention, d.AuditRetention = model.UndoFor, model.ActionsKept, model.AuditKept
	d.LogLevel = slog.LevelInfo
}

// shares sets what one user may have: all of it where there is nobody but the local user.
func (d *draft) shares() {
	if d.userInFlight != nil {
		d.UserInFlight = min(*d.userInFlight, d.MaxInFlight)
	} else if d.UserInFlight = d.MaxInFlight; !d.LocalUser {
		d.UserInFlight = min(max(minUserInFlight, d.MaxInFlight/usersAtOnce), d.MaxInFlight)
	}
	if d.userCost != nil {
		d.UserCost = int64(*d.userCost)
	} else if !d.LocalUser {
		d.UserCost = defaultUserCost
	}
	if d.userPaid != nil {
		d.UserPaid = int64(*d.userPaid)
	} else if !d.LocalUser {
		d.UserPaid = defaultUserPaid
	}
}

// finish checks rules between settings, and derives values from several of them.
func (d *draft) finish() {
	d.needs("jwt-issuer", d.JWTIssuer != "", "jwt-secret", d.JWTSecret.IsSet())
	d.needs("jwt-audience", d.JWTAudience != "", "jwt-secret", d.JWTSecret.IsSet())
	d.needs("oidc-audience", d.OIDCAudience != "", "oidc-issuer", d.OIDCIssuer != "")
	d.needs("oidc-client-id", d.OIDCClientID != "", "oidc-issuer", d.OIDCIssuer != "")
	d.needs("oidc-client-secret", d.OIDCClientSecret.IsSet(), "oidc-client-id", d.OIDCClientID != "")
	d.needs("database-pooler", d.DatabasePooler, "database-url", d.DatabaseURL.IsSet())
	d.needs("database-listen-url", d.DatabaseListenURL.IsSet(), "database-url", d.DatabaseURL.IsSet())
	d.needs("documents-only", d.DocumentsOnly, "documents", d.Documents != "")
	d.needs("database-max-conns", d.DatabaseMaxConns != 0, "database-url", d.DatabaseURL.IsSet())
	if d.JWTSecret.IsSet() && d.OIDCIssuer != "" {
		d.problem(
			"ALMANAC_JWT_SECRET and ALMANAC_OIDC_ISSUER are both set, so two issuers could give the same sub to two people. " +
				"Leave one of them out.")
	}
	d.localUser()
	d.shares()
	d.google()
	d.embeddings()
	d.graphiti()
	d.exa()
	d.dataDir()
	if d.TimeZone == "" {
		d.TimeZone = d.machineZone()
	}
	d.Introspection = true
	if d.introspection != nil {
		d.Introspection = *d.introspection
	}
	if d.OIDCIssuer != "" && d.OIDCAudience == "" {
		d.Warnings = append(d.Warnings,
			"ALMANAC_OIDC_AUDIENCE is not set, so a token that the issuer made for any other application opens this one too.")
	}
}

// needs refuses a setting that has no effect without another one.
func (d *draft) needs(name string, set bool, other string, otherSet bool) {
	if set && !otherSet && !d.broken[other] {
		d.problem("%s is set, but means nothing without %s. Set both, or neither.", variableOf(name), variableOf(other))
	}
}

// localUser derives whether there is a local user.
func (d *draft) localUser() {
	if d.broken["addr"] || d.broken["public-url"] || d.broken["jwt-secret"] || d.broken["oidc-issuer"] {
		return
	}
	var reason string
	switch {
	case !loopbackAddr(d.Addr):
		reason = fmt.Sprintf("ALMANAC_ADDR (%s) can be reached from other machines", clip(d.Addr))
	case d.PublicURL != nil && !isLoopbackHost(d.PublicURL.Hostname()):
		reason = fmt.Sprintf("ALMANAC_PUBLIC_URL (%s) can be reached from other machines", clip(d.PublicURL.String()))
	case d.JWTSecret.IsSet(), d.OIDCIssuer != "":
		return
	default:
		d.LocalUser = true
		return
	}
	if !d.JWTSecret.IsSet() && d.OIDCIssuer == "" && !d.Demo {
		d.Warnings = append(d.Warnings,
			reason+
				", so there is no local user, and neither ALMANAC_JWT_SECRET nor ALMANAC_OIDC_ISSUER is set: only API tokens open "+
				"this server. Make one with `almanac token create`.")
	}
}

func loopbackAddr(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && isLoopbackHost(host)
}

// Loopback reports whether a listener's address can be reached from this machine only. A server checks it for the bound
// listener before it accepts the local user: "localhost" may resolve to something else.
func Loopback(addr net.Addr) bool {
	bound, err := netip.ParseAddrPort(addr.String())
	return err == nil && bound.Addr().Unmap().IsLoopback()
}

// dataDir makes the folder absolute, and finds the user's data folder when none is set.
func (d *draft) dataDir() {
	if d.DataDir == "" {
		if d.DatabaseURL.IsSet() || d.broken["database-url"] {
			return
		}
		d.DataDir = d.userDataDir()
		if d.DataDir == "" {
			d.problem(
				"ALMANAC_DATA_DIR is not set, and without a home folder there is no default for it. Allowed: a path. For example " +
					"ALMANAC_DATA_DIR=/var/lib/almanac, or use a database with ALMANAC_DATABASE_URL.")
		}
		return
	}
	folder := d.underHome(d.DataDir)
	if strings.HasPrefix(folder, "~/") {
		d.problem("ALMANAC_DATA_DIR is %q, but there is no home folder here. Write the whole path.", clip(folder))
		return
	}
	absolute, err := d.machine.absolute(folder)
	if err != nil || strings.ContainsRune(folder, 0) {
		d.problem("ALMANAC_DATA_DIR is %q, which cannot be made a whole path. Write one that begins with a slash.",
			clip(folder))
		return
	}
	d.DataDir = absolute
}

func (d *draft) home() string {
	if d.machine.os == "windows" {
		return d.environ["USERPROFILE"]
	}
	return d.environ["HOME"]
}

// userDataDir is where programs keep a user's data: the XDG base directory specification on Linux and its kin (a
// relative XDG_DATA_HOME is not valid there and passed over), the system's own folders elsewhere.
func (d *draft) userDataDir() string {
	const own = "almanac"
	switch d.machine.os {
	case "windows":
		if local := d.environ["LOCALAPPDATA"]; local != "" {
			return filepath.Join(local, own)
		}
		if local := d.environ["LocalAppData"]; local != "" {
			return filepath.Join(local, own)
		}
		return ""
	case "darwin", "ios":
		if home := d.home(); home != "" {
			return filepath.Join(home, "Library", "Application Support", own)
		}
		return ""
	}
	if data := d.environ["XDG_DATA_HOME"]; path.IsAbs(data) {
		return filepath.Join(data, own)
	}
	if home := d.home(); home != "" {
		return filepath.Join(home, ".local", "share", own)
	}
	return ""
}

// machineZone finds the IANA name of the machine's zone: TZ, or where the link /etc/localtime points to.
func (d *draft) machineZone() string {
	if name, err := parseZone(strings.TrimPrefix(d.environ["TZ"], ":")); err == nil {
		return name
	}
	if target, err := d.machine.readlink("/etc/localtime"); err == nil && d.environ["TZ"] == "" {
		if _, name, found := strings.Cut(target, "zoneinfo/"); found {
			if name, err := parseZone(name); err == nil {
				return name
			}
		}
	}
	return "UTC"
}
