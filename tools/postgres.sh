#!/bin/sh
# A private PostgreSQL (15 or newer) with pgvector (0.8 or newer), for tests and development.
#
#   tools/postgres.sh run CMD…   make a server for CMD alone, name it in ALMANAC_TEST_DATABASE_URL, delete it afterwards
#   tools/postgres.sh up         start the shared server unless it runs, print its URL
#   tools/postgres.sh url        print the URL of the server that runs
#   tools/postgres.sh psql ARG…  psql on it
#   tools/postgres.sh down       stop the shared server and delete its data
#   tools/postgres.sh programs   print the folder of the programs, after getting them if need be
#
# The programs are the machine's own where pgvector is beside them. Otherwise Debian's packages are downloaded once with
# apt, which checks their signatures, and unpacked into a cache folder together with their C library. Nothing is
# installed, nothing is compiled, no rights are needed.
#
# The data is for tests: a crash of the machine may cost it, and a server that has stopped is made anew, not repaired.
# The server listens on 127.0.0.1 alone, behind a random password.
#
# Settings:
#   ALMANAC_TEST_DATABASE_URL  a server of your own to use instead; then `up`, `run` and `down` start and stop nothing
#   ALMANAC_PG_HOME            the cache folder (default: $XDG_CACHE_HOME/almanac/postgres, else ~/.cache/almanac/postgres;
#                              for root /var/cache/almanac/postgres if the server's user cannot enter those)
#   ALMANAC_PG_SUITE           take PostgreSQL from this Debian suite whatever the machine has, for example forky
set -eu
umask 022

say() { printf 'postgres.sh: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

uid=$(id -u)
suite=${ALMANAC_PG_SUITE:-trixie}
given=${ALMANAC_TEST_DATABASE_URL:-}
case $suite in *[!a-z]*) die "ALMANAC_PG_SUITE is the name of a Debian suite, for example trixie or forky" ;; esac

# ---- who runs the server, and where

# PostgreSQL refuses to run as root.
os_user=
if [ "$uid" = 0 ]; then
	if id postgres >/dev/null 2>&1; then os_user=postgres; else os_user=nobody; fi
fi

# as_pg CMD…: runs a PostgreSQL program as that user, from a folder it can enter, without the caller's PG* and LC_*.
as_pg() (
	cd /
	if [ -n "$os_user" ]; then
		set -- setpriv --reuid "$os_user" --regid "$(id -g "$os_user")" --clear-groups -- "$@"
	fi
	exec env -i PATH="$PATH" LC_ALL=C "$@"
)

own() { [ -z "$os_user" ] || chown "$os_user" "$@"; }

# reach DIR: can the server's user enter the folder?
reach() { as_pg test -x "$1/." 2>/dev/null; }

set_home() {
	home=${ALMANAC_PG_HOME:-}
	if [ -z "$home" ]; then
		home=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
		[ -n "$home" ] || die "neither HOME nor XDG_CACHE_HOME is set; set ALMANAC_PG_HOME to a folder for the programs and the data"
		home=$home/almanac/postgres
	fi
	mkdir -p "$home" || die "cannot make the folder $home; set ALMANAC_PG_HOME to another one"
	if ! reach "$home"; then
		[ -z "${ALMANAC_PG_HOME:-}" ] || die "the user $os_user cannot enter $home; set ALMANAC_PG_HOME to a folder it can enter"
		home=/var/cache/almanac/postgres
		mkdir -p "$home"
	fi
	home=$(cd "$home" && pwd -P)
	server=$home/server
}

# lock: one caller at a time downloads, makes, starts or stops; held on descriptor 9 until unlock or the end of this
# shell, however it ends. A server that inherited the descriptor would keep the lock, hence the 9>&- further down.
lock() {
	# First in a subshell, because a failed redirection of exec ends the shell without a word.
	(: >>"$home/lock") 2>/dev/null || die "$home belongs to another user; set ALMANAC_PG_HOME to a folder of your own"
	exec 9>>"$home/lock"
	if have flock; then
		flock 9
	elif have perl; then
		perl -e 'use Fcntl ":flock"; open(my $f, ">>&=", 9) && flock($f, LOCK_EX) or exit 1' || die "cannot lock $home/lock"
	else
		die "needs the program flock (Debian: util-linux) or perl"
	fi
}
unlock() { exec 9>&-; }

