#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fetch.sh CACHE SUITE ARCHITECTURE FOLDER PATTERN...: the newest package of each name that PATTERN
# (an extended regular expression of all of the name) matches, and the parts into which Debian splits
# a kernel, unpacked into FOLDER; their names and versions go to standard output. They come from release
# SUITE of Debian (-: this machine's) by contrib/private-apt, which keeps its lists below CACHE.
set -eu

cache=$1 suite=$2 arch=$3 folder=$4
shift 4

fail() {
	echo "$*" >&2
	exit 1
}

[ "$suite" != - ] || suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
mkdir -p "$cache" "$folder"
private=$(cd "$cache" && pwd)/apt/$suite-$arch
log=$(mktemp)
debs=$(mktemp -d)
trap 'rm -rf "$log" "$debs"' EXIT
trap 'exit 130' INT TERM
APT_CONFIG=$("$(dirname "$0")/../../contrib/private-apt" "$private" "$arch" "$suite")
export APT_CONFIG

complaint() { # the first of apt's own
	sed -n 's/^[EW]: *//p' "$log" | head -n 1
}

names() { # PATTERN: names that it matches, oldest first
	apt-cache pkgnames | grep -xE "$1" | sort -V || :
}

# A list that cannot be had is no reason to stop: what matters is whether the packages are there.
update() {
	rm -f "$private/updated"
	apt-get -q update > "$log" 2>&1 < /dev/null || :
	[ -n "$(complaint)" ] || : > "$private/updated"
}

get() { # PATTERN
	package=$(names "$1" | tail -n 1)
	[ -n "$package" ] || {
		first=$(complaint)
		echo "E: $suite has no package $1 for $arch${first:+; $first}" > "$log"
		return 1
	}
	parts=$(apt-cache depends "$package" | sed -n 's/^ *Depends: \(linux-\(binary\|modules\|base\)-[0-9].*\)$/\1/p')
	# shellcheck disable=SC2086 # a list of packages
	(cd "$debs" && apt-get -q download "$package" $parts) > "$log" 2>&1 < /dev/null
}

# Lists of today's may name what was replaced since.
fresh=
[ -n "$(find "$private/updated" -mtime -1 2> /dev/null)" ] || {
	update
	fresh=yes
}
for pattern; do
	get "$pattern" || { [ -z "$fresh" ] && update && get "$pattern"; } || fail "$(complaint)"
done
for package in "$debs"/*.deb; do
	dpkg-deb -x "$package" "$folder" || fail "$(basename "$package") cannot be unpacked"
	# shellcheck disable=SC2016 # dpkg-deb's own variables
	dpkg-deb -W --showformat '${Package} ${Version}\n' "$package"
done
