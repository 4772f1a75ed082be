#!/bin/sh
# The store's suite on the databases that people run, one after another.
#
#   tools/engines.sh             all that can be had here; what cannot is named
#   tools/engines.sh postgres    PostgreSQL as tools/postgres.sh finds it: 17 of Debian 13, unless the machine has one
#   tools/engines.sh pooler      the same behind PgBouncer in transaction mode
#   tools/engines.sh postgres15  the PostgreSQL 15 in ENGINES_PG15, which needs pgvector 0.8
#   tools/engines.sh promotion   a ledger of writes while PostgreSQL is killed and its synchronous standby promoted
#   tools/engines.sh citus       the Citus whose programs are in ENGINES_CITUS: a coordinator and two workers, 4 shards,
#                                and a ledger of writes while a worker is killed and shards are moved
#
# Settings:
#   ENGINES_PG15    the folder of the programs (bin) of a PostgreSQL 15 with pgvector 0.8 or newer
#   ENGINES_CITUS   the folder of the programs (bin) of a PostgreSQL with Citus 13 or newer and pgvector 0.8 or newer
#   ENGINES_RUN     which tests (default: TestStore, behind the pooler TestStoreBehindAPooler)
#   ENGINES_FLAGS   more arguments of `go test`
#   ENGINES_SCALE   multiplies how long the ledger on Citus goes on (default: 1, two minutes)
#
# Every server listens on 127.0.0.1 alone and goes with its data when the suite has ended.
set -eu

say() { printf 'engines.sh: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

here=$(cd "$(dirname "$0")/.." && pwd -P)
cd "$here"

# suite RUN: the suite against the server that the environment names.
suite() {
	# shellcheck disable=SC2086 # the flags are words
	go test -trimpath -gcflags=all=-dwarf=false -vet=off -tags "bench,grpcnotrace${tag:-}" -count=1 -timeout 60m ${ENGINES_FLAGS:-} \
		./adapters/store/postgres -run "^(${ENGINES_RUN:-$1})"
}

postgres() { tools/postgres.sh run "$0" suite TestStore; }

postgres15() {
	[ -n "${ENGINES_PG15:-}" ] || { say "postgres15: not run; set ENGINES_PG15 to the bin folder of a PostgreSQL 15 with pgvector 0.8 or newer (Debian 12 has an older pgvector)"; return 0; }
	case $("$ENGINES_PG15/postgres" --version) in *" 15."*) ;; *) die "ENGINES_PG15 is not PostgreSQL 15" ;; esac
	PATH=$ENGINES_PG15:$PATH tools/postgres.sh run "$0" suite TestStore
}

pooler() {
	have pgbouncer || { say "pooler: not run; there is no pgbouncer here (Debian: apt-get install pgbouncer)"; return 0; }
	tools/postgres.sh run "$0" behind
}

# promotion: the story is the ledger's, which has a PostgreSQL of its own with the programs of tools/postgres.sh.
promotion() { go run -tags bench ./bench/ledger -only promotion; }

# port: one of loopback below those that systems hand out.
port() { echo $((20000 + $(od -An -N2 -tu2 /dev/urandom) % 12000)); }

# as_server CMD…: as a user that is not root, whom PostgreSQL and PgBouncer refuse.
as_server() (
	if [ "$(id -u)" = 0 ]; then
		user=nobody
		if id postgres >/dev/null 2>&1; then user=postgres; fi
		set -- setpriv --reuid "$user" --regid "$(id -g "$user")" --clear-groups -- "$@"
	fi
	cd /
	exec env LC_ALL=C HOME=/nonexistent "$@" # in the HOME of root libpq looks for certificates that it may not read
)

# folder: a new one for servers. TMPDIR may be closed to their user.
folder() {
	made=$(mktemp -d /tmp/almanac-engines.XXXXXX)
	if [ "$(id -u)" = 0 ]; then
		if id postgres >/dev/null 2>&1; then chown postgres "$made"; else chown nobody "$made"; fi
	fi
	echo "$made"
}