# ---- the programs

# at_least A B: is the version A the version B or newer? Looks at the first two numbers.
at_least() { awk -v a="$1" -v b="$2" 'BEGIN { split(a, x, "."); split(b, y, "."); exit !(x[1]+0 > y[1]+0 || (x[1]+0 == y[1]+0 && x[2]+0 >= y[2]+0)) }'; }

server_version() { "$1/postgres" --version 2>/dev/null | sed 's/^[^0-9]*\([0-9][0-9.]*\).*/\1/'; }

# fits BIN: does the folder hold a complete PostgreSQL >= 15 with pgvector >= 0.8?
fits() {
	for program in postgres initdb pg_ctl pg_isready psql; do [ -x "$1/$program" ] || return 1; done
	at_least "$(server_version "$1")" 15.0 || return 1
	for share in "$("$1/pg_config" --sharedir 2>/dev/null)" "$1/../share" "$1/../../../../share/postgresql/$(basename "$(dirname "$1")")"; do
		[ -r "$share/extension/vector.control" ] || continue
		at_least "$(sed -n "s/^default_version *= *'\([0-9.]*\)'.*/\1/p" "$share/extension/vector.control")" 0.8
		return
	done
	return 1
}

# find_programs: sets bin. The last that fits wins: the one pg_config or PATH names, then the newest release the machine
# has, then what unpack has made.
find_programs() {
	set -- "$home/debian-$suite"/usr/lib/postgresql/*/bin
	if [ -z "${ALMANAC_PG_SUITE:-}" ]; then
		found=$(command -v postgres || :)
		set -- "$@" /opt/homebrew/opt/postgresql@*/bin /usr/local/opt/postgresql@*/bin /usr/pgsql-*/bin \
			/usr/lib/postgresql/*/bin "${found%/*}" "$(pg_config --bindir 2>/dev/null || :)"
	fi
	bin=
	for candidate; do
		if [ -n "$candidate" ] && fits "$candidate"; then bin=$candidate; fi
	done
	[ -n "$bin" ]
}

need_programs() {
	if find_programs; then return 0; fi
	unpack
	find_programs || die "the unpacked programs do not work; delete $home and try again"
}

# unpack: Debian's packages into $home/debian-$suite. Works beside a release of any age, because the programs run with
# the C library of their own release.
unpack() {
	keys=
	for keyring in /usr/share/keyrings/debian-archive-keyring.pgp /usr/share/keyrings/debian-archive-keyring.gpg; do
		if [ -r "$keyring" ]; then keys=$keyring; fi
	done
	if ! have apt-get || ! have dpkg-deb || [ -z "$keys" ]; then
		die "no PostgreSQL >= 15 with pgvector >= 0.8 on this machine. Ways to get one:
  any system     docker compose up -d db, then set ALMANAC_TEST_DATABASE_URL (see compose.yaml)
  Debian 13      apt-get install postgresql-17 postgresql-17-pgvector
  Ubuntu         apt-get install debian-archive-keyring, and this script gets the rest by itself
  macOS          brew install postgresql@17 pgvector"
	fi
	say "downloading PostgreSQL and pgvector of Debian $suite (about 50 MB, once)"
	new=$home/new
	rm -rf "$new" # what a call that was cut off has left
	mkdir -p "$new/lists/partial" "$new/archives/partial" "$new/debs" "$new/tree"
	: >"$new/status"

	# The system's proxy and credentials stay in force. The empty status file makes apt name every library, whatever
	# the machine has; the hooks of the system's own apt have no business here.
	cat >"$new/apt.conf" <<-END
		#clear APT::Update::Pre-Invoke;
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		Dir::State "$new";
		Dir::State::lists "$new/lists";
		Dir::State::status "$new/status";
		Dir::Cache "$new";
		Dir::Cache::archives "$new/archives";
		Dir::Etc::SourceList "/dev/null";
		Dir::Etc::SourceParts "$new";
		Dir::Etc::Preferences "/dev/null";
		Dir::Etc::PreferencesParts "/dev/null";
		APT::Sandbox::User "root";
		APT::Default-Release "";
		APT::Install-Recommends "false";
		APT::Update::Error-Mode "any";
		Acquire::Languages "none";
		Acquire::Retries "3";
		Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
		Acquire::IndexTargets::deb::CNF::DefaultEnabled "false";
	END
	# First the mirrors this system is set up with, if it is a Debian; a foreign one among them fails the signature check.
	# The last is a second try in most cases, for a mirror amid its synchronisation serves an index older than its files.
	mirrors=
	codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
	if grep -q '^ID=debian$' /etc/os-release; then
		mirrors=$(LC_ALL=C apt-get update --print-uris 2>/dev/null | sed -n "s#^'\([^']*\)/dists/${codename:-stable}/InRelease'.*#\1#p")
	fi
	done=
	for mirror in $mirrors http://deb.debian.org/debian; do
		if download "$mirror"; then
			done=yes
			break
		fi
		say "that failed with $mirror"
	done
	[ -n "$done" ] || die "the download failed; if this machine is offline, set ALMANAC_TEST_DATABASE_URL to a server of your own"

	for package in "$new"/debs/*.deb; do dpkg-deb -x "$package" "$new/tree" || die "cannot unpack $package"; done
	(cd "$new/tree/usr" && rm -rf bin include sbin share/doc share/lintian share/locale share/man lib/*/gconv lib/postgresql/*/lib/bitcode lib/postgresql/*/lib/llvmjit*)

	# Each program becomes a wrapper that starts it with this tree's loader. The paths are relative, so the folder can be
	# moved or restored from a cache; no variable is set that the server's children would inherit.
	loader=$(cd "$new/tree" && find usr/lib -name 'ld-linux*.so.*' -path '*-linux-gnu*' | head -n 1)
	major=$(basename "$new/tree"/usr/lib/postgresql/*)
	programs=$new/tree/usr/lib/postgresql/$major
	if [ -z "$loader" ] || [ ! -x "$programs/bin/postgres" ]; then die "the packages of Debian $suite lack the loader or the server"; fi
	mv "$programs/bin" "$programs/programs"
	mkdir "$programs/bin"
	for program in "$programs"/programs/*; do
		cat >"$programs/bin/${program##*/}" <<-END
			#!/bin/sh
			unset LD_PRELOAD LD_LIBRARY_PATH
			me=\$(readlink -f "\$0")
			tree=\${me%/usr/lib/postgresql/*}
			exec "\$tree/$loader" --inhibit-cache --library-path "\$tree/${loader%/*}" --argv0 "\$me" "\${me%/bin/*}/programs/\${me##*/}" "\$@"
		END
		chmod 755 "$programs/bin/${program##*/}"
	done
	# A library that is missing here would come from the machine, and be of another release.
	for object in "$programs"/programs/postgres "$programs"/programs/initdb "$programs"/programs/psql "$programs"/programs/pg_ctl "$programs"/lib/vector.so; do
		foreign=$("$new/tree/$loader" --inhibit-cache --library-path "$new/tree/${loader%/*}" --list "$object" 2>&1 | grep '=>' | grep -v -F "$new/tree/" || :)
		[ -z "$foreign" ] || die "${object##*/} lacks a library: $foreign"
	done
	rm -rf "${home:?}/debian-$suite"
	mv "$new/tree" "$home/debian-$suite"
	rm -rf "$new"
}

