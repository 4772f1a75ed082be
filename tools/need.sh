#!/bin/sh
# Makes sure that programs are there, with Debian's packages where that is allowed.
#
#   tools/need.sh NAME[,NAME…]:PACKAGE[,PACKAGE…]…
#
# One of the names must be on the PATH. If none is, the packages are installed with apt-get, by root or by a sudo that
# asks for no password; where neither is possible the script says what to install and fails.
set -eu

missing=
for need; do
	found=
	for name in $(echo "${need%%:*}" | tr , ' '); do
		if command -v "$name" >/dev/null 2>&1; then found=yes; fi
	done
	[ -n "$found" ] || missing="$missing $(echo "${need#*:}" | tr , ' ')"
done
[ -n "$missing" ] || exit 0

sudo=
if [ "$(id -u)" != 0 ]; then sudo='sudo -n'; fi
# shellcheck disable=SC2086 # sudo is two words or none
if ! command -v apt-get >/dev/null 2>&1 || ! $sudo true 2>/dev/null; then
	echo "need.sh: please install (Debian's names):$missing" >&2
	echo "need.sh: on Debian: sudo apt-get install$missing" >&2
	exit 1
fi
echo "need.sh: installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086 # the packages are words
{
	$sudo apt-get -qq -o DPkg::Lock::Timeout=300 update
	$sudo apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $missing
} >&2