# behind: the suite through a PgBouncer before the server of ALMANAC_TEST_DATABASE_URL.
behind() {
	dir=$(folder)
	at=$(port)
	server=${ALMANAC_TEST_DATABASE_URL#*@}
	secret=${ALMANAC_TEST_DATABASE_URL#*://*:}
	cat >"$dir/pgbouncer.ini" <<-END
		[databases]
		* = host=${server%%:*} port=$(echo "$server" | sed 's#.*:\([0-9]*\)/.*#\1#')
		[pgbouncer]
		listen_addr = 127.0.0.1
		listen_port = $at
		unix_socket_dir =
		auth_type = trust
		auth_file = $dir/users
		pool_mode = transaction
		default_pool_size = 20
		max_client_conn = 1000
	END
	(umask 077 && printf '"postgres" "%s"\n' "${secret%%@*}" >"$dir/users")
	if [ "$(id -u)" = 0 ]; then chown --reference="$dir" "$dir/users" "$dir/pgbouncer.ini"; fi
	as_server pgbouncer "$dir/pgbouncer.ini" >"$dir/log" 2>&1 &
	proxy=$!
	trap 'kill "$proxy" 2>/dev/null || :; rm -rf "$dir"' EXIT
	sleep 1
	kill -0 "$proxy" 2>/dev/null || { cat "$dir/log" >&2; die "PgBouncer does not start"; }
	ALMANAC_TEST_POOLER=127.0.0.1:$at suite TestStoreBehindAPooler
}

citus() {
	tag=,citus
	[ -n "${ENGINES_CITUS:-}" ] || { say "citus: not run; set ENGINES_CITUS to the bin folder of a PostgreSQL with Citus and pgvector"; return 0; }
	dir=$(folder)
	trap 'for one in "$dir"/*/postmaster.pid; do [ -r "$one" ] && kill -QUIT "$(head -n 1 "$one")" 2>/dev/null || :; done; sleep 1; rm -rf "$dir"' EXIT
	addresses=
	for node in coordinator one two; do
		as_server "$ENGINES_CITUS/initdb" -D "$dir/$node" -U postgres -E UTF8 --locale=C.UTF-8 -A trust --no-sync >"$dir/initdb.log" 2>&1 ||
			{ cat "$dir/initdb.log" >&2; die "initdb failed"; }
		at=$(port)
		cat >>"$dir/$node/postgresql.conf" <<-END
			shared_preload_libraries = 'citus'
			citus.enable_statistics_collection = off
			citus.shard_count = 4
			listen_addresses = '127.0.0.1'
			unix_socket_directories = ''
			port = $at
			max_connections = 300
			max_prepared_transactions = 400
			max_locks_per_transaction = 512
			max_worker_processes = 32
			wal_level = logical
			fsync = off
			synchronous_commit = off
			full_page_writes = off
			jit = off
			timezone = 'UTC'
		END
		as_server "$ENGINES_CITUS/pg_ctl" -D "$dir/$node" -l "$dir/$node.log" -w -s start || { cat "$dir/$node.log" >&2; die "$node does not start"; }
		addresses="$addresses 127.0.0.1:$at"
	done
	# shellcheck disable=SC2086 # the addresses are words
	set -- $addresses
	ALMANAC_TEST_DATABASE_URL=postgres://postgres@$1/postgres ALMANAC_TEST_CITUS_WORKERS=$2,$3 \
		suite 'TestStore$|TestCitus'
	# The ledger has servers of its own.
	go run -tags bench ./bench/ledger -only citus-kill,citus-move -citus "$ENGINES_CITUS" -scale "${ENGINES_SCALE:-1}"
}

case ${1:-all} in
all)
	code=0
	for one in postgres pooler promotion postgres15 citus; do
		say "$one"
		"$0" "$one" || { code=1; say "$one: FAILED"; }
	done
	exit "$code"
	;;
postgres | pooler | promotion | postgres15 | citus | behind) "$1" ;;
suite) suite "$2" ;;
*)
	sed -n '2,/^set -eu/{/^#/s/^# \{0,1\}//p;}' "$0" >&2
	exit 2
	;;
esac