# download MIRROR: the packages into $new/debs.
download() {
	rm -rf "$new"/debs/*
	cat >"$new/debian.sources" <<-END
		Types: deb
		URIs: $1
		Suites: $suite
		Components: main
		Architectures: $(dpkg --print-architecture)
		Signed-By: $keys
	END
	LC_ALL=C apt-get -c "$new/apt.conf" -qq update >&2 || return 1
	major=$(apt-cache -c "$new/apt.conf" pkgnames postgresql- | sed -n 's/^postgresql-\([0-9]*\)-pgvector$/\1/p' | sort -n | tail -n 1)
	[ -n "$major" ] || { say "Debian $suite has no pgvector"; return 1; }
	# Left out: perl and its tools for administrators, the JIT compiler (100 MB; the server does without), configuration.
	packages=$(LC_ALL=C apt-get -c "$new/apt.conf" -s install "postgresql-$major-pgvector" |
		sed -n 's/^Inst \([^ ]*\) .*/\1/p' |
		grep -E '^(lib.*|zlib1g|postgresql-[0-9]+|postgresql-client-[0-9]+|postgresql-[0-9]+-pgvector)$' |
		grep -v -E 'perl|llvm|^libz3|-bin$|-common$|-data$|-runtime$|^libpam-m|^libdebconf|^libproc2|^libdb5|^libgdbm')
	[ -n "$packages" ] || return 1
	# shellcheck disable=SC2086 # the names are words
	(cd "$new/debs" && LC_ALL=C apt-get -c "$new/apt.conf" -qq download $packages >&2)
}

