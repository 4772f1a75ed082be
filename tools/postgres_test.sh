#!/bin/sh
# Tests what tools/postgres.sh promises: one server for many callers, and nothing left behind.
# It borrows the programs and keeps its data in a folder of its own, so a shared server that runs is left alone.
set -eu
cd "$(dirname "$0")"

unset ALMANAC_TEST_DATABASE_URL
programs=$(./postgres.sh programs)
sandbox=$(mktemp -d "${TMPDIR:-/tmp}/almanac-postgres-test.XXXXXX")
chmod 755 "$sandbox"
export ALMANAC_PG_HOME="$sandbox/it's a home" TMPDIR="$sandbox" PATH="$programs:$PATH"
trap './postgres.sh down; rm -rf "$sandbox"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

failures=0
# check WHAT GOT WANT
check() {
	if [ "$2" = "$3" ]; then
		echo "ok: $1"
	else
		echo "FAIL: $1: got '$2', want '$3'"
		failures=$((failures + 1))
	fi
}

# throwaways: how many servers of `run` there are; with a number, waits up to twenty seconds for just so many.
throwaways() {
	n=0
	while :; do
		set -- "${1:-}" "$sandbox"/almanac-postgres.*/url
		if [ -e "$2" ]; then count=$(($# - 1)); else count=0; fi
		if [ -z "$1" ] || [ "$count" = "$1" ] || [ $n -ge 200 ]; then break; fi
		n=$((n + 1))
		sleep 0.1
	done
	echo "$count"
}

for _ in 1 2 3 4; do ./postgres.sh up 2>/dev/null & done >"$sandbox/urls"
wait
check "four first calls of up" "$(wc -l <"$sandbox/urls" | tr -d ' ') lines, $(sort -u "$sandbox/urls" | wc -l | tr -d ' ') server" "4 lines, 1 server"
check "url" "$(./postgres.sh url)" "$(head -n 1 "$sandbox/urls")"
check "psql and pgvector" "$(./postgres.sh psql -XqAtc "CREATE EXTENSION vector" -c "SELECT '[3,4]'::vector <-> '[0,0]'::vector")" 5

kill -9 "$(head -n 1 "$ALMANAC_PG_HOME/server/data/postmaster.pid")"
./postgres.sh url >/dev/null 2>&1 && code=0 || code=$?
check "url after the server was killed" "$code" 1
check "up after the server was killed" "$(./postgres.sh up 2>/dev/null | sed 's#//.*@127.0.0.1:[0-9]*/#//#')" "postgres://postgres?sslmode=disable"

./postgres.sh down
check "down leaves no data" "$(ls "$ALMANAC_PG_HOME")" lock

# shellcheck disable=SC2016 # the variable is the inner shell's
./postgres.sh run sh -c 'psql -XAtc "SELECT 6 * 7" "$ALMANAC_TEST_DATABASE_URL"; exit 9' >"$sandbox/answer" && code=0 || code=$?
check "run gives the command a server and keeps its exit code" "$(cat "$sandbox/answer") $code" "42 9"
check "run has deleted its server" "$(throwaways)" 0

# shellcheck disable=SC2016 # the variable is the inner shell's
./postgres.sh run sh -c 'echo $$ >"$TMPDIR/pid"; exec sleep 60' &
check "run under way" "$(throwaways 1)" 1
for _ in $(seq 400); do # its command has begun
	if [ -s "$sandbox/pid" ]; then break; fi
	sleep 0.05
done
kill -9 $!
wait $! || :
check "a run that is killed deletes its server" "$(throwaways 0)" 0
kill "$(cat "$sandbox/pid")"

ALMANAC_TEST_DATABASE_URL=postgres://own@example.com/x
export ALMANAC_TEST_DATABASE_URL
check "a server of one's own, up" "$(./postgres.sh up)" "$ALMANAC_TEST_DATABASE_URL"
# shellcheck disable=SC2016 # the variable is the inner shell's
check "a server of one's own, run" "$(./postgres.sh run sh -c 'echo "$ALMANAC_TEST_DATABASE_URL"')" "$ALMANAC_TEST_DATABASE_URL"
unset ALMANAC_TEST_DATABASE_URL

echo "$failures failures"
[ "$failures" = 0 ]