# ---- a server in a folder

# server_pid DIR: prints the server's process, if it is truly the one of this folder: after a restart of the machine
# the number in the file may be anybody's.
server_pid() {
	pid=$(sed -n 1p "$1/data/postmaster.pid" 2>/dev/null) || return 1
	case $pid in '' | *[!0-9]*) return 1 ;; esac
	if [ -r "/proc/$pid/cmdline" ]; then
		tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null | grep -qxF "$1/data" || return 1
	else
		ps -ww -o args= -p "$pid" 2>/dev/null | grep -qF "$1/data" || return 1
	fi
	echo "$pid"
}

# runs DIR: does its server take connections? It asks without connecting, so a server with no slot left still runs.
runs() {
	server_pid "$1" >/dev/null && [ -r "$1/url" ] || return 1
	port=$(sed 's#.*@127.0.0.1:\([0-9]*\)/.*#\1#' "$1/url")
	as_pg "$(cat "$1/bin")/pg_isready" -q -t 10 -h 127.0.0.1 -p "$port"
}

remove() {
	if pid=$(server_pid "$1"); then
		kill -QUIT "$pid" 2>/dev/null || :
		kill -CONT "$pid" 2>/dev/null || : # a test may have stopped it
		while server_pid "$1" >/dev/null; do sleep 0.05; done
	fi
	rm -rf "$1"
}

# make DIR: a new server in a folder that is empty or not there; DIR/url appears last.
make() {
	dir=$1
	mkdir -p "$dir"
	chmod 700 "$dir"
	version=$(server_version "$bin")
	password=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	(umask 077 && printf '%s\n' "$password" >"$dir/password" && printf '%s\n' "$bin" >"$dir/bin")
	own "$dir" "$dir/password"

	# Text sorts by code point on every machine.
	set -- -D "$dir/data" -U postgres -E UTF8 -A scram-sha-256 --pwfile="$dir/password" --no-sync
	if at_least "$version" 17.0; then
		set -- "$@" --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8
	else
		set -- "$@" --locale=C.UTF-8
	fi
	# The password is random, so hashing it 4,096 times at each connection would only cost time.
	if at_least "$version" 16.0; then set -- "$@" -c scram_iterations=1; fi
	as_pg "$bin/initdb" "$@" >"$dir/log" 2>&1 9>&- || { cat "$dir/log" >&2; die "initdb failed"; }
	rm -f "$dir/password"

	# Without zone files the server knows GMT alone.
	zone=GMT
	if [ -e /usr/share/zoneinfo/UTC ]; then zone=UTC; fi
	cat >>"$dir/data/postgresql.conf" <<-END
		listen_addresses = '127.0.0.1'
		unix_socket_directories = ''
		max_connections = 300
		timezone = '$zone'
		log_timezone = '$zone'
		jit = off
		fsync = off
		synchronous_commit = off
		full_page_writes = off
		wal_level = minimal
		max_wal_senders = 0
		max_wal_size = 2GB
		maintenance_work_mem = 128MB
	END
	# Containers often have 64 MB there, too little for a parallel index build.
	if [ "$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')" -lt 400000 ] 2>/dev/null; then
		echo "dynamic_shared_memory_type = mmap" >>"$dir/data/postgresql.conf"
	fi

	tries=0
	: >"$dir/log"
	own "$dir/log"
	while :; do
		# Below the ports that systems hand out to clients.
		port=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 12000))
		if as_pg "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -o "-c port=$port" -w -t 120 -s start >&2 9>&- 8>&-; then break; fi
		tries=$((tries + 1))
		if [ "$tries" -ge 10 ] || ! grep -q 'could not bind' "$dir/log"; then
			cat "$dir/log" >&2
			die "the server does not start"
		fi
		: >"$dir/log"
	done
	(umask 077 && printf 'postgres://postgres:%s@127.0.0.1:%s/postgres?sslmode=disable\n' "$password" "$port" >"$dir/url.new")
	mv "$dir/url.new" "$dir/url"
}

# ---- the commands

programs() {
	set_home
	lock
	need_programs
	unlock
}

up() {
	set_home
	lock
	if ! runs "$server"; then
		[ ! -d "$server" ] || [ -r "$server/." ] || die "$server belongs to another user; set ALMANAC_PG_HOME to a folder of your own"
		remove "$server"
		need_programs
		make "$server"
		say "PostgreSQL $(server_version "$bin") runs in $server; tools/postgres.sh down ends it"
	fi
	unlock
	cat "$server/url"
}

must_run() {
	set_home
	runs "$server" || die "no server runs; start one with: tools/postgres.sh up"
}

run() {
	[ $# -gt 0 ] || die "run what?"
	[ -z "$given" ] || exec "$@"
	programs
	tmp=${TMPDIR:-/tmp}
	reach "$tmp" || tmp=/tmp
	own_dir=$(cd "$(mktemp -d "$tmp/almanac-postgres.XXXXXX")" && pwd -P)
	# The reaper waits for the end of a pipe that this shell alone holds open, so it deletes the server even when this
	# shell is killed. In a session of its own it outlives a kill of the whole group.
	mkfifo "$own_dir.alive"
	exec 8<>"$own_dir.alive"
	session=
	if have setsid; then session=setsid; fi
	# shellcheck disable=SC2086 # empty where there is no setsid
	$session sh "$0" reap "$own_dir" <"$own_dir.alive" >/dev/null 2>&1 8>&- &
	reaper=$!
	make "$own_dir"
	code=0
	ALMANAC_TEST_DATABASE_URL=$(cat "$own_dir/url") "$@" 8>&- || code=$?
	exec 8>&-
	wait "$reaper" || :
	exit "$code"
}

# reap DIR: the second half of run.
reap() {
	rm -f "$1.alive"
	cat >/dev/null
	remove "$1"
}

case ${1:-} in
up) if [ -n "$given" ]; then printf '%s\n' "$given"; else up; fi ;;
url) if [ -n "$given" ]; then printf '%s\n' "$given"; else must_run && cat "$server/url"; fi ;;
psql)
	shift
	if [ -n "$given" ]; then
		if have psql; then exec psql "$given" "$@"; fi
		programs
		exec "$bin/psql" "$given" "$@"
	fi
	must_run
	exec "$(cat "$server/bin")/psql" "$(cat "$server/url")" "$@"
	;;
down)
	if [ -n "$given" ]; then exit 0; fi
	set_home
	lock
	remove "$server"
	unlock
	;;
programs) programs && printf '%s\n' "$bin" ;;
run) shift && run "$@" ;;
reap) reap "$2" ;;
-h | --help | help) sed -n '2,/^set -eu/{/^#/s/^# \{0,1\}//p;}' "$0" ;;
*)
	sed -n '2,/^set -eu/{/^#/s/^# \{0,1\}//p;}' "$0" >&2
	exit 2
	;;
esac
